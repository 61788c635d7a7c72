import { Download } from "lucide-react";
import { useContext, useState, type ReactNode } from "react";
import { useMessages, useLocale } from "#app/lib/i18n/messages.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Checksum } from "./checksum.tsx";
import { DownloadLink, LinkGuardContext } from "./guards/link-guard.tsx";
import { FilePreview } from "./preview/file-preview.tsx";
import { forRecipient, useRecipient } from "./recipient.ts";
import { ReportFile } from "./report-file.tsx";
import { TimeLeft } from "./time-left.tsx";
import { useRefetchPlan } from "./use-refetch-plan.ts";
import { formatBytes } from "#domain/units.ts";
import { FileIcon } from "#app/ui/file-icon.tsx";

interface FileReadyProps {
  downloadId: string;
  info: DownloadInfo;
}

export function FileReady({ downloadId, info }: FileReadyProps) {
  const t = useMessages("download");
  const [isStarted, setIsStarted] = useState(false);
  const refetchPlan = useRefetchPlan();
  const recipient = useRecipient();
  const guard = useContext(LinkGuardContext);
  const start = () => {
    setIsStarted(true);
    refetchPlan();
  };
  return (
    <Card>
      <FileHeading info={info} state={<p className="text-sm font-medium text-reed">{t("ready")}</p>} />
      <TimeLeft downloadId={downloadId} expiresAt={info.expiresAt ?? null} warning={t("littleTime")} />
      <DownloadLink
        href={forRecipient(info.downloadUrl ?? "", recipient)}
        className={`${buttonClass("primary", true)} mt-5 text-lg`}
        onClick={start}
      >
        <Download size={22} aria-hidden />
        {t(isStarted ? "downloadAgain" : "download")}
      </DownloadLink>
      {guard?.notes}
      {guard?.renderForm((href) => {
        location.assign(href);
        start();
      })}
      {/* A relative URL: the preview endpoint answers requests from the same origin only. */}
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

interface FileHeadingProps {
  info: DownloadInfo;
  state: ReactNode;
}

export function FileHeading({ info, state }: FileHeadingProps) {
  return (
    <div className="flex items-start gap-4">
      <span className="grid size-14 shrink-0 place-items-center rounded-2xl bg-sunken text-reed">
        <FileIcon filename={info.filename} size={28} />
      </span>
      <div className="min-w-0">
        {state}
        <h1 className="font-display text-2xl leading-tight font-semibold break-words sm:text-3xl">{info.filename}</h1>
        <p className="mt-1 text-muted">{formatBytes(info.size, useLocale())}</p>
      </div>
    </div>
  );
}
