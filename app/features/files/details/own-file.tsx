import { Link, useNavigate } from "@remix-run/react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { ApiError, queryKeys } from "#app/lib/api.ts";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useDownloadsDone } from "#app/lib/use-account-feed.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { LiveDownloads } from "#app/ui/live-downloads.tsx";
import { Page } from "#app/ui/page.tsx";
import { recipientsKey } from "#app/ui/sharing/recipients-api.ts";
import type { FileDetails, ReceivedDetails } from "#domain/wire.ts";
import type { OwnFileView } from "#worker/page-types.ts";
import { FileDialog, type FileAction } from "../file-dialog.tsx";
import { FileMenu } from "../file-menu.tsx";
import { filesApi } from "../files-api.ts";
import { FileMark, nameOf, useShownFile } from "../shown-file.tsx";
import { FileFacts } from "./file-facts.tsx";
import { FileLink } from "./file-link.tsx";
import { NotifyChoice } from "./notify-choice.tsx";
import { PreviewChoice } from "./preview-choice.tsx";
import { Recipients, REFRESH_MS } from "./recipients.tsx";

const TransferFiles = lazy(() => importWhenOnline(() => import("../transfer-files.client.tsx")));

interface OwnFileProps {
  loaded: OwnFileView & { kind: "file" };
  origin: string;
}

/** The page of a file or transfer for its owner: its link, its recipients and its downloads. */
export function OwnFile({ loaded, origin }: OwnFileProps) {
  const { data, error } = useQuery({
    queryKey: [...queryKeys.files, loaded.file.id],
    queryFn: () => filesApi.details(loaded.file.id),
    initialData: loaded.file,
    refetchInterval: REFRESH_MS,
    retry: (count, reason) => count < 3 && !(reason instanceof ApiError),
  });
  const isGone = error instanceof ApiError && error.status === 404;
  return isGone ? (
    <NoOwnFile view={{ kind: "missing", status: 404 }} />
  ) : (
    <OwnFileContent loaded={loaded} listed={data} origin={origin} />
  );
}

function OwnFileContent({ loaded, listed, origin }: OwnFileProps & { listed: FileDetails }) {
  const t = useMessages("ownFile");
  const tFiles = useMessages("files");
  const navigate = useNavigate();
  // The server does not have the script of `TransferFiles`, so only browsers render that list.
  const hydrated = useHydrated();
  const queries = useQueryClient();
  const { file, shareUrl } = useShownFile(listed, `${origin}/download/${listed.downloadId}`);
  const [action, setAction] = useState<FileAction | null>(null);
  const filename = nameOf(file);
  const { received } = listed;
  useDownloadsDone(() => {
    void queries.invalidateQueries({ queryKey: [...queryKeys.files, file.id] });
    void queries.invalidateQueries({ queryKey: recipientsKey(file.id) });
  });
  const hasLink = received?.hasLink ?? true;
  const isOpen = !file.isExpired && hasLink;
  return (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6 lg:py-14">
      <Link to="/dashboard" className="inline-flex min-h-11 items-center gap-2 text-muted hover:text-ink">
        <ArrowLeft size={18} aria-hidden />
        {t("back")}
      </Link>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-3">
        <FileMark file={file} />
        <h1 className="min-w-0 flex-1 basis-64 font-display text-3xl font-semibold break-words sm:text-4xl">
          {filename}
        </h1>
        <div className="flex gap-2">
          <Button
            icon={Trash2}
            look="danger"
            className="px-3!"
            aria-label={tFiles("deleteFile", { filename })}
            onClick={() => setAction("delete")}
          />
          {isOpen && <FileMenu file={file} shareUrl={shareUrl} onChoose={setAction} />}
        </div>
      </div>
      <div className="mt-7 grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {received && <ReceivedFrom received={received} downloadId={file.downloadId} />}
          {hasLink && <FileLink file={file} shareUrl={shareUrl} onChoose={setAction} />}
          <LiveDownloads transferId={file.id} />
          {hasLink && (
            <Recipients file={file} shareUrl={shareUrl} loaded={loaded.recipients} onMail={() => setAction("mail")} />
          )}
          {file.entries !== undefined && !file.isExpired && (
            <Card>
              <h2 className="mb-3 text-lg font-medium">{t("files")}</h2>
              {hydrated && (
                <Suspense>
                  <TransferFiles file={file} />
                </Suspense>
              )}
            </Card>
          )}
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:sticky lg:top-6">
          <FileFacts file={file} hasLink={hasLink} onChoose={setAction} />
          {isOpen && <NotifyChoice fileId={file.id} loaded={loaded.recipients} accountNotify={loaded.accountNotify} />}
          {isOpen && listed.pictures && !listed.guards && (
            <PreviewChoice
              fileId={file.id}
              showsPicture={listed.showsPicture}
              accountShowsPicture={loaded.accountShowsPicture}
            />
          )}
        </div>
      </div>
      {action && (
        <FileDialog
          action={action}
          file={file}
          shareUrl={shareUrl ?? ""}
          onDeleted={() => {
            queries.removeQueries({ queryKey: queryKeys.files });
            navigate("/dashboard");
          }}
          onClose={() => setAction(null)}
        />
      )}
    </div>
  );
}

/** The page of a file whose upload is unfinished, or that does not exist. */
export function NoOwnFile({ view }: { view: Exclude<OwnFileView, { kind: "file" }> }) {
  const t = useMessages("ownFile");
  const isMissing = view.kind === "missing";
  return (
    <Page title={t(isMissing ? "missingTitle" : "unfinishedTitle")}>
      <Card>
        <p className="mb-5 break-words">
          {isMissing ? t("missingHelp") : t("unfinishedHelp", { filename: view.name })}
        </p>
        <Link to="/dashboard" className={buttonClass("quiet")}>
          {t("toFiles")}
        </Link>
      </Card>
    </Page>
  );
}

/** Names the sender of a file that came through an upload request. */
function ReceivedFrom({ received, downloadId }: { received: ReceivedDetails; downloadId: string }) {
  const t = useMessages("ownFile");
  const { senderName, senderEmail, senderNote, hasLink } = received;
  const sender = [senderName, senderEmail].filter((part) => part !== null && part !== "").join(", ");
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("received")}</h2>
      <p className="mt-1 break-words text-muted">
        {sender === "" ? t("receivedUnnamed") : t("receivedFrom", { sender })}
      </p>
      {senderNote !== null && senderNote !== "" && (
        <p dir="auto" className="mt-4 rounded-2xl border border-line px-4 py-3 break-words whitespace-pre-wrap">
          {senderNote}
        </p>
      )}
      {!hasLink && (
        <>
          <p className="mt-4">{t("receivedHelp")}</p>
          <a href={`/download/${downloadId}`} className={`${buttonClass()} mt-4`}>
            {t("open")}
          </a>
        </>
      )}
    </Card>
  );
}
