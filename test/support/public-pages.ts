/** The pages with an SEO record. */
export const PUBLIC_PAGES = [
  "/",
  "/pricing",
  "/features",
  "/about",
  "/terms",
  "/privacy",
  "/contact",
  "/chunked-upload",
  "/direct-upload",
];
