import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "#app/lib/clipboard.ts";
import { Button } from "./button.tsx";
import { controlClass } from "./form-field.tsx";

interface CopyFieldProps {
  label: string;
  value: string;
  /** The button's label before and after copying. */
  words: { copy: string; copied: string };
  /** Adds `label` to the button's accessible name, for pages with several copy buttons. */
  isNamed?: boolean;
  onCopied(hasWorked: boolean): void;
}

/** A text that is hard to type, with a button that copies it. */
export function CopyField({ label, value, words, isNamed, onCopied }: CopyFieldProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const hasWorked = await copyText(value);
    setCopied(hasWorked);
    onCopied(hasWorked);
  };
  const word = isCopied ? words.copied : words.copy;
  return (
    <div className="flex gap-2">
      <input
        readOnly
        aria-label={label}
        value={value}
        className={controlClass}
        onFocus={({ target }) => target.select()}
      />
      <Button className="shrink-0" aria-label={isNamed ? `${word}: ${label}` : undefined} onClick={() => void copy()}>
        {isCopied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
        {word}
      </Button>
    </div>
  );
}
