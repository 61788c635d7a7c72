import type { AnnouncedEntry, ObjectToOpen, TransferBatchAnswer, CompletedObjectPart } from "#domain/wire.ts";

/** The batch that a device sends. Every field may be missing. */
export interface Batch {
  entries?: { from: number; list: AnnouncedEntry[] };
  totals?: { entries: number; bytes: number };
  open?: ObjectToOpen[];
  sign?: { object: number; parts: number[] }[];
  receipts?: CompletedObjectPart[];
  drop?: number[];
  remove?: number[];
}

/** The server's answer about an unfinished transfer. */
export type TransferState = Pick<TransferBatchAnswer, "entries" | "stored" | "received" | "again">;
