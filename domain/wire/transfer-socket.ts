import * as z from "zod/mini";
import type { Runs } from "../transfers/runs.ts";
import { MAX_ENTRY_NUMBERS } from "../transfers/limits.ts";
import { picturesMessage, type PicturesMessage } from "./pictures.ts";

/** The most entries in a progress message, so that it fits into one socket message. More entries may be being sent. */
export const MAX_MOVING_ENTRIES = 12;

const percent = z.number().check(z.minimum(0), z.maximum(100));
const runs = z.array(z.tuple([z.number(), z.number()]));

/** The sender sends this message twice a second, and all watchers get it. */
export const transferProgress = z.object({
  type: z.literal("transfer_progress"),
  bytes: z.number().check(z.int(), z.nonnegative()),
  percent,
  /** Entry numbers, each with its progress. */
  moving: z
    .array(z.tuple([z.number().check(z.int(), z.minimum(0), z.maximum(MAX_ENTRY_NUMBERS - 1)), percent]))
    .check(z.maxLength(MAX_MOVING_ENTRIES)),
});
export type TransferProgress = z.infer<typeof transferProgress>;

/** A message about a transfer to a page with the link. */
export const transferMessage = z.discriminatedUnion("type", [
  /** The first message on a new connection. */
  z.object({
    type: z.literal("transfer_state"),
    entries: z.number(),
    bytes: z.number(),
    stored: runs,
    percent,
    /** The number of entries with a picture. Absent for none. */
    pictures: z.optional(z.number()),
  }),
  transferProgress,
  /** Entries that can be downloaded from now on. */
  z.object({ type: z.literal("entries_stored"), runs }),
  picturesMessage,
  z.object({ type: z.literal("watchers"), count: z.number() }),
  z.object({ type: z.literal("upload_ended"), status: z.enum(["ready", "failed", "cancelled"]) }),
]);
export type TransferMessage =
  | { type: "transfer_state"; entries: number; bytes: number; stored: Runs; percent: number; pictures?: number }
  | { type: "entries_stored"; runs: Runs }
  | PicturesMessage
  | Exclude<z.infer<typeof transferMessage>, { type: "transfer_state" | "entries_stored" | "pictures" }>;
