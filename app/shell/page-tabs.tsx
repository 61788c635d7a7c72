import { NavLink } from "@remix-run/react";
import clsx from "clsx";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { tabClass, tabListClass } from "#app/ui/tab-classes.ts";
import { PageFailed } from "./error-pages.tsx";

const PAGES = {
  account: [
    ["/account", "account"],
    ["/account/security", "security"],
    ["/account/notices", "notices"],
  ],
  dashboard: [
    ["/dashboard", "files"],
    ["/dashboard/received", "received"],
    ["/dashboard/requests", "requests"],
  ],
} as const;

type TabbedPages = keyof typeof PAGES;

/** Links between the pages of the account or of the dashboard. */
export function PageTabs({ of }: { of: TabbedPages }) {
  const t = useMessages("tabs");
  return (
    <nav aria-label={t(`${of}Tabs`)} className={clsx(tabListClass, "grid-cols-3", of === "dashboard" && "max-w-md")}>
      {PAGES[of].map(([to, name]) => (
        <NavLink key={to} to={to} end className={clsx(tabClass, "flex items-center justify-center")}>
          {t(name)}
        </NavLink>
      ))}
    </nav>
  );
}

/** @returns an `ErrorBoundary` that shows the error below the tabs, which lead to pages that may work */
export function failedBelowTabs(of: TabbedPages) {
  return function FailedBelowTabs() {
    return (
      <div className="mx-auto max-w-2xl px-4 py-8 sm:px-6 lg:py-14">
        <PageTabs of={of} />
        <PageFailed />
      </div>
    );
  };
}
