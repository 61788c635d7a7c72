import * as z from "zod/mini";

const download = {
  /** Names the response: its later messages have the same. */
  id: z.string(),
  transferId: z.string(),
  /** The file's name within the transfer. Absent for a single file, for all files, and for an encrypted link. */
  entry: z.optional(z.string()),
  /** Bytes that this response is to bring. */
  bytes: z.number(),
  /** Their address, where the link named a recipient. */
  recipient: z.optional(z.string()),
  /** Epoch milliseconds. */
  startedAt: z.number(),
};

/** A response with bytes. `done`: handed over whole. `broken`: its reader left, or storage failed. */
export const downloadNews = z.object({
  type: z.literal("download"),
  ...download,
  state: z.enum(["running", "done", "broken"]),
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

/** A message of `/ws/account`: what is new since the last one, oldest first. The first message has what is remembered. */
export const feedMessage = z.object({ type: z.literal("news"), news: z.array(news) });
export type FeedMessage = z.infer<typeof feedMessage>;
