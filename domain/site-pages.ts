/** What schema.org calls a page of that kind. */
export type PageKind = "WebApplication" | "WebPage" | "FAQPage" | "ContactPage" | "AboutPage";

export interface SitePage {
  path: string;
  /** What it is called where nothing better is known. */
  name: string;
  kind: PageKind;
}

/** The pages that search engines may list, in the order of the site map. */
export const SITE_PAGES: readonly SitePage[] = [
  { path: "/", name: "Home", kind: "WebApplication" },
  { path: "/features", name: "Features", kind: "FAQPage" },
  { path: "/pricing", name: "Pricing", kind: "WebPage" },
  { path: "/chunked-upload", name: "Large File Upload", kind: "WebPage" },
  { path: "/direct-upload", name: "Direct-to-S3 Upload", kind: "WebPage" },
  { path: "/about", name: "About", kind: "AboutPage" },
  { path: "/contact", name: "Contact", kind: "ContactPage" },
  { path: "/privacy", name: "Privacy Policy", kind: "WebPage" },
  { path: "/terms", name: "Terms of Service", kind: "WebPage" },
];

/** What robots are asked to leave alone. Download pages are not here: a robot has to read their `noindex`. */
export const PRIVATE_PATHS = ["/account", "/admin", "/api/", "/dashboard", "/dev/"] as const;

/** The page at that path, whatever slashes it ends in; null where no listed page is. */
export function findSitePage(pathname: string): SitePage | null {
  const path = pathname.replace(/\/+$/, "") || "/";
  return SITE_PAGES.find((page) => page.path === path) ?? null;
}
