import clsx from "clsx";
import type { LucideIcon } from "lucide-react";
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

interface TitleCardProps {
  icon: LucideIcon;
  isWarning?: boolean;
  title: string;
  children: ReactNode;
}

/** A card alone on a page, shown instead of the page's content. */
export function TitleCard({ icon: Icon, isWarning = false, title, children }: TitleCardProps) {
  const color = isWarning ? "text-amber-ink" : "text-reed";
  return (
    <Card className="text-center">
      <span className={clsx("mx-auto grid size-16 place-items-center rounded-2xl bg-sunken", color)}>
        <Icon size={30} aria-hidden />
      </span>
      <h1 className="mt-5 font-display text-3xl font-semibold">{title}</h1>
      {children}
    </Card>
  );
}
