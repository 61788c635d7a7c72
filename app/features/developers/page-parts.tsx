import type { ReactNode } from "react";
import { CodeBlock as Lines } from "#app/ui/code-block.tsx";

/** A page in English, whatever the language of the rest of the site. */
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

/** Code with a copy button, with texts in English. @param label names the code for screen readers */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <div className="mt-3">
      <Lines label={label} code={code} words={WORDS} />
    </div>
  );
}

/** Shows the parts of a text between backticks as code. */
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
