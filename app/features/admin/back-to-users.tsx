import { Link, useLocation } from "@remix-run/react";
import { ArrowLeft } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";

export interface UsersLinkState {
  users: string;
}

/** Restores the search, order and page that the users list had. */
export function BackToUsers() {
  const t = useMessages("admin");
  const state: unknown = useLocation().state;
  return (
    <Link to={isUsersLinkState(state) ? state.users : "?tab=users"} className={`${buttonClass("quiet")} mb-4`}>
      <ArrowLeft size={18} aria-hidden />
      {t("backToUsers")}
    </Link>
  );
}

function isUsersLinkState(state: unknown): state is UsersLinkState {
  return typeof state === "object" && state !== null && "users" in state && typeof state.users === "string";
}
