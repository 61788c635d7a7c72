import * as z from "zod/mini";
import { EXPIRATIONS, type Expiration } from "../expiry.ts";
import { messageName } from "../field-messages.ts";
import { DOWNLOAD_NOTICES } from "../notices/when-mailed.ts";
import { chunkCounts, MAX_PARTS, MAX_PARTS_PER_SIGNING, MAX_COMPLETED_PARTS_PER_CALL, SUMMARY_MAX } from "../parts.ts";
import { protectionAtStart, linkPassword, maxDownloads, type LinkProtection } from "./protection.ts";
import { checkSealedStart, partMark, sealAtStart, type SealState } from "./seal.ts";

const summaryCount = z.number().check(z.int(), z.nonnegative(), z.maximum(SUMMARY_MAX.count));
const summarySeconds = z.number().check(z.int(), z.nonnegative(), z.maximum(SUMMARY_MAX.seconds));

/** Why a part was sent again. `stalled`: the part had stopped while other parts progressed. */
export const RESEND_CAUSES = ["network", "timeout", "rejected", "stalled"] as const;
export type ResendCause = (typeof RESEND_CAUSES)[number];

/** The causes of a wait while nothing was being sent. `person`: a file could not be read, or had changed. */
export const UPLOAD_WAITS = ["files", "server", "person"] as const;
export type UploadWait = (typeof UPLOAD_WAITS)[number];

/** An upload's history from its sender, for administrators: numbers and fixed words only, no address and no name. */
export const uploadSummary = z.strictObject({
  /** How the parts were sent. `both`: some parts `direct`, others by `proxy`. */
  transport: z.enum(["direct", "proxy", "both", "chunks"]),
  seconds: summarySeconds,
  /** The number of parts that were sent again, by cause. */
  sentAgain: z.strictObject({
    network: summaryCount,
    timeout: summaryCount,
    rejected: summaryCount,
    stalled: summaryCount,
  }),
  /** Seconds in which nothing was being sent, by cause. */
  waited: z.optional(z.strictObject({ files: summarySeconds, server: summarySeconds, person: summarySeconds })),
  /** How often no byte moved for two seconds or more, although a request was running. */
  stalls: summaryCount,
  /** The seconds of all stalls together. */
  stalledSeconds: summarySeconds,
  /** Percent: the mean speed while a request was running, relative to the best speed over three seconds. */
  lineShare: z.number().check(z.int(), z.nonnegative(), z.maximum(100)),
});
export type UploadSummary = z.infer<typeof uploadSummary>;

/** 128 random bits in base64url (decision 010). */
export const downloadId = z.string().check(z.regex(/^[\w-]{22}$/, messageName("notDownloadId")));

/** Common file systems allow no longer names. */
export const FILENAME_MAX_LENGTH = 255;

/** A file name in NFC, the form of accents that all systems compare alike. Macs send accents as separate characters. */
export const filename = z
  .string(messageName("filenameMissing"))
  .check(
    z.normalize("NFC"),
    z.minLength(1, messageName("filenameMissing")),
    z.maxLength(FILENAME_MAX_LENGTH, messageName("filenameLong")),
    z.refine(isPlainName, messageName("filenameNotPlain")),
    z.refine(isMoreThanDots, messageName("filenameOnlyDots")),
  );

/**
 * Rejects direction overrides and line breaks too, which can make a program look like a picture. The direction marks
 * U+200E and U+200F are common in Hebrew and Arabic names: they are allowed here, and `safeFilename` removes them.
 */
function isPlainName(name: string): boolean {
  const forbidden = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069/\\]/u;
  return name.isWellFormed() && name.trim() !== "" && !forbidden.test(name);
}

/** `.` and `..` are folders, and Windows removes trailing dots and spaces. */
function isMoreThanDots(name: string): boolean {
  return /[^\s.]/u.test(name);
}

/** Any text: `mimeTypeOf` turns it into a valid type. */
const fileType = z._default(z.string(), "");

/** How long the link works. By default `DEFAULT_EXPIRATION`, or until `exactEnd`. */
const expiration = z.optional(z.enum(EXPIRATIONS));

/** A moment in the calendar, with `Z` or an offset. The seconds may be left out. */
const moments = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })];

/** When the link ends, in place of `expiration`. `worker/callers/lifetime.ts` compares the moment with the clock. */
export const exactEnd = z
  .string()
  .check(z.refine((text) => moments.some((moment) => moment.safeParse(text).success), messageName("notEnd")));

/** Null is no end: clients may send back what an answer had. */
export const exactEndAtStart = z.optional(
  z.pipe(
    z.nullable(exactEnd),
    z.transform((text) => text ?? undefined),
  ),
);

/** When a new link ends. */
export const endAtStart = {
  expiration,
  expirationChosen: z._default(z.boolean(), false),
  expiresAt: exactEndAtStart,
};

