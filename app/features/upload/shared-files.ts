import { useSearchParams } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** The home page has this search parameter after a share; its value does not matter. */
const SHARED_PARAM = "shared";
/** The cache entry in which public/share-worker.js stores the file. */
const CACHE_NAME = "shared-file";
const CACHE_KEY = "/share/file";

/** Calls `onFile` once for a file that another app shared, and registers the service worker for the next one. */
export function useSharedFile(onFile: (file: File) => void): void {
  const [search, setSearch] = useSearchParams();
  const isShared = search.has(SHARED_PARAM);
  const latestOnFile = useRef(onFile);
  useEffect(() => {
    latestOnFile.current = onFile;
  });

  useEffect(() => {
    // Missing without TLS and in some private windows.
    if (!("serviceWorker" in navigator)) return;
    navigator.serviceWorker.register("/share-worker.js", { scope: "/share" }).catch(() => undefined);
  }, []);

  useEffect(() => {
    if (!isShared) return;
    void takeSharedFile().then((file) => {
      if (file) latestOnFile.current(file);
    });
    setSearch(
      (params) => {
        params.delete(SHARED_PARAM);
        return params;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [isShared, setSearch]);
}

/** Removes the file from the cache and returns it; null if there is none. */
async function takeSharedFile(): Promise<File | null> {
  const cache = await caches.open(CACHE_NAME);
  const response = await cache.match(CACHE_KEY);
  // Another tab may take it at the same time: only the one that deletes it gets it.
  if (!response || !(await cache.delete(CACHE_KEY))) return null;
  const name = decodeURIComponent(response.headers.get("x-name") ?? "file");
  const lastModified = Number(response.headers.get("x-last-modified"));
  return new File([await response.blob()], name, { type: response.headers.get("content-type") ?? "", lastModified });
}
