import { Link } from "@remix-run/react";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "../ui/button.tsx";

/** Opens a row's form. @param what the row, for assistive technology */
export function EditLink({ tab, id, what }: { tab: "seo" | "content"; id: string; what: string }) {
  return (
    <Link
      to={`?${new URLSearchParams({ tab, edit: id })}`}
      aria-label={`Edit ${what}`}
      className={`${buttonClass("quiet")} px-3! py-1! text-sm pointer-fine:min-h-9!`}
    >
      Edit
    </Link>
  );
}

/** Opens an empty form. */
export function NewLink({ tab, children }: { tab: "seo" | "content"; children: ReactNode }) {
  return (
    <Link to={`?${new URLSearchParams({ tab, edit: "new" })}`} className={buttonClass()}>
      <Plus size={18} aria-hidden />
      {children}
    </Link>
  );
}
