import type { ReactNode } from "react";
import { Card } from "#app/ui/card.tsx";

interface EmptyListProps {
  icon: ReactNode;
  title: string;
  text?: string;
  /** What to do about it; without, the page says it elsewhere. */
  children?: ReactNode;
}

/** Stands where a list would be. */
export function EmptyList({ icon, title, text, children }: EmptyListProps) {
  return (
    <Card className="text-center">
      <span className="mx-auto grid size-16 place-items-center rounded-2xl bg-sunken text-reed">{icon}</span>
      <h2 className="mt-5 text-lg font-medium">{title}</h2>
      {text !== undefined && <p className="mx-auto mt-1 max-w-lg text-muted">{text}</p>}
      {children && <div className="mt-6">{children}</div>}
    </Card>
  );
}
