import { Download } from "lucide-react";
import { lazy, Suspense, useContext, useState, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FileIcon } from "#app/ui/file-icon.tsx";
import { formatBytes } from "#domain/units.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import { Checksum } from "./checksum.tsx";
import { isPlainClick } from "./plain-click.ts";
import { DownloadLink, ProtectedLinkContext } from "./protection/protected-link-context.tsx";
import { FilePicture, FilePreview } from "./preview/file-preview.tsx";
import { forRecipient, useRecipient } from "./recipient.ts";
import { ReportFile } from "./report-file.tsx";
import { SealedPageContext } from "./sealed/sealed-context.ts";
import { TimeLeft } from "./time-left.tsx";
import { useFollowingStart } from "./use-following-start.ts";
import { useRefetchPlan } from "./use-refetch-plan.ts";

// Loaded lazily, because most visitors open a finished file.
const UploadInProgress = lazy(() => importWhenOnline(() => import("./upload-in-progress.tsx")));

/** The page of a single file, during its upload and afterwards. */
export function FileDownload({ downloadId, info }: { downloadId: string; info: DownloadInfo }) {
  const t = useMessages("download");
  const [isStarted, setIsStarted] = useState(false);
  const refetchPlan = useRefetchPlan();
  const recipient = useRecipient();
  const protectedLink = useContext(ProtectedLinkContext);
  const following = useFollowingStart();
  const isSealed = useContext(SealedPageContext) !== null;
  const isReady = info.status === "ready";
  const [followUrl, setFollowUrl] = useState(info.followUrl);
  if (info.followUrl !== undefined && info.followUrl !== followUrl) setFollowUrl(info.followUrl);
  const href = isReady ? (info.downloadUrl ?? "") : info.followUrl;
  // Who has no lease of a limited link gets no pictures.
  const hasPicture = info.picture !== undefined && !(protectedLink?.isTakeNeeded ?? false);
  const link = `/api/files/download/${downloadId}`;
  const tileUrl = hasPicture ? `${link}/tile` : null;
  const viewUrl = hasPicture && info.picture?.view ? `${link}/view` : tileUrl;
  const onStarted = () => {
    setIsStarted(true);
    refetchPlan();
  };
  const start = (address: string) => {
    if (!isReady) return following.start(address, onStarted);
    location.assign(address);
    onStarted();
  };
  return (
    <Card>
      <FileHeading info={info} isReady={isReady} tileUrl={tileUrl} />
      {isReady ? (
        <TimeLeft downloadId={downloadId} expiresAt={info.expiresAt ?? null} warning={t("littleTime")} />
      ) : (
        <Suspense>
          <UploadInProgress
            downloadId={downloadId}
            info={info}
            download={following.isAsking ? "asking" : isStarted ? "running" : "none"}
          />
        </Suspense>
      )}
      {href !== undefined && (
        <>
          {/* The same link during the upload and afterwards keeps the focus. */}
          <DownloadLink
            href={forRecipient(href, recipient)}
            className={`${buttonClass(isStarted && !isReady ? "quiet" : "primary", true)} mt-5 text-lg`}
            onClick={(event) => {
              if (isReady) onStarted();
              else if (isPlainClick(event)) {
                event.preventDefault();
                void start(event.currentTarget.href);
              }
            }}
          >
            <Download size={22} aria-hidden />
            {t(isStarted ? "downloadAgain" : isReady ? "download" : "downloadNow")}
          </DownloadLink>
          {!isReady && !isStarted && <p className="mt-2 text-center text-sm text-muted">{t("keepsPace")}</p>}
          {following.problem !== null && (
            <p role="alert" className="mt-3 rounded-2xl border border-amber px-4 py-3 text-sm">
              {following.problem}
            </p>
          )}
          {protectedLink?.notes}
          {protectedLink?.renderForm((address) => void start(address))}
          {/* The URL is relative, because the preview endpoint answers requests from the same origin only. */}
          {(isReady || !isSealed) && (
            <FilePreview
              file={info}
              url={(isSealed ? undefined : previewUrlOf(followUrl)) ?? `${link}/preview`}
              pictureUrl={viewUrl}
              isArriving={!isReady}
            />
          )}
        </>
      )}
      {info.sha256 !== undefined && (
        <Checksum
          sha256={info.sha256}
          source={t(info.sha256Source === "browser" ? "computedByBrowser" : "computedByServer")}
        />
      )}
      {href !== undefined && <ReportFile downloadId={downloadId} name={info.filename} label={t("reportFile")} />}
    </Card>
  );
}

/**
 * A film that began to play while it arrived keeps the URL when all of it is there, so it plays on.
 * @param followUrl the URL of the download that follows the upload
 */
function previewUrlOf(followUrl: string | undefined): string | undefined {
  return followUrl?.replace(/\/content(?=\?|$)/, "/preview");
}

interface FileHeadingProps {
  info: DownloadInfo;
  /** False while the file is still being uploaded. */
  isReady: boolean;
  /** Null for a file without a picture. */
  tileUrl: string | null;
}

function FileHeading({ info: { filename, size }, isReady, tileUrl }: FileHeadingProps) {
  const t = useMessages("download");
  const icon = <FileIcon filename={filename} size={28} />;
  return (
    <LinkHeading
      icon={
        tileUrl === null ? icon : <FilePicture url={tileUrl} alt="" className="size-14 object-cover" instead={icon} />
      }
      state={t(isReady ? "ready" : "onItsWay")}
      isReady={isReady}
      title={filename}
      details={formatBytes(size, t.locale)}
    />
  );
}

interface LinkHeadingProps {
  icon: ReactNode;
  state: string;
  isReady: boolean;
  title: string;
  details: string;
}

/** The heading of a link's page: the name of its file or transfer, with state and size. */
export function LinkHeading({ icon, state, isReady, title, details }: LinkHeadingProps) {
  return (
    <div className="flex items-start gap-4">
      <span className="grid size-14 shrink-0 place-items-center overflow-clip rounded-2xl bg-sunken text-reed">
        {icon}
      </span>
      <div className="min-w-0">
        <p className={`text-sm font-medium ${isReady ? "text-reed" : "text-amber-ink"}`}>{state}</p>
        <h1 className="font-display text-2xl leading-tight font-semibold break-words sm:text-3xl">{title}</h1>
        <p className="mt-1 text-muted">{details}</p>
      </div>
    </div>
  );
}
