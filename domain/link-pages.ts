/** Whether the page shows what a link leads to. Its address may hold a key, so its policy is stricter. */
export function isLinkPage(pathname: string): boolean {
  return /^\/download\/./.test(pathname);
}
