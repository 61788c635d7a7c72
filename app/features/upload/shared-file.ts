import { useSearchParams } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** Search parameter of the home page that says a file is waiting; its value does not matter. */
const SHARED_PARAM = "shared";
/** Where public/share-worker.js leaves the file. */
const CACHE = "shared-file";
const KEY = "/share/file";

/**
 * Hands over, once, a file that another app has shared with the installed site. The service worker that takes such files
 * is set up here too, for the next time.
 */
export function useSharedFile(onFile: (file: File) => void): void {
  const [search, setSearch] = useSearchParams();
  const isShared = search.has(SHARED_PARAM);
  const latest = useRef(onFile);
  useEffect(() => {
    latest.current = onFile;
  });

  useEffect(() => {
    // Absent where the page is not served securely, and in some private windows.
    if (!("serviceWorker" in navigator)) return;
    navigator.serviceWorker.register("/share-worker.js", { scope: "/share" }).catch(() => undefined);
  }, []);

  useEffect(() => {
    if (!isShared) return;
    void takeSharedFile().then((file) => {
      if (file) latest.current(file);
    });
    setSearch(
      (now) => {
        now.delete(SHARED_PARAM);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [isShared, setSearch]);
}

/** @returns the file, which is not kept any longer; null where none was left */
async function takeSharedFile(): Promise<File | null> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(KEY);
  // Whoever deletes it has it: another tab may ask at the same time.
  if (!kept || !(await cache.delete(KEY))) return null;
  const name = decodeURIComponent(kept.headers.get("x-name") ?? "file");
  const lastModified = Number(kept.headers.get("x-last-modified"));
  return new File([await kept.blob()], name, { type: kept.headers.get("content-type") ?? "", lastModified });
}
