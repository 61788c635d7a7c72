import type { MessageName } from "#messages/messages.ts";

/** Names of messages that every page has: the root shows them too, when a page could not be loaded. */
interface ContentPage {
  title: MessageName<"common">;
  /** What is said when its text cannot be loaded (specification 2 section 2). */
  failure: MessageName<"common">;
}

/** The pages whose text has to be fetched, by path. */
export const CONTENT_PAGES = {
  "/terms": { title: "termsTitle", failure: "termsFailed" },
  "/privacy": { title: "privacyTitle", failure: "privacyFailed" },
  "/about": { title: "about", failure: "aboutFailed" },
} as const satisfies Record<string, ContentPage>;

export type ContentPath = keyof typeof CONTENT_PAGES;

/** The content page at that path, or null. */
export function findContentPage(pathname: string): (typeof CONTENT_PAGES)[ContentPath] | null {
  return pathname in CONTENT_PAGES ? CONTENT_PAGES[pathname as ContentPath] : null;
}
