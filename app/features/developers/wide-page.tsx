import type { ReactNode } from "react";

/** A page in English, in whatever language the rest of the site is read. */
export function WidePage({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <div lang="en" className="mx-auto max-w-6xl px-4 py-8 sm:px-6 lg:py-14">
      <h1 className="font-display text-4xl font-semibold sm:text-5xl">{title}</h1>
      <p className="mt-3 max-w-prose text-muted">{lead}</p>
      {children}
    </div>
  );
}
