import type { LinkGuards } from "./guards.ts";
import type { SealState } from "./seal.ts";
import type { PartSum } from "./uploads.ts";
import type { Runs } from "../transfers/runs.ts";

/** All but `again` may be large, so entries and parts are runs of numbers. */
export interface TransferBatchAnswer {
  /** How many have been announced. */
  entries: number;
  /** The objects of this batch's `open`, also of one that came before. */
  opened: { object: number; partSizeBytes: number; partCount: number }[];
  urls: SignedObjectPart[];
  /** Entries that can be downloaded. */
  stored: Runs;
  /** Objects that are not stored yet, so that another device can go on with them. */
  received: ReceivedObject[];
  /** Objects whose bytes arrived otherwise than the browser had hashed them. Send their entries in a new object. */
  again: number[];
}

export interface ReceivedObject {
  object: number;
  /** Its entries, in the order of its bytes. */
  runs: Runs;
  /** Parts that have receipts. */
  parts: Runs;
  /** Of those parts, when a plain transfer is resumed; each is `partSizeBytes` of the object, the last one less. */
  sums?: PartSum[];
  partSizeBytes?: number;
}

export interface SignedObjectPart {
  object: number;
  /** From 1. */
  part: number;
  url: string;
}

export interface StartTransferAnswer extends TransferBatchAnswer {
  /** The file's id, under which it is renamed and deleted. */
  uploadId: string;
  downloadId: string;
  shareUrl: string;
  /** ISO 8601; an estimate until the transfer has finished. Null: never. */
  expiresAt: string | null;
  resumed: boolean;
  /** The first unused numbers, when the transfer is resumed. */
  next?: { entry: number; object: number };
  /** What counts against the totals so far, when the transfer is resumed: without removed files that were never stored. */
  announcedBytes?: number;
  /** Absent for a link without any. A resumed transfer may have some that this start did not name. */
  guards?: LinkGuards;
  /** Absent for a plain transfer. */
  seal?: SealState;
  /** Of every part that has a receipt, also of stored objects, when a sealed transfer is resumed. */
  marks?: { n: number; part: number; mark: string }[];
}

export interface FinishTransferAnswer {
  /** The file's id, the same as the upload's. */
  id: string;
  downloadId: string;
  shareUrl: string;
  /** Of the whole archive. */
  downloadUrl: string;
  /** Ends in `.zip`. */
  filename: string;
  /** Bytes of all entries. */
  size: number;
  zipSize: number;
  entries: number;
  expiresAt: string | null;
}

/** `stored`: can be downloaded. `arriving`: its object is open. `waiting`: announced alone. */
export type EntryState = "stored" | "arriving" | "waiting" | "removed";

export interface ListedEntry {
  n: number;
  path: string;
  /** Bytes. */
  size: number;
  /** ISO 8601. */
  modifiedAt: string;
  type: string;
  /** Recipients never see a removed entry. */
  state: EntryState;
  sha256?: string;
  /** Of a stored file. Only for the owner, who compares it before an unfinished transfer goes on. */
  crc32?: string;
  /** Only for the owner. */
  downloads?: number;
}

export interface ListedEntries {
  entries: ListedEntry[];
  /** Of the whole transfer, without entries that the reader does not see. */
  total: number;
}

/** Part of a download's information, for a transfer. */
export interface TransferInfo {
  title: string;
  /** How many; announced ones while it uploads. */
  entries: number;
  /** Of all entries. */
  bytes: number;
  message: string | null;
  /** Entries that can be downloaded. Absent once the transfer is ready: all of them. */
  stored?: Runs;
}
