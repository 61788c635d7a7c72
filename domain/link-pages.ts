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
