import { feedMessage, type DownloadNews, type FeedMessage, type News } from "#domain/wire.ts";
import { LiveSocket } from "#engine/live-socket.ts";
import { accountLive } from "./live.ts";

export interface FeedState {
  /** All known downloads, oldest first. */
  downloads: readonly DownloadNews[];
  /** The news since the listener's previous call. */
  changed: readonly News[];
  /** Whether `changed` happened while the page was open. False for earlier news that the server remembered. */
  isNew: boolean;
}

export type FeedListener = (state: FeedState) => void;

const listeners = new Set<FeedListener>();
let downloads: readonly DownloadNews[] = [];
let socket: LiveSocket<FeedMessage> | null = null;

/**
 * A page's listeners share one socket, which closes when the last listener is removed. @returns a function that removes
 * the listener
 */
export function joinFeed(listener: FeedListener): () => void {
  listeners.add(listener);
  socket ??= connect();
  listener({ downloads, changed: downloads, isNew: false });
  return () => {
    listeners.delete(listener);
    // Waits one turn of the event loop, because the next page may join in the same turn.
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

/**
 * Notes the news and tells the listeners. After a reconnection, drops running downloads that the server's first message
 * does not name, because they ended while the browser was offline.
 */
function hear(news: readonly News[], isNew: boolean): void {
  const told = news.filter((item) => item.type === "download");
  const ids = new Set(told.map(({ id }) => id));
  const others = downloads.filter(({ id, state }) => !ids.has(id) && (isNew || state !== "running"));
  const gone = downloads.filter(({ id }) => !ids.has(id) && !others.some((other) => other.id === id));
  downloads = [...others, ...told];
  for (const listener of listeners) listener({ downloads, changed: [...news, ...gone], isNew });
}
