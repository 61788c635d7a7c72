import type { Translate } from "#messages/translate.ts";

/**
 * The dashboard's tabs (specification 2 section 2), and ours after them, with the messages that name them. The first is open
 * where the address names none.
 */
export const TABS = [
  { id: "users", label: "usersTab", failure: "usersFailed" },
  { id: "expired", label: "expiredTab", failure: "expiredFailed" },
  { id: "contact", label: "contactTab", failure: "contactFailed" },
  { id: "seo", label: "seoTab", failure: "seoFailed" },
  { id: "content", label: "contentTab", failure: "contentFailed" },
  { id: "reports", label: "reportsTab", failure: "reportsFailed" },
  { id: "overview", label: "overviewTab", failure: "overviewFailed" },
  { id: "uploads", label: "uploadsTab", failure: "uploadsFailed" },
  { id: "audit", label: "auditTab", failure: "auditFailed" },
  { id: "sweep", label: "sweepTab", failure: "sweepFailed" },
] as const;

/** A tab, or a user's files, which are reached from the users and left for them. */
export type TabId = (typeof TABS)[number]["id"] | "files";

/** What the address says. */
export function tabIn(params: URLSearchParams): TabId {
  const named = params.get("tab");
  if (named === "files" && params.has("user")) return "files";
  return TABS.find(({ id }) => id === named)?.id ?? "users";
}

/** The text of a list that could not be loaded (specification 2 section 8). */
export function failureOf(tab: TabId, t: Translate<"admin">): { title: string; text: string } {
  if (tab === "files") return { title: t("filesFailed"), text: t("filesFailedHelp") };
  const known = TABS.find(({ id }) => id === tab) ?? TABS[0];
  return { title: t(known.failure), text: t("tryAgain") };
}
