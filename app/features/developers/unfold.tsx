import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

interface UnfoldProps {
  title: string;
  className: string;
  children: ReactNode;
}

/** Shows its content after a click, without scripts too. */
export function Unfold({ title, className, children }: UnfoldProps) {
  return (
    <details className={`group ${className}`}>
      <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-2 font-medium [&::-webkit-details-marker]:hidden">
        {title}
        <ChevronDown size={18} aria-hidden className="text-muted transition-transform group-open:rotate-180" />
      </summary>
      {children}
    </details>
  );
}
