import { Link } from "@remix-run/react";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";

/** Opens a row's form. @param what the row, for assistive technology */
export function EditLink({ tab, id, what }: { tab: "seo" | "content"; id: string; what: string }) {
  const t = useMessages("adminRecords");
  return (
    <Link
      to={`?${new URLSearchParams({ tab, edit: id })}`}
      aria-label={t("editRecord", { record: what })}
      className={`${buttonClass("quiet")} px-3! py-1! text-sm pointer-fine:min-h-9!`}
    >
      {t("edit")}
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
