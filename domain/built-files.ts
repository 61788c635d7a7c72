/**
 * The files that the build puts at the top of the site. A person may upload a file of the same name, by a PUT to the
 * same address, but Cloudflare's static assets answer a PUT with 405. So the Worker runs first at these addresses
 * (`run_worker_first` in wrangler.toml), and passes all methods but PUT on to the assets.
 */
export const BUILT_FILES = [
  "/apple-touch-icon.png",
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

/** Whether the request reads one of `BUILT_FILES`. */
export function readsBuiltFile(method: string, path: string): boolean {
  return method !== "PUT" && BUILT_FILES.some((file) => file === path);
}
