import * as z from "zod/mini";
import type { ChecksumSource } from "../checksums.ts";
import { emailAddress } from "../email-address.ts";
import { EXPIRATIONS, type Expiration } from "../expiry.ts";
import { messageName } from "../field-messages.ts";
import { changesSomething } from "./checks.ts";
import type { LinkProtection, SeenProtection } from "./protection.ts";
import type { OpenedSeal, SealState } from "./seal.ts";
import type { TransferInfo } from "./transfers.ts";
import { filename } from "./uploads.ts";

export interface DownloadInfo {
  filename: string;
  /** A transfer's is the size of its ZIP; while it uploads, of all its files together. */
  size: number;
  status: "uploading" | "ready";
  mimeType: string;
  /** Null while the file is still being uploaded, and for a sealed transfer: browsers make its ZIP. */
  downloadUrl: string | null;
  /** Absent while the file is still being uploaded; null: never. */
  expiresAt?: string | null;
  /** Percent, only while the file is still being uploaded. */
  progress?: number;
  sha256?: string;
  sha256Source?: ChecksumSource;
  /** Absent for a single file. */
  transfer?: TransferInfo;
  /** Absent for a link without protection. */
  guards?: SeenProtection;
  /** Absent for a plain link. Of a sealed one, names, types, dates and sums are in its manifest alone. */
  seal?: SealState;
}

export interface UnlockAnswer {
  info: DownloadInfo;
  /** For programs, as `Authorization: Bearer`. Null for a link without a password. */
  grant: string | null;
  /** ISO 8601; any use in the last half hour renews it. */
  until: string | null;
}

/** What unlocking a sealed link answers. */
export type UnlockSealedAnswer = UnlockAnswer & OpenedSeal;

export interface ListedFile {
  id: string;
  filename: string;
  size: number;
  uploadedAt: string;
  expiresAt: string | null;
  isExpired: boolean;
  downloadId: string;
  downloadCount: number;
  expiration: Expiration;
  /** False for what came through a request, until its owner makes a link; else absent. */
  hasLink?: false;
  /** How many; with `title` and `message`, only of a transfer. */
  entries?: number;
  /** The title of a transfer: its file name without `.zip`. */
  title?: string;
  message?: string | null;
  /** Absent for a link without protection. */
  guards?: LinkProtection;
  /** Absent for a plain link. */
  seal?: SealState;
}

export const FILE_ORDERS = ["newest", "oldest", "name", "largest", "expiry"] as const;
export type FileOrder = (typeof FILE_ORDERS)[number];

const pageNumber = z
  .pipe(z.string().check(z.regex(/^[1-9]\d{0,14}$/, messageName("notPage"))), z.transform(Number))
  .check(z.maximum(999_999));

/** Without `?page=&q=&sort=` the response is the first page as an array. */
export const filesQuery = z.object({
  page: z.optional(pageNumber),
  /** Part of a filename. */
  q: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  sort: z.optional(z.enum(FILE_ORDERS)),
});
export type FilesQuery = z.infer<typeof filesQuery>;

export interface FilesPage {
  files: ListedFile[];
  /** From 1. */
  page: number;
  pages: number;
  /** On all pages. */
  total: number;
}

export const changeFileRequest = z
  .object({
    filename: z.optional(filename),
    expiration: z.optional(z.enum(EXPIRATIONS)),
  })
  .check(changesSomething("nothingToChange"));
export const renameForm = z.object({ filename });

export const SHARE_NOTE_MAX_LENGTH = 500;
const recipientEmail = emailAddress(messageName("emailInvalid"));
const note = z._default(z.string().check(z.trim(), z.maxLength(SHARE_NOTE_MAX_LENGTH, messageName("noteLong"))), "");
export const shareFileRequest = z.object({ email: recipientEmail, note });
export type ShareFileRequest = z.infer<typeof shareFileRequest>;

/** An hour's mails. */
export const MOST_ADDRESSES_AT_ONCE = 20;
/** The same for several people, each with a link of their own. */
export const shareWithManyRequest = z.object({
  emails: z.array(recipientEmail).check(z.minLength(1), z.maxLength(MOST_ADDRESSES_AT_ONCE)),
  note,
});

export interface ShareAnswer {
  message: string;
  /** How many mails are on their way. */
  sent: number;
  /** Addresses that want no more mail. */
  refused: string[];
}

/** What came through an upload request, as its sender said it. */
export interface ReceivedDetails {
  senderName: string | null;
  senderEmail: string | null;
  senderNote: string | null;
  /** Whether its owner has made a link of what came through a request. Before, only they can open it. */
  hasLink: boolean;
}

/** `GET /api/files/{id}` */
export interface FileDetails extends ListedFile {
  /** Absent for what its owner sent. */
  received?: ReceivedDetails;
}
