import clsx from "clsx";
import { useMessages } from "#app/lib/i18n/messages.ts";

/** Above these shares, per cent, a bar warns, and warns more (specification 1 section 9). */
const LITTLE_LEFT = 75;
const ALMOST_NONE_LEFT = 90;

const COLORS = {
  storage: { room: "bg-storage", little: "bg-storage-warn", none: "bg-storage-full" },
  transfers: { room: "bg-transfers", little: "bg-transfers-warn", none: "bg-transfers-full" },
} as const;

/** Colours alone are not seen by everybody. */
const WORDS = { little: "littleLeft", none: "almostUsedUp" } as const;

interface UsageBarProps {
  label: string;
  colors: keyof typeof COLORS;
  used: number;
  most: number;
  format(amount: number): string;
}

/** What a billing month has taken of what it may. */
export function UsageBar({ label, colors, used, most, format }: UsageBarProps) {
  const t = useMessages("billing");
  const percent = Math.min(100, (used / most) * 100);
  const level = percent > ALMOST_NONE_LEFT ? "none" : percent > LITTLE_LEFT ? "little" : "room";
  const text = t("usedOf", { used: format(used), most: format(most) });
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
      {level !== "room" && <p className="text-sm text-muted">{t(used >= most ? "usedUp" : WORDS[level])}</p>}
    </div>
  );
}
