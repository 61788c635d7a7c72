import type { News } from "#domain/wire.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";

/** Behind the answer: nothing waits for it, and nothing depends on it. @param userId whose pages are told */
export function tellFeed({ feeds, waitUntil }: Services, userId: string, news: News): void {
  const told = feeds.get(feeds.idFromName(userId)).tell(news);
  waitUntil(
    told.catch((error: unknown) => {
      logError("feed.not_told", error);
    }),
  );
}
