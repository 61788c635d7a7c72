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
