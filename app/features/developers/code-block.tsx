import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "#app/lib/clipboard.ts";

/** Lines to copy. @param label says what they are, for whoever does not see them */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div className="relative mt-3">
      {/* The focus lets the keys scroll it. */}
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        className="overflow-x-auto rounded-xl border border-line bg-sunken p-4 pr-14 text-sm leading-relaxed"
      >
        <code>{code}</code>
      </pre>
      <button
        type="button"
        aria-label={`${isCopied ? "Copied" : "Copy"}: ${label}`}
        className="absolute top-1.5 right-1.5 grid size-11 place-items-center rounded-lg bg-sunken text-muted hover:text-ink"
        onClick={() => {
          void copyText(code).then(setCopied);
        }}
      >
        {isCopied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
      </button>
    </div>
  );
}
