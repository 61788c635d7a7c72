/**
 * Whether the page shows what a link leads to. Its address may hold a key, so its policy is stricter.
 * Routes match without case.
 */
export function isLinkPage(pathname: string): boolean {
  return /^\/download\/./i.test(pathname);
}
