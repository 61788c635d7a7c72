import clsx from "clsx";
import type { ReactNode } from "react";

const TONES = {
  plain: "border-line text-muted",
  good: "border-reed text-reed",
  warn: "border-amber text-ink",
  bad: "border-danger text-danger",
} as const;

export function Badge({ tone = "plain", children }: { tone?: keyof typeof TONES; children: ReactNode }) {
  return (
    <span
      className={clsx(
        "inline-block rounded-full border px-2 py-0.5 text-xs font-medium whitespace-nowrap",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
