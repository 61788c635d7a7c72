import * as z from "zod/mini";
import type { ChecksumSource } from "../checksums.ts";
import { emailAddress } from "../email-address.ts";
import { EXPIRATIONS, type Expiration } from "../expiry.ts";
import { messageName } from "../field-messages.ts";
import { pageCursor } from "../paging.ts";
import { changesSomething } from "./checks.ts";
import { label, labels } from "./labels.ts";
import type { FirstPicture, PictureInfo } from "./pictures.ts";
import type { LinkProtection, SeenProtection } from "./protection.ts";
import type { OpenedSeal, SealState } from "./seal.ts";
import type { RiskyKind } from "../moderation/risky-kinds.ts";
import type { TransferInfo } from "./transfers.ts";
import { exactEnd, filename } from "./uploads.ts";

export interface DownloadInfo {
  filename: string;
  /** The size of the file or of a transfer's ZIP. While a transfer uploads, the total size of its files. */
  size: number;
  status: "uploading" | "ready";
  mimeType: string;
  /** Null while the file is being uploaded, and for a sealed transfer, whose ZIP the browser makes. */
  downloadUrl: string | null;
  /**
   * Relative to the site: the download that keeps pace with the sender. Absent for an upload that cannot be followed, and
   * once it is ready. Ends in `/content`, with a query; `/preview` instead is the preview that does the same.
   */
  followUrl?: string;
  /** Absent while the file is being uploaded. Null for a link that never expires. */
  expiresAt?: string | null;
  /** Percent, only while the file is being uploaded. */
  progress?: number;
  sha256?: string;
  sha256Source?: ChecksumSource;
  /** The risky kinds of the files, if the sender's account is new or free. Absent without any. */
  risk?: RiskyKind[];
  /** What the scanner says of a ready link. Absent where links are not scanned. */
  scan?: SeenScan;
  /** Absent for a single file. */
  transfer?: TransferInfo;
  /** Only of a single file that has a picture. */
  picture?: PictureInfo;
  /** Absent for a link without protection. */
  guards?: SeenProtection;
  /** Absent for a plain link. The names, types, dates and sums of a sealed link are only in its manifest. */
  seal?: SealState;
}

/**
 * `sealed`: encrypted, so nobody can scan it. `at`: when it was scanned. `finding`: the scanner's name for what it has
 * found.
 */
export type SeenScan =
  | { state: "pending" | "sealed" }
  | { state: "clean" | "unscanned"; at: string }
  | { state: "infected"; at: string; finding: string };

export interface UnlockAnswer {
  info: DownloadInfo;
  /** For programs, as `Authorization: Bearer`. Null for a link without a password. */
  grant: string | null;
  /** ISO 8601. A use of the grant in the last half hour before this moment renews the grant. */
  until: string | null;
}

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
  /** Of a link with an exact end: the shortest one that was long enough for this end when it was chosen. */
  expiration: Expiration;
  /** False for a received transfer until its owner makes a link, else absent. */
  hasLink?: false;
  /** The number of files. Only a transfer has `entries`, `title` and `message`. */
  entries?: number;
  /** The title of a transfer: its file name without `.zip`. */
  title?: string;
  message?: string | null;
  /** Absent for a link without protection. */
  guards?: LinkProtection;
  /** Absent for a plain link. */
  seal?: SealState;
  /** The first files with a picture, at most four. Absent for a link without pictures, and for a sealed link. */
  pictures?: FirstPicture[];
  /** Whether previews of the link show its first picture. Absent where the account's setting decides. */
  showsPicture?: boolean;
  /** Absent for a link without labels. */
  labels?: string[];
}

export const FILE_ORDERS = ["newest", "oldest", "name", "largest", "expiry"] as const;
export type FileOrder = (typeof FILE_ORDERS)[number];

const pageNumber = z
  .pipe(z.string().check(z.regex(/^[1-9]\d{0,14}$/, messageName("notPage"))), z.transform(Number))
  .check(z.maximum(999_999));

/** The cursors of the previous and the next page; null if there is no such page. */
export interface PageCursors {
  next: string | null;
  previous: string | null;
}

/** Without a query the response is the first page as an array. */
export const filesQuery = z.object({
  page: z.optional(pageNumber),
  /**
   * `next` or `previous` of another page with the same `q`, `label` and `sort`. If a query has `cursor` and `page`, only
   * `cursor` counts.
   */
  cursor: z.optional(pageCursor),
  /** Part of the link's name, of the name of a file or folder inside, or of the address of a recipient. */
  q: z.optional(z.string().check(z.trim(), z.normalize("NFC"), z.maxLength(100))),
  /** A label of the links, as it was given. */
  label: z.optional(label),
  sort: z.optional(z.enum(FILE_ORDERS)),
});
export type FilesQuery = z.infer<typeof filesQuery>;

export interface FilesPage extends PageCursors {
  files: ListedFile[];
  /** Counts from 1. */
  page: number;
  pages: number;
  /** The number of files on all pages. */
  total: number;
  /** The labels of all links of the account, sorted, at most 200. */
  labels: string[];
}

export const changeFileRequest = z
  .object({
    filename: z.optional(filename),
    expiration: z.optional(z.enum(EXPIRATIONS)),
    expiresAt: z.optional(exactEnd),
    labels: z.optional(labels),
  })
  .check(changesSomething("nothingToChange"));
export const renameForm = z.object({ filename });

export const SHARE_NOTE_MAX_LENGTH = 500;
const recipientEmail = emailAddress(messageName("emailInvalid"));
const note = z._default(z.string().check(z.trim(), z.maxLength(SHARE_NOTE_MAX_LENGTH, messageName("noteLong"))), "");
export const shareFileRequest = z.object({ email: recipientEmail, note });
export type ShareFileRequest = z.infer<typeof shareFileRequest>;

/** One call mails at most this many addresses, which is the number of mails that an account may send in an hour. */
export const MOST_ADDRESSES_AT_ONCE = 20;
/** Mails the link to several people, each with a link of their own. */
export const shareWithManyRequest = z.object({
  emails: z.array(recipientEmail).check(z.minLength(1), z.maxLength(MOST_ADDRESSES_AT_ONCE)),
  note,
});

export interface ShareAnswer {
  message: string;
  /** The number of mails that are being sent. */
  sent: number;
  /** Addresses that want no more mail. */
  refused: string[];
}

/** The details that a sender through an upload request gave. */
export interface ReceivedDetails {
  senderName: string | null;
  senderEmail: string | null;
  senderNote: string | null;
  /**
   * Whether the owner has made a link for the received transfer. Without a link, only the owner can open the transfer.
   */
  hasLink: boolean;
}

/** The answer of `GET /api/files/{id}`. */
export interface FileDetails extends ListedFile {
  /** Absent for a file that its owner sent. */
  received?: ReceivedDetails;
}