/** Which downloads of this transfer its owner is mailed about. By default the account's choice. */
export const notifyAtStart = z.optional(z.enum(DOWNLOAD_NOTICES));

export const sha256Hex = z.string().check(z.regex(/^[0-9a-f]{64}$/, messageName("notSha256")));

/** Identifies the file, to resume an unfinished upload of the same file. */
const fileIdentity = {
  /** Epoch milliseconds. */
  lastModified: z._default(z.nullable(z.number().check(z.int())), null),
  fingerprint: z._default(z.nullable(sha256Hex), null),
};

/** `parts`: parts go to storage, directly or through the Worker. `chunks`: the Durable Object joins chunks to parts. */
export type UploadTransport = "parts" | "chunks";

export const startUploadRequest = z
  .object({
    filename,
    fileType,
    fileSize: z.number().check(z.int(), z.nonnegative()),
    ...endAtStart,
    ...fileIdentity,
    guards: protectionAtStart,
    seal: z.optional(sealAtStart),
    notify: notifyAtStart,
  })
  .check(({ value, issues }) => {
    const broken = checkSealedStart({ ...value, sizes: [value.fileSize], entries: 1 });
    if (broken) issues.push({ code: "custom", ...broken, input: value });
  });
export type StartUploadRequest = z.infer<typeof startUploadRequest>;

/** CRC-32 (IEEE 802.3), the same as ZIP's. */
export const crc32Hex = z.string().check(z.regex(/^[0-9a-f]{8}$/, messageName("notCrc32")));

export const partNumber = z.number().check(z.int(), z.minimum(1), z.maximum(MAX_PARTS));

export const completedPart = z.object({
  part: partNumber,
  /** The ETag as storage sent it; quotes are optional. */
  etag: z.string().check(z.regex(/^(?:W\/)?"?[\w+/=.:-]{1,256}"?$/, messageName("notEtag"))),
  /** The CRC-32 of the part's bytes. The answer to a resumed start has this sum, so that the sender can compare. */
  crc32: z.optional(crc32Hex),
  /** Required for a sealed upload, and only there. */
  mark: z.optional(partMark),
});
export type CompletedPart = z.infer<typeof completedPart>;

/** The response to a part, or a small file, sent through the Worker. */
export const proxiedPart = z.object({ ...completedPart.shape, downloadId, originalName: z.string() });
export type ProxiedPart = z.infer<typeof proxiedPart>;

/** The query of a part that is sent through the Worker, which stores the part and records it as completed. */
export const proxiedPartQuery = z.object({ crc32: completedPart.shape.crc32 });

/** A stored part's sum, in the answer of a resumed start. Parts whose sender reported no sum are left out. */
export interface PartSum {
  part: number;
  crc32: string;
}

/**
 * Completed parts, as a client without a socket reports them: the parts of one signing batch, and of running requests.
 */
const receipts = z._default(z.array(completedPart).check(z.maxLength(MAX_COMPLETED_PARTS_PER_CALL)), []);

export const signPartsRequest = z.object({
  downloadId,
  parts: z.array(partNumber).check(z.maxLength(MAX_PARTS_PER_SIGNING)),
  receipts,
});

/** `fileData` is accepted for compatibility and ignored (decision 015). */
export const completeUploadRequest = z.object({
  downloadId,
  fileData: z.optional(z.unknown()),
  receipts,
  /** Computed by the sender's browser, for files that did not pass through the Worker. */
  sha256: z._default(z.nullable(sha256Hex), null),
  /**
   * The CRC-32 of the whole file, read together with `sha256`. An upload fails if the sums of its parts yield another
   * CRC-32.
   */
  crc32: z.optional(crc32Hex),
  /** The history of the upload, for administrators. */
  summary: z.optional(uploadSummary),
});

/** Digits in a form or an address. */
export const formNumber = z.pipe(z.string().check(z.regex(/^\d{1,15}$/, messageName("notCount"))), z.transform(Number));

export const initChunkedRequest = z
  .object({
    filename,
    fileType,
    totalSize: formNumber,
    /** The client's estimate of the number of chunks. The response's `chunkSize` decides. */
    totalChunks: formNumber,
    ...endAtStart,
    /** The largest allowed chunk in bytes. A client sends this limit after larger chunks have failed. */
    maxChunkSize: z.optional(z.number().check(z.int(), z.positive())),
    ...fileIdentity,
    guards: protectionAtStart,
    seal: z.optional(sealAtStart),
    notify: notifyAtStart,
  })
  .check(({ value, issues }) => {
    const broken = checkSealedStart({ ...value, sizes: [value.totalSize], entries: 1 });
    if (broken) issues.push({ code: "custom", ...broken, input: value });
  })
  .check(({ value: { totalSize, totalChunks }, issues }) => {
    const { min, max } = chunkCounts(totalSize);
    if (totalChunks >= min && totalChunks <= max) return;
    const message = `A file of ${totalSize} bytes needs ${min} to ${max} chunks, not ${totalChunks}.`;
    issues.push({ code: "custom", message, path: ["totalChunks"], input: totalChunks });
  });
