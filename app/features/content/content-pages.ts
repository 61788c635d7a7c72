import type { MessageName } from "#messages/messages.ts";

/** Messages from the "common" group, so that the root can show them if a page fails to load. */
interface ContentPage {
  title: MessageName<"common">;
  failure: MessageName<"common">;
}

export const CONTENT_PAGES = {
  "/terms": { title: "termsTitle", failure: "termsFailed" },
  "/privacy": { title: "privacyTitle", failure: "privacyFailed" },
  "/about": { title: "about", failure: "aboutFailed" },
} as const satisfies Record<string, ContentPage>;

export type ContentPath = keyof typeof CONTENT_PAGES;

export function findContentPage(pathname: string): (typeof CONTENT_PAGES)[ContentPath] | null {
  return pathname in CONTENT_PAGES ? CONTENT_PAGES[pathname as ContentPath] : null;
}
