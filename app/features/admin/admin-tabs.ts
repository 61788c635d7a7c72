import type { Translate } from "#messages/translate.ts";

/**
 * The tabs in display order. The first five tabs and their order are specified (decision 024). The first is the
 * default.
 */
export const TABS = [
  { id: "users", label: "usersTab", failure: "usersFailed" },
  { id: "expired", label: "expiredTab", failure: "expiredFailed" },
  { id: "contact", label: "contactTab", failure: "contactFailed" },
  { id: "seo", label: "seoTab", failure: "seoFailed" },
  { id: "content", label: "contentTab", failure: "contentFailed" },
  { id: "queue", label: "queueTab", failure: "queueFailed" },
  { id: "reports", label: "reportsTab", failure: "reportsFailed" },
  { id: "overview", label: "overviewTab", failure: "overviewFailed" },
  { id: "uploads", label: "uploadsTab", failure: "uploadsFailed" },
  { id: "audit", label: "auditTab", failure: "auditFailed" },
  { id: "blocked", label: "blockedTab", failure: "blockedFailed" },
  { id: "sweep", label: "sweepTab", failure: "sweepFailed" },
] as const;

/** The id of a tab. "files" shows one user's files, and is opened from the users tab. */
export type TabId = (typeof TABS)[number]["id"] | "files";

export function activeTab(params: URLSearchParams): TabId {
  const named = params.get("tab");
  if (named === "files" && params.has("user")) return "files";
  return TABS.find(({ id }) => id === named)?.id ?? "users";
}

export function tabErrorMessages(tab: TabId, t: Translate<"admin">): { title: string; text: string } {
  if (tab === "files") return { title: t("filesFailed"), text: t("filesFailedHelp") };
  const known = TABS.find(({ id }) => id === tab) ?? TABS[0];
  return { title: t(known.failure), text: t("tryAgain") };
}