export const chunkForm = z.object({
  chunk: z.instanceof(Blob, { error: messageName("notFile") }),
  uploadId: z.uuid(messageName("notUploadId")),
  chunkIndex: formNumber,
  totalChunks: formNumber,
  /** Required for a sealed upload, and only there. The part number in the mark is the chunk's index plus 1. */
  mark: z.optional(partMark),
});
export const finalizeChunkedRequest = z.object({
  uploadId: z.uuid(messageName("notUploadId")),
  summary: z.optional(uploadSummary),
});
export const proxyUploadFields = z.object({
  filename,
  fileType,
  expiration: endAtStart.expiration,
  expiresAt: endAtStart.expiresAt,
  password: z.optional(linkPassword),
  maxDownloads: z.optional(z.pipe(formNumber, maxDownloads)),
  notify: notifyAtStart,
});
export type ProxyUploadFields = z.infer<typeof proxyUploadFields>;

export interface InitChunkedAnswer {
  uploadId: string;
  chunkSize: number;
  /** The first missing chunk, from 0; above 0 when an unfinished upload is resumed. */
  nextChunk: number;
  downloadId: string;
  shareUrl: string;
  /** Absent for a link without protection. A resumed upload may have protection that this start did not name. */
  guards?: LinkProtection;
  /** Absent for a plain upload. */
  seal?: SealState;
  /** The marks of the stored chunks, when a sealed upload is resumed. */
  marks?: { chunk: number; mark: string }[];
  /**
   * The sums of the stored parts, when a plain upload is resumed. Each part has `partSizeBytes`, the last part less.
   */
  sums?: PartSum[];
  partSizeBytes?: number;
}
export interface ChunkAnswer {
  receivedChunks: number;
}
export interface FinalizeChunkedAnswer {
  downloadId: string;
  shareUrl: string;
  /** Absent for a link that never expires. */
  expiresAt?: string;
}
export interface ProxyUploadAnswer {
  downloadId: string;
  originalName: string;
  downloadUrl: string;
  expiresAt: string | null;
}

export const cancelUploadRequest = z.object({ downloadId, summary: z.optional(uploadSummary) });

/** Reports an upload that failed and may be resumed. */
export const failedUploadRequest = z.object({ downloadId, summary: uploadSummary });

export interface StartUploadAnswer {
  presignedUrl: string;
  /** The file's id, not the id of the multipart upload in storage. */
  uploadId: string;
  downloadId: string;
  shareUrl: string;
  fileData: { contentType: string };
  /** ISO 8601; an estimate until the upload has finished. Null for a link that never expires. */
  expiresAt: string | null;
  /** Absent for a single PUT. */
  multipart?: { partSizeBytes: number; partCount: number };
  /** URLs of the first missing parts, including `presignedUrl`. */
  urls: SignedPart[];
  /** Parts that storage already has, when an unfinished upload is resumed. */
  received: number[];
  /** Absent for a link without protection. A resumed upload may have protection that this start did not name. */
  guards?: LinkProtection;
  /** Absent for a plain upload. */
  seal?: SealState;
  /** The marks of the parts in `received`, when a sealed upload is resumed. */
  marks?: { part: number; mark: string }[];
  /** The known sums of the parts in `received`, when a plain upload is resumed. */
  sums?: PartSum[];
}

/** An upload that was interrupted or is running on some device. */
export interface UnfinishedUpload {
  uploadId: string;
  downloadId: string;
  shareUrl: string;
  filename: string;
  size: number;
  expiration: Expiration;
  expirationChosen: boolean;
  /** The exact end that was chosen for the link; absent if `expiration` decides. */
  expiresAt?: string;
  startedAt: string;
  /** A resumed upload keeps its transport. */
  transport: UploadTransport;
  /** The percentage of bytes in storage. */
  progress: number;
  /** The number of entries; only for a transfer. */
  entries?: number;
  /**
   * The fingerprint of a transfer's whole list, in 64 hexadecimal digits. A start with the same fingerprint resumes the
   * transfer.
   */
  fingerprint?: string | null;
  /** Absent for a link without protection. */
  guards?: LinkProtection;
  /** Absent for a plain upload. */
  seal?: SealState;
}

export interface SignedPart {
  part: number;
  url: string;
}
export interface SignPartsAnswer {
  urls: SignedPart[];
  received: number[];
}

export interface CompleteUploadAnswer {
  /** The file's id, the same as the upload's. */
  id: string;
  downloadId: string;
  shareUrl: string;
  downloadUrl: string;
  filename: string;
  size: number;
  expiresAt: string | null;
}
