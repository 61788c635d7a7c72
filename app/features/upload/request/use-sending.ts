import { useCallback, useEffect, useRef, useState } from "react";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { DroppedItem } from "../dropped-items.ts";
import type { TransferView } from "../transfer/transfer-view.ts";
import { readKeptSending, type KeptSending } from "./kept-sending.ts";
import type { RequestUpload } from "./sending.client.ts";

interface CurrentSending {
  /** Null until the scripts for sending are loaded. */
  sending: RequestUpload | null;
  view: TransferView;
}

interface UseSending {
  /** Null while nothing is chosen. */
  current: CurrentSending | null;
  /** The unfinished upload that this browser has begun; null for none. */
  kept: KeptSending | null;
  /** Goes on with the unfinished upload, or begins a new one. */
  open(items: readonly DroppedItem[]): void;
  /** Returns to the choice of files. The server keeps the files that have arrived. */
  reset(): void;
  /** Deletes the stored files of the unfinished upload. */
  discard(): Promise<void>;
}

const loadSending = () => importWhenOnline(() => import("./sending.client.ts"));

/**
 * What this page is sending into its upload request, with the functions that begin, leave or discard it.
 * `currentUpload` has the upload that the home page or an upload page started.
 */
export function useSending(token: string, grant: string | null): UseSending {
  const [current, setCurrent] = useState<CurrentSending | null>(null);
  const [kept, setKept] = useState<KeptSending | null>(null);
  const opened = useRef(0);
  const isSending = current?.view.phase === "sending";

  const refreshKept = useCallback(() => setKept(readKeptSending(token)), [token]);
  useEffect(() => {
    const found = readKeptSending(token);
    if (!found) return;
    // Asks whether the server still has the unfinished upload.
    loadSending()
      .then(({ isStillThere }) => isStillThere(token, found))
      .catch(() => true)
      .then((isThere) => setKept(isThere ? found : null))
      .catch(() => undefined);
  }, [token]);

  useEffect(() => {
    if (!isSending) return;
    const confirmLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", confirmLeaving);
    return () => removeEventListener("beforeunload", confirmLeaving);
  }, [isSending]);

  const open = (items: readonly DroppedItem[]) => {
    opened.current += 1;
    const number = opened.current;
    setCurrent({ sending: null, view: { phase: "reading" } });
    loadSending().then(
      ({ RequestUpload: Opened }) => {
        if (opened.current !== number) return;
        const sending = new Opened({ token, grant, kept }, items, (view) => {
          if (opened.current === number) setCurrent({ sending, view });
        });
        setCurrent({ sending, view: sending.transfer.view });
      },
      (error: unknown) => {
        console.error("the scripts for sending could not be loaded", error);
        if (opened.current === number) setCurrent(null);
      },
    );
  };
  const reset = () => {
    opened.current += 1;
    current?.sending?.transfer.leave();
    setCurrent(null);
    refreshKept();
  };
  const discard = async () => {
    if (!kept) return;
    const { discardKept } = await loadSending();
    await discardKept(token, kept);
    refreshKept();
  };
  return { current, kept, open, reset, discard };
}
