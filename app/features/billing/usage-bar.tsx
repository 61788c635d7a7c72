import clsx from "clsx";
import { useMessages } from "#app/lib/i18n/messages.ts";

/** Above these percentages the bar changes colour (decision 024). */
const WARN_ABOVE_PERCENT = 75;
const CRITICAL_ABOVE_PERCENT = 90;

const COLORS = {
  storage: { normal: "bg-storage", warning: "bg-storage-warn", critical: "bg-storage-full" },
  transfers: { normal: "bg-transfers", warning: "bg-transfers-warn", critical: "bg-transfers-full" },
} as const;

/** Text as well: not everybody sees the colours. */
const LEVEL_MESSAGES = { warning: "littleLeft", critical: "almostUsedUp" } as const;

interface UsageBarProps {
  label: string;
  colors: keyof typeof COLORS;
  used: number;
  max: number;
  format(amount: number): string;
}

export function UsageBar({ label, colors, used, max, format }: UsageBarProps) {
  const t = useMessages("billing");
  const percent = Math.min(100, (used / max) * 100);
  const level = percent > CRITICAL_ABOVE_PERCENT ? "critical" : percent > WARN_ABOVE_PERCENT ? "warning" : "normal";
  const text = t("usedOf", { used: format(used), max: format(max) });
  return (
    <div className="grid gap-1.5">
      <p className="flex justify-between gap-3 text-sm">
        <span className="font-medium">{label}</span>
        <span className="text-muted tabular-nums">{text}</span>
      </p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(percent)}
        aria-valuetext={text}
        className="h-2.5 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className={clsx("h-full origin-left rounded-full transition-transform", COLORS[colors][level])}
          style={{ transform: `scaleX(${percent / 100})` }}
        />
      </div>
      {level !== "normal" && <p className="text-sm text-muted">{t(used >= max ? "usedUp" : LEVEL_MESSAGES[level])}</p>}
    </div>
  );
}
