interface ContentPage {
  title: string;
  /** What is said when its text cannot be loaded (specification 2 section 2). */
  failure: string;
}

/** The pages whose text has to be fetched, by path. */
export const CONTENT_PAGES = {
  "/terms": {
    title: "Terms of Service",
    failure: "The Terms of Service could not be loaded. Please try refreshing the page.",
  },
  "/privacy": {
    title: "Privacy Policy",
    failure: "The Privacy Policy could not be loaded. Please try refreshing the page.",
  },
  "/about": {
    title: "About",
    failure: "The About page could not be loaded. Please try refreshing the page.",
  },
} as const satisfies Record<string, ContentPage>;

export type ContentPath = keyof typeof CONTENT_PAGES;

/** The content page at that path, or null. */
export function findContentPage(pathname: string): ContentPage | null {
  return pathname in CONTENT_PAGES ? CONTENT_PAGES[pathname as ContentPath] : null;
}
