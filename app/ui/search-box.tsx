import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { controlClass } from "./form-field.tsx";

/** Typing is over when nothing was typed for so long. */
const SEARCH_DELAY_MS = 250;

interface SearchBoxProps {
  /** What is searched, for assistive technology. */
  label: string;
  placeholder: string;
  /** What is searched for now. */
  search: string;
  onSearch(search: string): void;
}

/** A field whose text is searched for once typing is over. */
export function SearchBox({ label, placeholder, search, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(search);
  const [sent, setSent] = useState(search);
  const [known, setKnown] = useState(search);
  if (known !== search) {
    setKnown(search);
    // The list was left for another: what was typed here belongs to the former.
    if (search !== sent) setText(search);
  }
  useEffect(() => {
    if (text.trim() === search) return;
    const timer = setTimeout(() => {
      setSent(text.trim());
      onSearch(text.trim());
    }, SEARCH_DELAY_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text, search, onSearch]);
  return (
    <label className="relative min-w-52 flex-1">
      <span className="sr-only">{label}</span>
      <Search size={18} aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 text-muted" />
      <input
        type="search"
        value={text}
        maxLength={100}
        placeholder={placeholder}
        className={`${controlClass} pl-10`}
        onChange={(event) => {
          setText(event.target.value);
        }}
      />
    </label>
  );
}
