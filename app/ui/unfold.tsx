import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

interface UnfoldProps {
  title: string;
  className?: string;
  /** Needs `onToggle`. For a parent that opens the content itself, such as a form with an error inside. */
  open?: boolean;
  onToggle?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** Shows its content after a click on the title, without scripts too. */
export function Unfold({ title, className = "", open, onToggle, children }: UnfoldProps) {
  return (
    <details
      className={`group ${className}`}
      open={open}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
    >
      <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-2 font-medium [&::-webkit-details-marker]:hidden">
        {title}
        <ChevronDown size={18} aria-hidden className="text-muted transition-transform group-open:rotate-180" />
      </summary>
      {children}
    </details>
  );
}
