import { useEffect, useRef } from "react";
import { SECOND_MS } from "#domain/units.ts";
import type { ReceivedNews } from "#domain/wire.ts";
import type { FeedListener } from "./account-feed.client.ts";
import { importWhenOnline } from "./script-loading/scripts.ts";

/** Calls `listener` with news of the account's links while mounted. Loads the socket's script lazily. */
export function useAccountFeed(listener: FeedListener): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    let hasLeft = false;
    let leave: (() => void) | null = null;
    void importWhenOnline(() => import("./account-feed.client.ts")).then(({ joinFeed }) => {
      if (hasLeft) return;
      leave = joinFeed((state) => latest.current(state));
    });
    return () => {
      hasLeft = true;
      leave?.();
    };
  }, []);
}

/** @param onReceived called for each upload that arrives through an upload request while the page is open */
export function useReceivedNews(onReceived: (news: ReceivedNews) => void): void {
  useAccountFeed(({ changed, isNew }) => {
    if (!isNew) return;
    for (const news of changed) if (news.type === "received") onReceived(news);
  });
}

/** A download is counted a second or two after its end (decision 053). */
const COUNTED_AFTER_MS = 3 * SECOND_MS;

/** @param onDone called when downloads that ended while the page is open should be counted */
export function useDownloadsDone(onDone: () => void): void {
  const latest = useRef(onDone);
  useEffect(() => {
    latest.current = onDone;
  });
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const hasMore = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const callLater = () => {
    hasMore.current = timer.current !== undefined;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
      if (hasMore.current) callLater();
    }, COUNTED_AFTER_MS);
  };
  useAccountFeed(({ changed, isNew }) => {
    if (isNew && changed.some(({ type, state }) => type === "download" && state === "done")) callLater();
  });
}
