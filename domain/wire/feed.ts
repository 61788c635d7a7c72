import * as z from "zod/mini";

/** A reader and what they read, in one response or in many. `done`: handed over to the last byte. `broken`: not so. */
export const downloadNews = z.object({
  type: z.literal("download"),
  /** Names the reader and what they read: later news of them have the same. */
  id: z.string(),
  transferId: z.string(),
  /** The file's name within the transfer. Absent for a single file, for a ZIP, and for an encrypted link. */
  entry: z.optional(z.string()),
  /** The size of the file or the ZIP, also where a part of it was asked for. */
  bytes: z.number(),
  /** The recipient's address, where the link named one. */
  recipient: z.optional(z.string()),
  state: z.enum(["running", "done", "broken"]),
  /** Epoch milliseconds. */
  startedAt: z.number(),
  /** Epoch milliseconds; absent while it runs. */
  endedAt: z.optional(z.number()),
});
export type DownloadNews = z.infer<typeof downloadNews>;

/** What comes through an upload request. */
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

/** A message of `/ws/account`: what has changed since the last one. The first message has what is remembered. */
export const feedMessage = z.object({ type: z.literal("news"), news: z.array(news) });
export type FeedMessage = z.infer<typeof feedMessage>;
