import { useSearchParams } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";

/** The home page has this search parameter after a share; its value does not matter. */
const SHARED_PARAM = "shared";

/** Calls `onFiles` once for files that another app shared, and registers the service worker for the next ones. */
export function useSharedFiles(onFiles: (files: File[]) => void): void {
  const [search, setSearch] = useSearchParams();
  const isShared = search.has(SHARED_PARAM);
  const latestOnFiles = useRef(onFiles);
  useEffect(() => {
    latestOnFiles.current = onFiles;
  });

  useEffect(() => {
    // Missing without TLS and in some private windows.
    if (!("serviceWorker" in navigator)) return;
    navigator.serviceWorker.register("/share-worker.js", { scope: "/share" }).catch(() => undefined);
  }, []);

  useEffect(() => {
    if (!isShared) return;
    void importWhenOnline(() => import("./take-shared-files.client.ts")).then(async ({ takeSharedFiles }) => {
      latestOnFiles.current(await takeSharedFiles());
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
