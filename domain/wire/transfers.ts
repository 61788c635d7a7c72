import * as z from "zod/mini";
import { EXPIRATIONS } from "../expiry.ts";
import { messageName, type SchemaMessages } from "../field-messages.ts";
import { MAX_PARTS_PER_SIGNING, MAX_COMPLETED_PARTS_PER_CALL } from "../parts.ts";
import {
  MAX_CHANGES_PER_BATCH,
  MAX_ENTRIES_PER_BATCH,
  MAX_ENTRIES_PER_PACK,
  MAX_ENTRY_NUMBERS,
  MAX_OBJECTS,
  MAX_OPENED_AT_START,
  MAX_OPENED_PER_BATCH,
  TRANSFER_MESSAGE_MAX_LENGTH,
} from "../transfers/limits.ts";
import type { Runs } from "../transfers/runs.ts";
import { changesSomething } from "./checks.ts";
import { labels } from "./labels.ts";
import type { PictureInfo } from "./pictures.ts";
import { protectionAtStart, type LinkProtection } from "./protection.ts";
import { checkSealedStart, partMark, sealAtStart, type SealState } from "./seal.ts";
import {
  uploadSummary,
  crc32Hex,
  endAtStart,
  exactEnd,
  filename,
  FILENAME_MAX_LENGTH,
  formNumber,
  notifyAtStart,
  partNumber,
  completedPart,
  sha256Hex,
  type CompleteUploadAnswer,
  type PartSum,
} from "./uploads.ts";

/** The furthest moment from 1970 that a Date holds (ECMAScript, Time Values and Time Range). */
const FURTHEST_MS = 8_640_000_000_000_000;

const entryNumber = z.number().check(z.int(), z.minimum(0), z.maximum(MAX_ENTRY_NUMBERS - 1));
const objectNumber = z.number().check(z.int(), z.minimum(0), z.maximum(MAX_OBJECTS - 1));

/** Entry and object numbers in an address. For part numbers, see `partNumber`. */
export const entryParam = numberParam(entryNumber);
export const objectParam = numberParam(objectNumber);

/** A title has its own error messages, since a transfer has no file name. */
const title = z.optional(
  z.string().check(
    z.trim(),
    z.maxLength(FILENAME_MAX_LENGTH, messageName("transferTitleLong")),
    z.refine((text) => filename.safeParse(text).success, messageName("transferTitleWrong")),
  ),
);

/** Plain text for the recipients. "" is no message. */
export const messageToRecipients = z.string().check(
  z.trim(),
  z.maxLength(TRANSFER_MESSAGE_MAX_LENGTH, messageName("transferMessageLong")),
  z.refine((text) => text.isWellFormed(), messageName("wrong")),
);

/** The numbers of entries and bytes of the complete transfer. */
const totals = z.object({
  entries: z.number().check(z.int(), z.minimum(1)),
  bytes: z.number().check(z.int(), z.nonnegative()),
});

/**
 * Path, bytes, modification time in epoch milliseconds, and the browser's type. An entry is an array, since a batch
 * holds many entries. `checkPath` checks the path, so that the refusal can name the entry.
 */
const announcedEntry = z.tuple([
  z.string(),
  z.number().check(z.int(), z.nonnegative()),
  z.number().check(z.int(), z.minimum(-FURTHEST_MS), z.maximum(FURTHEST_MS)),
  z.optional(z.string().check(z.maxLength(255))),
]);
export type AnnouncedEntry = z.infer<typeof announcedEntry>;

/** Runs in the order of the object's bytes. Counts are bounded: a few runs cannot stand for millions of entries. */
const objectRuns = z
  .array(z.tuple([entryNumber, z.number().check(z.int(), z.minimum(1), z.maximum(MAX_ENTRIES_PER_PACK))]))
  .check(z.minLength(1), z.maxLength(MAX_ENTRIES_PER_PACK));

const openedObject = z.object({ object: objectNumber, runs: objectRuns });
export type ObjectToOpen = z.infer<typeof openedObject>;

const entryMarks = z.array(z.object({ n: entryNumber, mark: partMark }));

export const completedObjectPart = z.object({
  object: objectNumber,
  part: completedPart.shape.part,
  etag: completedPart.shape.etag,
  crc32: crc32Hex,
  /** Required for a sealed transfer, and only there: one mark for each entry that has bytes in the part. */
  marks: z.optional(entryMarks.check(z.minLength(1), z.maxLength(MAX_ENTRIES_PER_PACK))),
});
export type CompletedObjectPart = z.infer<typeof completedObjectPart>;

