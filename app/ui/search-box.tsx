import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { controlClass } from "./form-field.tsx";

const SEARCH_DELAY_MS = 250;

interface SearchBoxProps {
  label: string;
  placeholder: string;
  search: string;
  onSearch(search: string): void;
}

export function SearchBox({ label, placeholder, search, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(search);
  const [ownSearch, setOwnSearch] = useState(search);
  const [lastSearch, setLastSearch] = useState(search);
  if (lastSearch !== search) {
    setLastSearch(search);
    // The URL's search was changed elsewhere, for example by navigating back.
    if (search !== ownSearch) setText(search);
  }
  useEffect(() => {
    if (text.trim() === search) return;
    const timer = setTimeout(() => {
      setOwnSearch(text.trim());
      onSearch(text.trim());
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
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
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  );
}
