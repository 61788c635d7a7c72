import { useEffect, useMemo, useState } from "react";
import { call } from "#app/lib/api.ts";
import { ENTRIES_PER_CALL } from "#domain/transfers/limits.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { ListedEntries, ListedEntry } from "#domain/wire.ts";
import { pause } from "#engine/timing.ts";
import type { DownloadView } from "#worker/page-types.ts";
import type { StoredStreams } from "./sealed-files.ts";

const RETRY_MS = 3 * SECOND_MS;

/** The server's sizes of the link's streams, to check the manifest, and their pictures. @returns null until all are loaded */
export function useStoredStreams(
  downloadId: string,
  { info, list }: DownloadView & { kind: "file" },
): StoredStreams | null {
  const { size, followUrl } = info;
  const isWhole = list === null || list.entries.length >= list.total;
  const [loaded, setLoaded] = useState<readonly ListedEntry[] | null>(null);
  useEffect(() => {
    if (isWhole || list === null) return;
    const life = new AbortController();
    loadRest(downloadId, list, life.signal).then(setLoaded, () => undefined);
    return () => life.abort();
  }, [downloadId, isWhole, list]);
  return useMemo(() => {
    if (list === null) {
      const followed = new Map(followUrl === undefined ? [] : [[0, followUrl] as const]);
      return { bytes: new Map([[0, size]]), last: 0, followed, pictures: new Map() };
    }
    const entries = isWhole ? list.entries : loaded;
    return (
      entries && {
        bytes: new Map(entries.map((entry) => [entry.n, entry.size])),
        last: entries.at(-1)?.n ?? -1,
        followed: new Map(entries.flatMap((entry) => (entry.followUrl ? [[entry.n, entry.followUrl] as const] : []))),
        pictures: new Map(entries.flatMap(({ n, picture }) => (picture ? [[n, picture]] : []))),
      }
    );
  }, [list, size, followUrl, isWhole, loaded]);
}

/** Repeats failed calls. @throws DOMException when aborted */
async function loadRest(downloadId: string, first: ListedEntries, signal: AbortSignal): Promise<ListedEntry[]> {
  const entries = [...first.entries];
  for (;;) {
    const from = (entries.at(-1)?.n ?? -1) + 1;
    try {
      const more = await call("GET /api/files/download/:downloadId/entries", {
        params: { downloadId },
        query: { from: String(from) },
        signal,
      });
      entries.push(...more.entries);
      if (more.entries.length < ENTRIES_PER_CALL) return entries;
    } catch {
      await pause(RETRY_MS, signal);
    }
  }
}
