import clsx from "clsx";
import type { ReactNode } from "react";

const TONES = {
  plain: "border-line text-muted",
  good: "border-reed text-reed",
  warn: "border-amber text-ink",
  bad: "border-danger text-danger",
} as const;

interface BadgeProps {
  tone?: keyof typeof TONES;
  /** The badge's tooltip. */
  title?: string;
  children: ReactNode;
}

export function Badge({ tone = "plain", title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={clsx(
        "inline-block rounded-full border px-2 py-0.5 text-xs font-medium whitespace-nowrap",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