/** The response to a part, or a whole pack, sent through the Worker. */
export const proxiedObjectPart = z.object({
  object: objectNumber,
  part: completedPart.shape.part,
  etag: completedPart.shape.etag,
});
export type ProxiedObjectPart = z.infer<typeof proxiedObjectPart>;

const completedObjectParts = z._default(
  z.array(completedObjectPart).check(z.maxLength(MAX_COMPLETED_PARTS_PER_CALL)),
  [],
);

const signedParts = z.array(z.object({ object: objectNumber, parts: z.array(partNumber) })).check(
  z.maxLength(MAX_PARTS_PER_SIGNING),
  z.refine(
    (asked) => asked.reduce((count, { parts }) => count + parts.length, 0) <= MAX_PARTS_PER_SIGNING,
    messageName("tooManyUrls"),
  ),
);

const changes = <Change extends z.ZodMiniType>(change: Change) =>
  z._default(z.array(change).check(z.maxLength(MAX_CHANGES_PER_BATCH)), []);

/** The fields that a batch and a start have in common. */
const batchFields = {
  /** `from`: the number of the first entry in the list. */
  entries: z.optional(
    z.object({ from: entryNumber, list: z.array(announcedEntry).check(z.maxLength(MAX_ENTRIES_PER_BATCH)) }),
  ),
  open: z._default(z.array(openedObject).check(z.maxLength(MAX_OPENED_PER_BATCH)), []),
  sign: z._default(signedParts, []),
  receipts: completedObjectParts,
  /** The browser's hashes of large files. */
  sums: changes(z.object({ n: entryNumber, sha256: sha256Hex })),
  /** Objects to drop, because their entries are sent in another object. */
  drop: changes(objectNumber),
  remove: changes(entryNumber),
};

/** An empty batch asks which entries are stored. */
export const transferBatchRequest = z.object({
  ...batchFields,
  /** New totals. Totals that are not larger than the present totals are ignored. */
  totals: z.optional(totals),
});
export type TransferBatch = z.infer<typeof transferBatchRequest>;

/** The fields of a start without the expiry. */
export const transferStartFields = {
  ...batchFields,
  open: z._default(z.array(openedObject).check(z.maxLength(MAX_OPENED_AT_START)), []),
  /**
   * By default the name of the only root folder, else the name of the first file, else "Transfer". A sealed title is in
   * the manifest.
   */
  title,
  /** The message of a sealed transfer is in its manifest. */
  message: z._default(messageToRecipients, ""),
  totals,
  /** The result of `fingerprintOf`. An unfinished transfer with the same fingerprint is resumed. */
  fingerprint: z._default(z.nullable(sha256Hex), null),
  guards: protectionAtStart,
  seal: z.optional(sealAtStart),
  notify: notifyAtStart,
};

const startWithoutExpiry = z.object(transferStartFields);

/** @returns the issues of a start that breaks a rule of sealing */
export function sealIssuesOf(
  start: z.infer<typeof startWithoutExpiry>,
): { path: string[]; message: SchemaMessages["inputs"] }[] {
  // The session checks the entries, which later batches announce too.
  const broken = checkSealedStart({ ...start, sizes: [], entries: start.totals.entries });
  const named = start.seal ? (["title", "message"] as const).filter((field) => start[field]) : [];
  const issues = named.map((field) => ({ path: [field], message: messageName("sealName") }));
  return broken ? [broken, ...issues] : issues;
}

export const startTransferRequest = z.object({ ...transferStartFields, ...endAtStart }).check(({ value, issues }) => {
  for (const issue of sealIssuesOf(value)) issues.push({ code: "custom", ...issue, input: value });
});
export type StartTransferRequest = z.infer<typeof startTransferRequest>;

/** The body of `finish` from a program, which sends no summary. */
export const finishTransferByProgram = z.object({ receipts: completedObjectParts });

export const finishTransferRequest = z.object({
  receipts: completedObjectParts,
  /** The history of the upload, for administrators. */
  summary: z.optional(uploadSummary),
});

/** Changes a file or a transfer. Only a transfer has a message. */
export const changeTransferRequest = z
  .object({
    filename: z.optional(filename),
    expiration: z.optional(z.enum(EXPIRATIONS)),
    expiresAt: z.optional(exactEnd),
    message: z.optional(messageToRecipients),
    labels: z.optional(labels),
  })
  .check(changesSomething("nothingToChangeInTransfer"));
