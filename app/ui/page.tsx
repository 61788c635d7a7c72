import type { ReactNode } from "react";

export function Page({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <div className="mx-auto max-w-2xl px-4 py-8 sm:px-6 lg:py-14">
      <h1 className="font-display text-4xl font-semibold">{title}</h1>
      {lead && <p className="mt-2 text-muted">{lead}</p>}
      <div className="mt-7 grid gap-6">{children}</div>
    </div>
  );
}
