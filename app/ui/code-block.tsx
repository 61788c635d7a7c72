import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "#app/lib/clipboard.ts";

interface CodeBlockProps {
  /** Names the code for screen readers. */
  label: string;
  code: string;
  /** The button's label before and after copying. */
  words: { copy: string; copied: string };
  /** Called after a click on the copy button. */
  onCopied?(hasWorked: boolean): void;
}

/** Lines of code with a button that copies them. */
export function CodeBlock({ label, code, words, onCopied }: CodeBlockProps) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div className="flex items-start rounded-xl border border-line bg-sunken">
      {/* Only an element with a tab index can be scrolled with the keyboard. */}
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        className="min-w-0 flex-1 overflow-x-auto rounded-xl p-4 text-sm leading-relaxed"
      >
        <code translate="no">{code}</code>
      </pre>
      <button
        type="button"
        aria-label={`${isCopied ? words.copied : words.copy}: ${label}`}
        className="m-1.5 grid size-11 shrink-0 place-items-center rounded-lg text-muted hover:text-ink"
        onClick={() => {
          void copyText(code).then((hasWorked) => {
            setCopied(hasWorked);
            onCopied?.(hasWorked);
          });
        }}
      >
        {isCopied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
      </button>
    </div>
  );
}
