import { useEffect } from "react";
import { api, ApiError } from "#app/lib/api.ts";
import { useServerNow } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Expiry } from "#app/ui/moments.tsx";
import { useRevalidate } from "#app/lib/use-revalidate.ts";
import { countdown, HOUR_MS, SECOND_MS, type CountdownPart } from "#domain/units.ts";
import type { Translate } from "#messages/translate.ts";

/** Interval of requests to the server after the countdown has ended, until the link is gone. */
const EXPIRY_POLL_MS = 5 * SECOND_MS;

interface TimeLeftProps {
  downloadId: string;
  /** ISO 8601; null if the link never expires. */
  expiresAt: string | null;
  /** A text that is shown in the last hour. */
  warning: string;
}

/** Shows when the link expires, and the time until then. */
export function TimeLeft({ downloadId, expiresAt, warning }: TimeLeftProps) {
  const t = useMessages("download");
  const leftMs = useTimeLeft(downloadId, expiresAt);
  return (
    <>
      {/* Expiry and time left stand on two lines if they fit, so that nothing moves when the texts change. */}
      <div className="mt-5 rounded-2xl bg-sunken px-4 py-3">
        <p className="text-sm text-muted">
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
          {warning}
        </p>
      )}
    </>
  );
}

function formatCountdown(parts: readonly CountdownPart[], t: Translate<"download">): string {
  return parts.map(({ unit, count }) => t(unit, { count })).join(" ");
}

/** Asks for the link's state when the time is over. @returns milliseconds; null for a link that never expires */
function useTimeLeft(downloadId: string, expiresAt: string | null): number | null {
  const now = useServerNow();
  const revalidate = useRevalidate();
  const leftMs = expiresAt === null ? null : Date.parse(expiresAt) - now;
  const pollCount = leftMs !== null && leftMs <= 0 ? 1 + Math.floor(-leftMs / EXPIRY_POLL_MS) : 0;
  useEffect(() => {
    if (pollCount === 0) return;
    // The API is asked first, because a failed revalidation would replace the page with an error.
    api.downloadInfo(downloadId).then(revalidate, (error: unknown) => {
      if (error instanceof ApiError) revalidate();
    });
  }, [pollCount, downloadId, revalidate]);
  return leftMs;
}
