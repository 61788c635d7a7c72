import { feedMessage, type DownloadNews, type FeedMessage, type News } from "#domain/wire.ts";
import { LiveSocket } from "#engine/live-socket.ts";
import { accountLive } from "./live.ts";

export interface FeedState {
  /** Oldest first. */
  downloads: readonly DownloadNews[];
  /** What has changed. */
  changed: readonly News[];
  /** `changed` happened while the page was open; else it is what the server remembered. */
  isNew: boolean;
}

export type FeedListener = (state: FeedState) => void;

const listeners = new Set<FeedListener>();
let downloads: readonly DownloadNews[] = [];
let socket: LiveSocket<FeedMessage> | null = null;

/** One socket serves all of a page; it closes when the last listener leaves. @returns leaves */
export function joinFeed(listener: FeedListener): () => void {
  listeners.add(listener);
  socket ??= connect();
  listener({ downloads, changed: downloads, isNew: false });
  return () => {
    listeners.delete(listener);
    // The next page may join meanwhile.
    setTimeout(closeUnused);
  };
}

function closeUnused(): void {
  if (listeners.size > 0) return;
  socket?.close();
  socket = null;
  downloads = [];
}

function connect(): LiveSocket<FeedMessage> {
  let isFirst = true;
  const opened: LiveSocket<FeedMessage> = new LiveSocket(
    accountLive(() => opened.close()),
    "",
    feedMessage,
    {
      onOpen: () => {
        isFirst = true;
      },
      onMessage: ({ news }) => {
        if (socket === opened) hear(news, !isFirst);
        isFirst = false;
      },
    },
  );
  return opened;
}

/** The end of a download may have been missed while there was no connection: what the server does not remember is dropped. */
function hear(news: readonly News[], isNew: boolean): void {
  const told = news.filter((item) => item.type === "download");
  const ids = new Set(told.map(({ id }) => id));
  const others = downloads.filter(({ id, state }) => !ids.has(id) && (isNew || state !== "running"));
  const gone = downloads.filter(({ id }) => !ids.has(id) && !others.some((other) => other.id === id));
  downloads = [...others, ...told];
  for (const listener of listeners) listener({ downloads, changed: [...news, ...gone], isNew });
}
