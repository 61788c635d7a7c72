import { NavLink } from "@remix-run/react";
import clsx from "clsx";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { tabClass, tabListClass } from "#app/ui/tab-classes.ts";

/** Lead from one page of the account to the others. */
export function AccountTabs() {
  const t = useMessages("security");
  const tab = (to: string, label: string) => (
    <NavLink to={to} end className={clsx(tabClass, "flex items-center justify-center")}>
      {label}
    </NavLink>
  );
  return (
    <nav aria-label={t("tabs")} className={clsx(tabListClass, "grid-cols-3")}>
      {tab("/account", t("accountTab"))}
      {tab("/account/security", t("securityTab"))}
      {tab("/account/notices", t("noticesTab"))}
    </nav>
  );
}
