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

/** Interval of requests to the server after the countdown ended, until the file is gone. */
const EXPIRY_POLL_MS = 5 * SECOND_MS;

interface FileReadyProps {
  downloadId: string;
  info: DownloadInfo;
  /** Epoch milliseconds. */
  serverNow: number;
}

export function FileReady({ downloadId, info, serverNow }: FileReadyProps) {
  const t = useMessages("download");
  const [isStarted, setIsStarted] = useState(false);
  const expiresAt = info.expiresAt ?? null;
  const leftMs = useTimeLeft(downloadId, expiresAt, serverNow);
  const refetchPlan = useRefetchPlan();
  return (
    <Card>
      <FileHeading info={info} state={<p className="text-sm font-medium text-reed">{t("ready")}</p>} />
      {/* Two fixed lines, so that nothing moves as the texts change. */}
      <div className="mt-5 rounded-2xl bg-sunken px-4 py-3">
        <p className="truncate text-sm text-muted">
          <Expiry expiresAt={expiresAt} />
        </p>
        {leftMs !== null && (
          <p role="timer" className="font-display text-xl font-semibold whitespace-nowrap tabular-nums">
            {t("timeLeft", { time: formatCountdown(countdown(leftMs), t) })}
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
          setIsStarted(true);
          refetchPlan();
        }}
      >
        <Download size={22} aria-hidden />
        {t(isStarted ? "downloadAgain" : "download")}
      </a>
      <FilePreview downloadId={downloadId} info={info} />
      {info.sha256 !== undefined && <Checksum sha256={info.sha256} source={info.sha256Source} />}
      <ReportFile downloadId={downloadId} filename={info.filename} />
    </Card>
  );
}

function formatCountdown(parts: readonly CountdownPart[], t: Translate<"download">): string {
  return parts.map(({ unit, count }) => t(unit, { count })).join(" ");
}

/**
 * Asks the server for the file's state when the time is over.
 * @returns milliseconds; null for a file that never expires
 */
function useTimeLeft(downloadId: string, expiresAt: string | null, serverNow: number): number | null {
  const now = useServerNow(serverNow);
  const { revalidate } = useRevalidator();
  const leftMs = expiresAt === null ? null : Date.parse(expiresAt) - now;
  const pollCount = leftMs !== null && leftMs <= 0 ? 1 + Math.floor(-leftMs / EXPIRY_POLL_MS) : 0;
  useEffect(() => {
    if (pollCount === 0) return;
    // Check with an API call first: a failed revalidation would replace the page with an error.
    api.downloadInfo(downloadId).then(revalidate, (error: unknown) => {
      if (error instanceof ApiError) revalidate();
    });
  }, [pollCount, downloadId, revalidate]);
  return leftMs;
}

/** Delay before refetching the user's plan, after a download (decision 024). */
const REFETCH_PLAN_AFTER_MS = SECOND_MS;

function useRefetchPlan(): () => void {
  const user = useCurrentUser();
  const queries = useQueryClient();
  return () => {
    if (!user) return;
    setTimeout(() => {
      // Ignore errors: this page does not show the plan.
      queries.query({ queryKey: queryKeys.currentPlan, queryFn: api.currentPlan, staleTime: 0 }).catch(() => undefined);
    }, REFETCH_PLAN_AFTER_MS);
  };
}
