/**
 * What the build puts at the top of the site: files, and `/cli`, which `_redirects` leads elsewhere. A file that somebody
 * sends may have the same name. Assets answer before the Worker runs, a PUT to a file with 405 and one to `/cli` with 302.
 * So the Worker runs first at these addresses (`run_worker_first` in wrangler.toml), and asks the assets for the rest.
 */
export const BUILT_FILES = [
  "/apple-touch-icon.png",
  "/cli",
  "/favicon.ico",
  "/favicon.svg",
  "/icon-192.png",
  "/icon-512.png",
  "/icon-maskable-512.png",
  "/mayfly-open.mjs",
  "/og.png",
  "/open-worker.js",
  "/release.json",
  "/send.sh",
  "/share-worker.js",
] as const;

/** Whether the request reads one of these. */
export function readsBuiltFile(method: string, path: string): boolean {
  return method !== "PUT" && BUILT_FILES.some((file) => file === path);
}
