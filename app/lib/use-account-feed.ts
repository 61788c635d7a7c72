import { useEffect, useRef } from "react";
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

/** @param onDone called when downloads have been counted while the page is open */
export function useDownloadsDone(onDone: () => void): void {
  useAccountFeed(({ changed, isNew }) => {
    if (isNew && changed.some(({ type, state }) => type === "download" && state === "done")) onDone();
  });
}
