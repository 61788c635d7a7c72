import { CodeBlock as Lines } from "#app/ui/code-block.tsx";

const WORDS = { copy: "Copy", copied: "Copied" };

/** Lines to copy, on a page that is English alone. @param label says what they are, for whoever does not see them */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <div className="mt-3">
      <Lines label={label} code={code} words={WORDS} />
    </div>
  );
}
