import clsx from "clsx";
import { ArrowDownToLine, Check, X } from "lucide-react";
import { useState } from "react";
import { regionOf } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAccountFeed } from "#app/lib/use-account-feed.ts";
import type { Locale } from "#domain/locale.ts";
import { formatBytes, HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { DownloadNews } from "#domain/wire.ts";

/** The most downloads shown for one file. */
const MOST_LINES = 5;

const NONE: readonly DownloadNews[] = [];

interface LiveDownloadsProps {
  /** The id of a file or a transfer. */
  transferId: string;
  className?: string;
}

/**
 * The running and recently ended downloads of a link, newest first. Takes no space while the link has no such download.
 */
export function LiveDownloads({ transferId, className }: LiveDownloadsProps) {
  const t = useMessages("feed");
  const [downloads, setDownloads] = useState(NONE);
  useAccountFeed((state) => {
    const isOfThis = (news: { transferId: string }) => news.transferId === transferId;
    if (state.changed.some(isOfThis)) setDownloads(state.downloads.filter(isOfThis));
  });
  const shown = downloads.toSorted((a, b) => b.startedAt - a.startedAt).slice(0, MOST_LINES);
  const hidden = downloads.length - shown.length;
  return (
    // The live region stays in the page while empty, so that screen readers announce what is added.
    <div aria-live="polite" className={clsx("empty:absolute", className)}>
      {shown.length > 0 && (
        <ul aria-label={t("heading")} className="space-y-1 text-sm">
          {shown.map((download) => (
            <Line key={download.id} download={download} />
          ))}
        </ul>
      )}
      {hidden > 0 && <p className="mt-1 text-sm text-muted">{t("more", { count: hidden })}</p>}
    </div>
  );
}

function Line({ download }: { download: DownloadNews }) {
  const t = useMessages("feed");
  const { recipient, entry, bytes, startedAt } = download;
  const time = new Date(startedAt).toLocaleTimeString(regionOf(t.locale), { timeStyle: "short" });
  return (
    <li className="flex items-start gap-2">
      <Mark state={download.state} />
      <span className="min-w-0 wrap-anywhere">
        <span className="font-medium">{recipient ?? t("somebody")}</span>
        <span className="text-muted">
          {entry !== undefined && ` · ${entry}`} · {t("started", { time })} · {formatBytes(bytes, t.locale)} ·{" "}
        </span>
        <Ending download={download} />
      </span>
    </li>
  );
}

const MARKS = {
  running: { Icon: ArrowDownToLine, look: "text-reed motion-safe:animate-pulse" },
  done: { Icon: Check, look: "text-reed" },
  broken: { Icon: X, look: "text-muted" },
};

function Mark({ state }: Pick<DownloadNews, "state">) {
  const { Icon, look } = MARKS[state];
  return <Icon size={16} aria-hidden className={`mt-0.5 shrink-0 ${look}`} />;
}

function Ending({ download: { state, startedAt, endedAt = startedAt } }: { download: DownloadNews }) {
  const t = useMessages("feed");
  if (state === "running") return <span className="text-reed">{t("running")}</span>;
  if (state === "broken") return <span className="text-muted">{t("broken")}</span>;
  return <span className="text-reed">{t("done", { duration: formatDuration(endedAt - startedAt, t.locale) })}</span>;
}

/** Such as "3 min" or "1 hr"; at least one second. */
function formatDuration(durationMs: number, locale: Locale): string {
  const [unit, unitMs] =
    durationMs < MINUTE_MS
      ? (["second", SECOND_MS] as const)
      : durationMs < HOUR_MS
        ? (["minute", MINUTE_MS] as const)
        : (["hour", HOUR_MS] as const);
  const options = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(locale, options).format(Math.max(1, Math.floor(durationMs / unitMs)));
}
