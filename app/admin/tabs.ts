/** The dashboard's tabs (specification 2 section 2), and ours after them. The first is open where the address names none. */
export const TABS = [
  { id: "users", label: "Users", failure: "Failed to load users" },
  { id: "expired", label: "Expired Files", failure: "Failed to load expired files" },
  { id: "contact", label: "Contact", failure: "Error Loading Submissions" },
  { id: "seo", label: "SEO", failure: "Failed to load SEO content" },
  { id: "content", label: "Content", failure: "Failed to load page content" },
  { id: "reports", label: "Reports", failure: "Failed to load reports" },
  { id: "overview", label: "Overview", failure: "Failed to load the overview" },
  { id: "uploads", label: "Uploads", failure: "Failed to load the uploads log" },
  { id: "audit", label: "Audit", failure: "Failed to load the audit log" },
  { id: "sweep", label: "Sweep", failure: "Failed to load the sweep's runs" },
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
export function failureOf(tab: TabId): { title: string; text: string } {
  if (tab === "files") {
    return { title: "Failed to load files. Please try again.", text: "There was a problem fetching file data." };
  }
  const known = TABS.find(({ id }) => id === tab) ?? TABS[0];
  return { title: known.failure, text: "Please try again in a moment." };
}
