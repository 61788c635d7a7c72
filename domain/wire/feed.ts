import * as z from "zod/mini";

/**
 * News of a reader's download, in one response or in many. `done`: the last byte was sent. `broken`: the download ended
 * before the last byte was sent.
 */
export const downloadNews = z.object({
  type: z.literal("download"),
  /** Names the reader and the downloaded file. Later news of this download have the same id. */
  id: z.string(),
  transferId: z.string(),
  /** The file's name within the transfer. Absent for a single file, for a ZIP, and for a sealed link. */
  entry: z.optional(z.string()),
  /** The size of the whole file or ZIP, even if only a range was requested. */
  bytes: z.number(),
  /** The recipient's address, if the link names a recipient. */
  recipient: z.optional(z.string()),
  state: z.enum(["running", "done", "broken"]),
  /** Epoch milliseconds. */
  startedAt: z.number(),
  /** Epoch milliseconds; absent while the download runs. */
  endedAt: z.optional(z.number()),
});
export type DownloadNews = z.infer<typeof downloadNews>;

/** News of a transfer through an upload request. */
export const receivedNews = z.object({
  type: z.literal("received"),
  transferId: z.string(),
  requestId: z.string(),
  state: z.enum(["started", "arrived", "ended"]),
  title: z.string(),
  bytes: z.number(),
  at: z.number(),
});
export type ReceivedNews = z.infer<typeof receivedNews>;

export const news = z.discriminatedUnion("type", [downloadNews, receivedNews]);
export type News = z.infer<typeof news>;

/** A message of `/ws/account` with the changes since the last message. The first message has all remembered news. */
export const feedMessage = z.object({ type: z.literal("news"), news: z.array(news) });
export type FeedMessage = z.infer<typeof feedMessage>;
