import { NavLink } from "@remix-run/react";
import clsx from "clsx";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { tabClass } from "#app/ui/tab-classes.ts";

/** Leads from one page of the dashboard to the others. */
export function DashboardTabs() {
  const t = useMessages("dashboard");
  const tab = (to: string, label: string) => (
    <NavLink to={to} end className={clsx(tabClass, "flex items-center justify-center")}>
      {label}
    </NavLink>
  );
  return (
    <nav aria-label={t("tabs")} className="mb-6 grid max-w-md grid-cols-3 gap-1 rounded-xl bg-sunken p-1">
      {tab("/dashboard", t("files"))}
      {tab("/dashboard/received", t("received"))}
      {tab("/dashboard/requests", t("requests"))}
    </nav>
  );
}
