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

/** Disallowed in robots.txt. Download pages are not listed: robots must be able to read their `noindex`. */
export const PRIVATE_PATHS = ["/account", "/admin", "/api/", "/dashboard", "/dev/"] as const;

/** Ignores trailing slashes. */
export function findSitePage(pathname: string): SitePage | null {
  const path = pathname.replace(/\/+$/, "") || "/";
  return SITE_PAGES.find((page) => page.path === path) ?? null;
}

/**
 * Whether the page shows what a link leads to: files, or an upload request. Its policy is its own, so the pages before and
 * after it are loaded as documents of their own. Routes match without case.
 */
export function isLinkPage(pathname: string): boolean {
  return /^\/(download|r)\/./i.test(pathname);
}

/** Whether the page takes files for somebody else: it sends to storage, which other links' pages must not. */
export function isRequestPage(pathname: string): boolean {
  return /^\/r\/./i.test(pathname);
}

/** Paths of pages that end in an id or a token, whose lengths are known. */
const LINKS = [
  /^\/(?:download|r)\/[\w-]{22}/i,
  /^\/delete\/[\da-f-]{36}\/[\w-]{43}/i,
  /^\/unsubscribe\/[a-z]{1,16}\.[\w-]{1,64}\.[\w-]{43}/i,
];

/**
 * What is pasted is often more than the link: the end of a sentence, a bracket, a space that nobody sees.
 * @param path of a URL, percent-encoded
 * @returns the link's path; null where nothing is behind it, or its path is none of these pages'
 */
export function linkWithoutEnding(path: string): string | null {
  for (const pattern of LINKS) {
    const [link] = pattern.exec(path) ?? [];
    if (link === undefined) continue;
    const ending = path.slice(link.length);
    // Remix reads a page's data there. Behind `%23` is the key of an encrypted link, which its page puts back.
    return ending === "" || ending === ".data" || ending.includes("%23") ? null : link;
  }
  return null;
}