export type ChangeTransferRequest = z.infer<typeof changeTransferRequest>;

export const editTransferForm = z.object({ title, message: messageToRecipients });

/** The list from this entry number on. */
export const entriesQuery = z.object({ from: z._default(formNumber, 0) });

/** `parsePick` reads `pick`. If `v` is not the archive's version, the answer says that the archive has changed. */
export const archiveQuery = z.object({ v: z.optional(z.string()), pick: z.optional(z.string()) });
export type ArchiveQuery = z.infer<typeof archiveQuery>;

/** `follow=1`: a download that keeps pace with a file's upload. */
export const followQuery = z.object({ follow: z.optional(z.string()) });
export type FollowQuery = z.infer<typeof followQuery>;

export const contentQuery = z.extend(archiveQuery, followQuery.shape);
export type ContentQuery = z.infer<typeof contentQuery>;

function numberParam<Schema extends z.ZodMiniType<number, number>>(schema: Schema) {
  return z.pipe(formNumber, schema);
}

/** All fields but `again` may be large, so entries and parts are runs of numbers. */
export interface TransferBatchAnswer {
  /** The number of announced entries. */
  entries: number;
  /** The objects that this batch's `open` names, even if an earlier batch opened them. */
  opened: { object: number; partSizeBytes: number; partCount: number }[];
  urls: SignedObjectPart[];
  /** Entries that can be downloaded. */
  stored: Runs;
  /** Objects that are not stored yet, so that another device can resume them. */
  received: ReceivedObject[];
  /** Objects whose stored bytes have another hash than the browser's. Send their entries in a new object. */
  again: number[];
}

export interface ReceivedObject {
  object: number;
  /** The object's entries, in the order of its bytes. */
  runs: Runs;
  /** Parts that are completed. */
  parts: Runs;
  /**
   * The sums of completed parts, when a plain transfer is resumed. Each part has `partSizeBytes`, the last part less.
   */
  sums?: PartSum[];
  partSizeBytes?: number;
}

export interface SignedObjectPart {
  object: number;
  /** Counts from 1. */
  part: number;
  url: string;
}

export interface StartTransferAnswer extends TransferBatchAnswer {
  /** The id of the transfer's row, which the calls for renaming and deleting take. */
  uploadId: string;
  downloadId: string;
  shareUrl: string;
  /** ISO 8601; an estimate until the transfer has finished. Null for a link that never expires. */
  expiresAt: string | null;
  resumed: boolean;
  /** The first unused numbers, when the transfer is resumed. */
  next?: { entry: number; object: number };
  /** The bytes that count against the totals of a resumed transfer, without removed files that were never stored. */
  announcedBytes?: number;
  /** Absent for a link without protection. A resumed transfer may have protection that this start did not name. */
  guards?: LinkProtection;
  /** Absent for a plain transfer. */
  seal?: SealState;
  /** The marks of every completed part, also of stored objects, when a sealed transfer is resumed. */
  marks?: { n: number; part: number; mark: string }[];
}

/** The file name ends in `.zip`; the size is that of all entries. */
export interface FinishTransferAnswer extends CompleteUploadAnswer {
  zipSize: number;
  entries: number;
}

/**
 * `stored`: the entry can be downloaded. `arriving`: the entry's object is open. `waiting`: the entry is only
 * announced.
 */
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
  /** As of a single file (`DownloadInfo`), beside `arriving`. */
  followUrl?: string;
  /** Absent for a file without a picture. */
  picture?: PictureInfo;
  sha256?: string;
  /** The CRC-32 of a stored file. Only the owner gets this sum, to compare the file before a transfer is resumed. */
  crc32?: string;
  /** The number of downloads, only for the owner. */
  downloads?: number;
}

export interface ListedEntries {
  entries: ListedEntry[];
  /** The number of entries in the whole transfer that the reader can see. */
  total: number;
}

/** The part of a download's information that only a transfer has. */
export interface TransferInfo {
  title: string;
  /** The number of entries, or of announced entries while the transfer uploads. */
  entries: number;
  /** The size of all entries. */
  bytes: number;
  message: string | null;
  /** Entries that can be downloaded. Absent once the transfer is ready, when all entries can be downloaded. */
  stored?: Runs;
  /** The number of entries with a picture. Absent for none. */
  pictures?: number;
}
