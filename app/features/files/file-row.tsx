import { Link } from "@remix-run/react";
import clsx from "clsx";
import { ChevronDown, Link2, Trash2 } from "lucide-react";
import { lazy, Suspense, useId, useState } from "react";
import { useHydrated, useServerAhead } from "#app/lib/clock.ts";
import { useLocale, useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Button } from "#app/ui/button.tsx";
import { FileName } from "#app/ui/file-name.tsx";
import { LiveDownloads } from "#app/ui/live-downloads.tsx";
import { Expiry } from "#app/ui/moments.tsx";
import { useCopyLink } from "#app/ui/sharing/ways-to-share.ts";
import { relativeDate } from "#domain/relative-date.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedFile } from "#domain/wire.ts";
import { RowCheckbox, type RowChoice } from "./chosen-rows.tsx";
import { FileDialog, type FileAction } from "./file-dialog.tsx";
import { FileMenu } from "./file-menu.tsx";
import { LabelLinks } from "./labels.tsx";
import { FileProtection, FileMark, KeyMissing, nameOf, useShownFile } from "./shown-file.tsx";

const TransferFiles = lazy(() => importWhenOnline(() => import("./transfer-files.client.tsx")));

interface FileRowProps {
  file: ListedFile;
  shareUrl: string;
  choice: RowChoice;
}

export function FileRow({ file: listed, shareUrl: address, choice }: FileRowProps) {
  const tSharing = useMessages("sharing");
  const t = useMessages("files");
  const { file, shareUrl } = useShownFile(listed, address);
  const filename = nameOf(file);
  const isTransfer = file.entries !== undefined;
  const [action, setAction] = useState<FileAction | null>(null);
  const [isUnfolded, setUnfolded] = useState(false);
  const listId = useId();
  const copy = useCopyLink();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-3 py-4">
      <RowCheckbox choice={choice} label={t("choose", { filename })} />
      <FileMark file={file} />
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-medium">
          <Link to={`/dashboard/${file.id}`} className="hover:text-reed hover:underline">
            <FileName name={filename} />
          </Link>
        </p>
        <p className="text-sm text-muted">
          {file.entries !== undefined && `${t("fileCount", { count: file.entries })} · `}
          {formatBytes(file.size, t.locale)} · <UploadDate uploadedAt={file.uploadedAt} /> ·{" "}
          {t("downloads", { count: file.downloadCount })}
        </p>
        <p className="text-sm text-muted">
          {file.isExpired ? (
            <span className="font-medium text-amber-ink">{t("expired")}</span>
          ) : (
            <Expiry expiresAt={file.expiresAt} />
          )}
        </p>
        {shareUrl === null && (
          <p className="text-sm text-muted">
            <KeyMissing />
          </p>
        )}
        {file.guards && <FileProtection file={file} guards={file.guards} />}
        {file.labels && <LabelLinks labels={file.labels} />}
      </div>
      <div className="flex gap-2">
        <Button
          icon={Link2}
          look="quiet"
          disabled={file.isExpired || shareUrl === null}
          onClick={() => void copy(shareUrl ?? "")}
        >
          {tSharing("copyLink")}
        </Button>
        <Button
          icon={Trash2}
          look="danger"
          className="px-3!"
          aria-label={t("deleteFile", { filename })}
          onClick={() => setAction("delete")}
        />
        {!file.isExpired && <FileMenu hasDetails file={file} shareUrl={shareUrl} onChoose={setAction} />}
      </div>
      <LiveDownloads transferId={file.id} className="basis-full sm:ps-15" />
      {isTransfer && !file.isExpired && (
        <div className="basis-full sm:ps-15">
          <Button
            look="bare"
            className="-ms-3 px-3! text-sm"
            aria-expanded={isUnfolded}
            aria-controls={isUnfolded ? listId : undefined}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            <ChevronDown size={18} aria-hidden className={clsx(isUnfolded && "rotate-180")} />
            {t(isUnfolded ? "hideFiles" : "showFiles")}
            <span className="sr-only">: {filename}</span>
          </Button>
          {isUnfolded && (
            <div id={listId} className="mt-2">
              <Suspense>
                <TransferFiles file={file} />
              </Suspense>
            </div>
          )}
        </div>
      )}
      {action && <FileDialog action={action} file={file} shareUrl={shareUrl ?? ""} onClose={() => setAction(null)} />}
    </li>
  );
}

/** The upload's date. In UTC until hydration, because the server does not know the reader's time zone. */
function UploadDate({ uploadedAt }: { uploadedAt: string }) {
  const locale = useLocale();
  const hydrated = useHydrated();
  const aheadMs = useServerAhead();
  const [shownAt] = useState(() => Date.now());
  const now = new Date(shownAt + aheadMs);
  return (
    <time dateTime={uploadedAt}>
      {hydrated ? relativeDate(new Date(uploadedAt), now, locale) : uploadedAt.slice(0, 10)}
    </time>
  );
}
