/** schema.org types. */
type PageKind = "WebApplication" | "WebPage" | "FAQPage" | "ContactPage" | "AboutPage";

export interface SitePage {
  path: string;
  /** The title of a page without an SEO record. */
  name: string;
  kind: PageKind;
}

/** Indexable pages, in the order of the sitemap. */
export const SITE_PAGES: readonly SitePage[] = [
  { path: "/", name: "Home", kind: "WebApplication" },
  { path: "/features", name: "Features", kind: "FAQPage" },
  { path: "/pricing", name: "Pricing", kind: "WebPage" },
  { path: "/chunked-upload", name: "Large File Upload", kind: "WebPage" },
  { path: "/direct-upload", name: "Direct-to-S3 Upload", kind: "WebPage" },
  { path: "/developers", name: "Developers", kind: "WebPage" },
  { path: "/about", name: "About", kind: "AboutPage" },
  { path: "/contact", name: "Contact", kind: "ContactPage" },
  { path: "/privacy", name: "Privacy Policy", kind: "WebPage" },
  { path: "/terms", name: "Terms of Service", kind: "WebPage" },
];

/** Disallowed in robots.txt. Download pages are not listed, because robots must be able to read their `noindex`. */
export const PRIVATE_PATHS = ["/account", "/admin", "/api/", "/dashboard", "/dev/"] as const;

/** Finds a page by its path. Trailing slashes are ignored. */
export function findSitePage(pathname: string): SitePage | null {
  const path = pathname.replace(/\/+$/, "") || "/";
  return SITE_PAGES.find((page) => page.path === path) ?? null;
}

/**
 * Whether the page belongs to a link to files, or to an upload request. Such pages have their own security policy, so a
 * navigation to or from one loads a new document. Upper case counts as lower case, as in Remix's routes.
 */
export function isLinkPage(pathname: string): boolean {
  return /^\/(download|r)\/./i.test(pathname);
}

/**
 * Whether the page is an upload request's, which sends to storage. The pages of all other links must not send to
 * storage.
 */
export function isRequestPage(pathname: string): boolean {
  return /^\/r\/./i.test(pathname);
}

/** Paths of pages that end in an id or a token of known length. */
const LINKS = [
  /^\/(?:download|r)\/[\w-]{22}/i,
  /^\/delete\/[\da-f-]{36}\/[\w-]{43}/i,
  /^\/objection\/[\w-]{43}/i,
  /^\/unsubscribe\/[a-z]{1,16}\.[\w-]{1,64}\.[\w-]{43}/i,
];

/**
 * Removes text that was pasted after a link: the end of a sentence, a bracket, an invisible space.
 * @param path of a URL, percent-encoded
 * @returns the link's path; null if no text follows the link, or for a path of another page
 */
export function linkWithoutEnding(path: string): string | null {
  for (const pattern of LINKS) {
    const [link] = pattern.exec(path) ?? [];
    if (link === undefined) continue;
    const ending = path.slice(link.length);
    // Remix reads a page's data at `.data`. After `%23` stands the key of a sealed link, and the page itself restores
    // the `#`.
    return ending === "" || ending === ".data" || ending.includes("%23") ? null : link;
  }
  return null;
}
