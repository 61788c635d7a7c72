import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "#app/lib/clipboard.ts";

/** Lines to copy. @param label says what they are, for whoever does not see them */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div className="mt-3 flex items-start rounded-xl border border-line bg-sunken">
      {/* The focus lets the keys scroll it. */}
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        className="min-w-0 flex-1 overflow-x-auto rounded-xl p-4 text-sm leading-relaxed"
      >
        <code>{code}</code>
      </pre>
      <button
        type="button"
        aria-label={`${isCopied ? "Copied" : "Copy"}: ${label}`}
        className="m-1.5 grid size-11 shrink-0 place-items-center rounded-lg text-muted hover:text-ink"
        onClick={() => {
          void copyText(code).then(setCopied);
        }}
      >
        {isCopied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
      </button>
    </div>
  );
}
