import { useRevalidator } from "@remix-run/react";
import { useContext, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { call } from "#app/lib/api.ts";
import type { Runs } from "#domain/transfers/runs.ts";
import type { ListedEntries } from "#domain/wire.ts";
import { changesPage } from "../changes-page.ts";
import { SealedPageContext } from "../sealed/sealed-context.ts";
import { EntryList, type EntryListSnapshot } from "./entry-list.ts";

/**
 * @param first the beginning of the list, as the page was loaded @param stored null once the transfer is ready
 * @returns the list, and what of it is drawn
 */
export function useEntryList(
  downloadId: string,
  first: ListedEntries,
  stored: Runs | null,
): [EntryList, EntryListSnapshot] {
  const { revalidate } = useRevalidator();
  const isSealed = useContext(SealedPageContext) !== null;
  const [list] = useState(
    () =>
      new EntryList(first, stored, async (from) => {
        // All of it is in the manifest; more comes with the next one.
        if (isSealed) return { entries: [], total: 0 };
        try {
          return await call("GET /api/files/download/:id/entries", {
            params: { id: downloadId },
            query: { from: String(from) },
          });
        } catch (error) {
          if (changesPage(error)) revalidate();
          throw error;
        }
      }),
  );
  useEffect(() => list.open(), [list]);
  const shown = useRef(first);
  useEffect(() => {
    if (shown.current === first) return;
    shown.current = first;
    void list.refresh(first, stored);
  }, [list, first, stored]);
  const snapshot = useSyncExternalStore(list.subscribe, list.snapshot, list.snapshot);
  return [list, snapshot];
}
