import { Link, useLocation } from "@remix-run/react";
import { ArrowLeft } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";

/** What a link to somebody's files carries: the users as they were shown. */
export interface FromUsers {
  users: string;
}

/** Leads to the users as they were left. */
export function BackToUsers() {
  const t = useMessages("admin");
  const state: unknown = useLocation().state;
  return (
    <Link to={isFromUsers(state) ? state.users : "?tab=users"} className={`${buttonClass("quiet")} mb-4`}>
      <ArrowLeft size={18} aria-hidden />
      {t("backToUsers")}
    </Link>
  );
}

function isFromUsers(state: unknown): state is FromUsers {
  return typeof state === "object" && state !== null && "users" in state && typeof state.users === "string";
}
