import { Link } from "@remix-run/react";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";

export function EditLink({ tab, id, name }: { tab: "seo" | "content"; id: string; name: string }) {
  const t = useMessages("adminRecords");
  return (
    <Link
      to={`?${new URLSearchParams({ tab, edit: id })}`}
      aria-label={t("editRecord", { record: name })}
      className={`${buttonClass("quiet")} px-3! py-1! text-sm pointer-fine:min-h-9!`}
    >
      {t("edit")}
    </Link>
  );
}

export function NewLink({ tab, children }: { tab: "seo" | "content"; children: ReactNode }) {
  return (
    <Link to={`?${new URLSearchParams({ tab, edit: "new" })}`} className={buttonClass()}>
      <Plus size={18} aria-hidden />
      {children}
    </Link>
  );
}
