import type { AnnouncedEntry, ObjectToOpen, TransferBatchAnswer, CompletedObjectPart } from "#domain/wire.ts";

/** What a device sends; every part may be missing. */
export interface Batch {
  entries?: { from: number; list: AnnouncedEntry[] };
  totals?: { entries: number; bytes: number };
  open?: ObjectToOpen[];
  sign?: { object: number; parts: number[] }[];
  receipts?: CompletedObjectPart[];
  drop?: number[];
  remove?: number[];
}

/** What the server says about an unfinished transfer. */
export type TransferState = Pick<TransferBatchAnswer, "entries" | "stored" | "received" | "again">;
