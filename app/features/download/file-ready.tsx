import { useRevalidator } from "@remix-run/react";
import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { api, ApiError, queryKeys } from "#app/lib/api.ts";
import { useServerNow } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { countdown, HOUR_MS, SECOND_MS, type CountdownPart } from "#domain/units.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { Expiry } from "#app/ui/expiry.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Checksum } from "./checksum.tsx";
import { FileHeading } from "./file-heading.tsx";
import { FilePreview } from "./preview/file-preview.tsx";
import { ReportFile } from "./report-file.tsx";

/** Once its time is up, the server is asked each so often whether the file has gone. */
const ASK_AGAIN_MS = 5 * SECOND_MS;

interface ReadyProps {
  downloadId: string;
  info: DownloadInfo;
  /** What the server's clock said, epoch milliseconds. */
  serverNow: number;
}

/** A file that can be downloaded. */
export function FileReady({ downloadId, info, serverNow }: ReadyProps) {
  const t = useMessages("download");
  const [started, setStarted] = useState(false);
  const expiresAt = info.expiresAt ?? null;
  const leftMs = useTimeLeft(downloadId, expiresAt, serverNow);
  const refetchPlan = useRefetchPlan();
  return (
    <Card>
      <FileHeading info={info} state={<p className="text-sm font-medium text-reed">{t("ready")}</p>} />
      {/* Two lines of their own, so that nothing around them moves as they change. */}
      <div className="mt-5 rounded-2xl bg-sunken px-4 py-3">
        <p className="truncate text-sm text-muted">
          <Expiry expiresAt={expiresAt} />
        </p>
        {leftMs !== null && (
          <p role="timer" className="font-display text-xl font-semibold whitespace-nowrap tabular-nums">
            {t("timeLeft", { time: inWords(countdown(leftMs), t) })}
          </p>
        )}
      </div>
      {leftMs !== null && leftMs < HOUR_MS && (
        <p role="status" className="mt-3 rounded-2xl border border-amber px-4 py-3 text-sm">
          {t("littleTime")}
        </p>
      )}
      <a
        href={info.downloadUrl ?? ""}
        className={`${buttonClass("primary", true)} mt-5 text-lg`}
        onClick={() => {
          setStarted(true);
          refetchPlan();
        }}
      >
        <Download size={22} aria-hidden />
        {t(started ? "downloadAgain" : "download")}
      </a>
      <FilePreview downloadId={downloadId} info={info} />
      {info.sha256 !== undefined && <Checksum sha256={info.sha256} source={info.sha256Source} />}
      <ReportFile downloadId={downloadId} filename={info.filename} />
    </Card>
  );
}

function inWords(parts: readonly CountdownPart[], t: Translate<"download">): string {
  return parts.map(({ unit, count }) => t(unit, { count })).join(" ");
}

/** What is left of the file's time, milliseconds; null for a file that stays. When it is over, the page asks the server. */
function useTimeLeft(downloadId: string, expiresAt: string | null, serverNow: number): number | null {
  const now = useServerNow(serverNow);
  const { revalidate } = useRevalidator();
  const leftMs = expiresAt === null ? null : Date.parse(expiresAt) - now;
  const asking = leftMs !== null && leftMs <= 0 ? 1 + Math.floor(-leftMs / ASK_AGAIN_MS) : 0;
  useEffect(() => {
    if (asking === 0) return;
    // By a call first: a page that is asked for while nothing answers would give way to an error.
    api.downloadInfo(downloadId).then(revalidate, (error: unknown) => {
      if (error instanceof ApiError) revalidate();
    });
  }, [asking, downloadId, revalidate]);
  return leftMs;
}

/** How long after a download somebody's own plan is read anew (specification 1 section 4). */
const REFETCH_PLAN_AFTER_MS = SECOND_MS;

function useRefetchPlan(): () => void {
  const user = useCurrentUser();
  const queries = useQueryClient();
  return () => {
    if (!user) return;
    setTimeout(() => {
      // Nothing here depends on it: an answer that does not come changes nothing.
      queries.query({ queryKey: queryKeys.currentPlan, queryFn: api.currentPlan, staleTime: 0 }).catch(() => undefined);
    }, REFETCH_PLAN_AFTER_MS);
  };
}
