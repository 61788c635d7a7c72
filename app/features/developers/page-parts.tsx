import type { ReactNode } from "react";
import { CodeBlock as Lines } from "#app/ui/code-block.tsx";

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

const WORDS = { copy: "Copy", copied: "Copied" };

/** Lines to copy, on a page that is English alone. @param label says what they are, for whoever does not see them */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <div className="mt-3">
      <Lines label={label} code={code} words={WORDS} />
    </div>
  );
}

/** A text whose code stands between backticks. */
export function Words({ text }: { text: string }) {
  return text.split("`").map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <code key={index} className="rounded bg-sunken px-1 text-[0.9em] break-words">
        {piece}
      </code>
    ),
  );
}
