import * as z from "zod/mini";
import { DEFAULT_EXPIRATION, EXPIRATIONS, type Expiration } from "../expiry.ts";
import { messageName } from "../field-messages.ts";
import { chunkCounts, MAX_PARTS, MAX_PARTS_PER_SIGNING } from "../parts.ts";

/** A download id: 128 random bits as base64url (decisions, The link is the secret). */
export const downloadId = z.string().check(z.regex(/^[\w-]{22}$/, messageName("notDownloadId")));

/** Names longer than this do not fit into common file systems. */
export const FILENAME_MAX_LENGTH = 255;

export const filename = z
  .string(messageName("filenameMissing"))
  .check(
    z.minLength(1, messageName("filenameMissing")),
    z.maxLength(FILENAME_MAX_LENGTH, messageName("filenameLong")),
    z.refine(isPlainName, messageName("filenameNotPlain")),
    z.refine(isMoreThanDots, messageName("filenameOnlyDots")),
  );

/**
 * Line breaks and direction overrides are refused too: with them a program can look like a picture. Marks that only
 * hint at a direction (U+200E, U+200F) are common in Hebrew and Arabic names; `safeFilename` leaves them out.
 */
function isPlainName(name: string): boolean {
  const unwanted = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069/\\]/u;
  return name.isWellFormed() && name.trim() !== "" && !unwanted.test(name);
}

/** `.` and `..` are folders, and Windows drops the dots and spaces that a name ends with. */
function isMoreThanDots(name: string): boolean {
  return /[^\s.]/u.test(name);
}

/** As the sender's browser names it: `mimeTypeOf` makes a type of it, whatever it says. */
const fileType = z._default(z.string(), "");

export const expiration = z._default(z.enum(EXPIRATIONS), DEFAULT_EXPIRATION);

const sha256Hex = z.string().check(z.regex(/^[0-9a-f]{64}$/, messageName("notSha256")));

/** What finds the upload of that very file that broke off: its date, epoch milliseconds, and its fingerprint. */
const fileIdentity = {
  lastModified: z._default(z.nullable(z.number().check(z.int())), null),
  fingerprint: z._default(z.nullable(sha256Hex), null),
};

/** How an upload's bytes come: as parts of it, whoever sends them to storage, or as chunks that our server joins. */
export type UploadTransport = "parts" | "chunks";

export const startUploadRequest = z.object({
  filename,
  fileType,
  fileSize: z.number().check(z.int(), z.nonnegative()),
  expiration,
  expirationChosen: z._default(z.boolean(), false),
  ...fileIdentity,
});
export type StartUploadRequest = z.infer<typeof startUploadRequest>;

export const partNumber = z.number().check(z.int(), z.minimum(1), z.maximum(MAX_PARTS));

export const receipt = z.object({
  part: partNumber,
  /** As the store sent it, quotes and all, or bare. */
  etag: z.string().check(z.regex(/^(?:W\/)?"?[\w+/=.:-]{1,256}"?$/, messageName("notEtag"))),
});
export type Receipt = z.infer<typeof receipt>;

/** The answer to a part, or a small file, that came through our own server. */
export const proxiedPart = z.object({ ...receipt.shape, downloadId, originalName: z.string() });
export type ProxiedPart = z.infer<typeof proxiedPart>;

/** A client that has no socket sends receipts with its calls: those of one signing batch, and some in flight. */
const receipts = z._default(z.array(receipt).check(z.maxLength(2 * MAX_PARTS_PER_SIGNING)), []);

export const signPartsRequest = z.object({
  downloadId,
  parts: z.array(partNumber).check(z.maxLength(MAX_PARTS_PER_SIGNING)),
  receipts,
});

/** `fileData` is part of the documented payload; nothing in it is believed (decisions, What the server never believes). */
export const completeUploadRequest = z.object({
  downloadId,
  fileData: z.optional(z.unknown()),
  receipts,
  /** What the sender's browser made of the file, for files that we do not hash ourselves. */
  sha256: z._default(z.nullable(sha256Hex), null),
});

/** Numbers that a form sends as text. */
const formNumber = z.pipe(z.string().check(z.regex(/^\d{1,15}$/, messageName("notCount"))), z.transform(Number));

export const initChunkedRequest = z
  .object({
    filename,
    fileType,
    totalSize: formNumber,
    /** As the client would cut the file; what counts is the chunk size that it is answered. */
    totalChunks: formNumber,
    expiration,
    expirationChosen: z._default(z.boolean(), false),
    /** Chunks larger than this did not get through before. */
    maxChunkSize: z.optional(z.number().check(z.int(), z.positive())),
    ...fileIdentity,
  })
  .check(({ value: { totalSize, totalChunks }, issues }) => {
    const { least, most } = chunkCounts(totalSize);
    if (totalChunks >= least && totalChunks <= most) return;
    const message = `A file of ${totalSize} bytes comes in ${least} to ${most} chunks, not in ${totalChunks}.`;
    issues.push({ code: "custom", message, path: ["totalChunks"], input: totalChunks });
  });
export const chunkForm = z.object({
  chunk: z.instanceof(Blob, { message: messageName("notFile") }),
  uploadId: z.uuid(messageName("notUploadId")),
  chunkIndex: formNumber,
  totalChunks: formNumber,
});
export const finalizeChunkedRequest = z.object({ uploadId: z.uuid(messageName("notUploadId")) });
export const proxyUploadFields = z.object({ filename, fileType, expiration });

export interface InitChunkedAnswer {
  uploadId: string;
  chunkSize: number;
  /** The first chunk that has not come, from 0: those of an upload that broke off are not sent again. */
  nextChunk: number;
  downloadId: string;
  shareUrl: string;
}
export interface ChunkAnswer {
  receivedChunks: number;
}
export interface FinalizeChunkedAnswer {
  downloadId: string;
  shareUrl: string;
  /** Absent: never. */
  expiresAt?: string;
}
export interface ProxyUploadAnswer {
  downloadId: string;
  originalName: string;
  downloadUrl: string;
  expiresAt: string | null;
}

export const cancelUploadRequest = z.object({ downloadId });

export interface StartUploadAnswer {
  presignedUrl: string;
  /** Our own id of the upload, never the store's. */
  uploadId: string;
  downloadId: string;
  shareUrl: string;
  fileData: { contentType: string };
  /** An estimate until the upload has finished; ISO 8601, null for never. */
  expiresAt: string | null;
  /** Absent for a file that goes up in one PUT. */
  multipart?: { partSizeBytes: number; partCount: number };
  /** The first parts that are missing, `presignedUrl`'s among them. */
  urls: SignedPart[];
  /** Parts that storage has already, of an upload that broke off. */
  received: number[];
}

/** An upload that broke off, or is still on its way on some device. */
export interface UnfinishedUpload {
  uploadId: string;
  downloadId: string;
  shareUrl: string;
  filename: string;
  size: number;
  /** As it was chosen: whoever goes on with it need not choose again. */
  expiration: Expiration;
  expirationChosen: boolean;
  startedAt: string;
  /** It goes on the way it began. */
  transport: UploadTransport;
  /** Percent that storage has. */
  progress: number;
}

export interface SignedPart {
  part: number;
  url: string;
}
export interface SignPartsAnswer {
  urls: SignedPart[];
  /** The parts that storage is known to have. */
  received: number[];
}

export interface CompleteUploadAnswer {
  /** The file's id, which was the upload's. */
  id: string;
  downloadId: string;
  shareUrl: string;
  downloadUrl: string;
  filename: string;
  size: number;
  expiresAt: string | null;
}
