import clsx from "clsx";
import type { ReactNode } from "react";

export function Card({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <section
      className={clsx(
        "rounded-3xl border border-line bg-surface p-5 shadow-[0_1px_2px_rgb(0_0_0/.04),0_12px_40px_-12px_rgb(0_0_0/.12)] sm:p-7",
        className,
      )}
    >
      {children}
    </section>
  );
}
