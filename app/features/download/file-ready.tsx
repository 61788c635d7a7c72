import { Download } from "lucide-react";
import { useContext, useState, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FileIcon } from "#app/ui/file-icon.tsx";
import { formatBytes } from "#domain/units.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import { Checksum } from "./checksum.tsx";
import { DownloadLink, ProtectedLinkContext } from "./protection/protected-link-context.tsx";
import { FilePreview } from "./preview/file-preview.tsx";
import { forRecipient, useRecipient } from "./recipient.ts";
import { ReportFile } from "./report-file.tsx";
import { TimeLeft } from "./time-left.tsx";
import { useRefetchPlan } from "./use-refetch-plan.ts";

export function FileReady({ downloadId, info }: { downloadId: string; info: DownloadInfo }) {
  const t = useMessages("download");
  const [isStarted, setIsStarted] = useState(false);
  const refetchPlan = useRefetchPlan();
  const recipient = useRecipient();
  const protectedLink = useContext(ProtectedLinkContext);
  const start = () => {
    setIsStarted(true);
    refetchPlan();
  };
  return (
    <Card>
      <FileHeading info={info} isReady />
      <TimeLeft downloadId={downloadId} expiresAt={info.expiresAt ?? null} warning={t("littleTime")} />
      <DownloadLink
        href={forRecipient(info.downloadUrl ?? "", recipient)}
        className={`${buttonClass("primary", true)} mt-5 text-lg`}
        onClick={start}
      >
        <Download size={22} aria-hidden />
        {t(isStarted ? "downloadAgain" : "download")}
      </DownloadLink>
      {protectedLink?.notes}
      {protectedLink?.renderForm((href) => {
        location.assign(href);
        start();
      })}
      {/* The URL is relative, because the preview endpoint answers requests from the same origin only. */}
      <FilePreview file={info} url={`/api/files/download/${downloadId}/preview`} />
      {info.sha256 !== undefined && (
        <Checksum
          sha256={info.sha256}
          source={t(info.sha256Source === "browser" ? "computedByBrowser" : "computedByServer")}
        />
      )}
      <ReportFile downloadId={downloadId} name={info.filename} label={t("reportFile")} />
    </Card>
  );
}

/** @param isReady false while the file is still being uploaded */
export function FileHeading({ info: { filename, size }, isReady }: { info: DownloadInfo; isReady: boolean }) {
  const t = useMessages("download");
  return (
    <LinkHeading
      icon={<FileIcon filename={filename} size={28} />}
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
      <span className="grid size-14 shrink-0 place-items-center rounded-2xl bg-sunken text-reed">{icon}</span>
      <div className="min-w-0">
        <p className={`text-sm font-medium ${isReady ? "text-reed" : "text-amber-ink"}`}>{state}</p>
        <h1 className="font-display text-2xl leading-tight font-semibold break-words sm:text-3xl">{title}</h1>
        <p className="mt-1 text-muted">{details}</p>
      </div>
    </div>
  );
}
