import * as z from "zod/mini";
import { EXPIRATIONS } from "./expiry.ts";
import { MAX_PARTS, MAX_PARTS_PER_SIGNING } from "./parts.ts";
import { PLAN_IDS } from "./plans.ts";

/** The wire of our own API: what each call takes and answers, parsed once at the edge. */

/** Passwords hold at least six characters (specification 1 section 9); better-auth takes at most 128. */
export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_MAX_LENGTH = 128;

const email = z
  .string("Please enter a valid email address")
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(254, "Please enter a valid email address"),
    z.email("Please enter a valid email address"),
  );

const password = z
  .string(`Password must be at least ${PASSWORD_MIN_LENGTH} characters`)
  .check(
    z.minLength(PASSWORD_MIN_LENGTH, `Password must be at least ${PASSWORD_MIN_LENGTH} characters`),
    z.maxLength(PASSWORD_MAX_LENGTH, `Password must be at most ${PASSWORD_MAX_LENGTH} characters`),
  );

export const loginRequest = z.object({ email, password, rememberMe: z._default(z.boolean(), false) });
export const registerRequest = z.object({ email, password });
/** A form sends a ticked box as "on" and leaves an unticked one out. */
export const loginForm = z.object({ email, password, rememberMe: z.optional(z.literal("on")) });
/** An address that was left out has a message of its own (specification 1 section 5). */
export const resetForm = z.object({
  email: z.pipe(z.string().check(z.trim(), z.minLength(1, "Please enter your email address")), email),
});
const PASSWORDS_DIFFER = { message: "Passwords don't match", path: ["confirmPassword"] };

/** Forms hold a new password twice; only one is sent. */
export const registerForm = z
  .object({ email, password, confirmPassword: password })
  .check(z.refine((form) => form.password === form.confirmPassword, PASSWORDS_DIFFER));
export const newPasswordForm = z
  .object({ newPassword: password, confirmPassword: password })
  .check(z.refine((form) => form.newPassword === form.confirmPassword, PASSWORDS_DIFFER));
export const changePasswordForm = z
  .object({ currentPassword: password, newPassword: password, confirmPassword: password })
  .check(z.refine((form) => form.newPassword === form.confirmPassword, PASSWORDS_DIFFER));

export const emailRequest = z.object({ email });
export const setPasswordRequest = z.object({
  newPassword: password,
  token: z.string().check(z.minLength(1), z.maxLength(1024)),
});
export const verifyEmailQuery = z.object({ token: z.string().check(z.minLength(1), z.maxLength(2048)) });
export const changeEmailRequest = z.object({ newEmail: email });
export const changePasswordRequest = z.object({ currentPassword: password, newPassword: password });
export const deleteAccountRequest = z.object({ password });

/** Somewhere the person is signed in. */
export interface ListedSession {
  id: string;
  createdAt: string;
  address: string | null;
  userAgent: string | null;
  isCurrent: boolean;
}

export const currentUser = z.object({
  id: z.string(),
  email: z.string(),
  isVerified: z.boolean(),
  planType: z.enum(PLAN_IDS),
});
export type CurrentUser = z.infer<typeof currentUser>;

/** A download id: 128 random bits as base64url (decisions, The link is the secret). */
export const downloadId = z.string().check(z.regex(/^[\w-]{22}$/, "This is not a download id."));

/** Names longer than this do not fit into common file systems. */
export const FILENAME_MAX_LENGTH = 255;

const filename = z
  .string("The file needs a name.")
  .check(
    z.minLength(1, "The file needs a name."),
    z.maxLength(FILENAME_MAX_LENGTH, `The file's name may hold at most ${FILENAME_MAX_LENGTH} characters.`),
    z.refine(isPlainName, "The file's name may not hold slashes or control characters."),
  );

function isPlainName(name: string): boolean {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return name.isWellFormed() && name.trim() !== "" && !/[\u0000-\u001f\u007f/\\]/.test(name);
}

/** RFC 9110 section 8.3.1: type "/" subtype and parameters, in printable ASCII. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\x20-\x7e]*)?$/;

const fileType = z._default(
  z.string().check(
    z.maxLength(255, "The file's type is too long."),
    z.refine((type) => type === "" || MEDIA_TYPE.test(type), "The file's type is not a media type such as image/png."),
  ),
  "",
);

export const startUploadRequest = z.object({
  filename,
  fileType,
  fileSize: z
    .number("The file's size must be a number of bytes.")
    .check(
      z.int("The file's size must be a whole number of bytes."),
      z.nonnegative("The file's size cannot be negative."),
    ),
  expiration: z._default(z.enum(EXPIRATIONS, `The expiration must be one of ${EXPIRATIONS.join(", ")}.`), "3d"),
  expirationChosen: z._default(z.boolean(), false),
});
export type StartUploadRequest = z.infer<typeof startUploadRequest>;

export const receipt = z.object({
  part: z.number().check(z.int(), z.minimum(1), z.maximum(MAX_PARTS)),
  /** As the store sent it, quotes and all, or bare. */
  etag: z.string().check(z.regex(/^(?:W\/)?"?[\w+/=.:-]{1,256}"?$/, "This is not an ETag.")),
});
export type Receipt = z.infer<typeof receipt>;

/** A client that has no socket sends receipts with its calls: those of one signing batch, and some in flight. */
const receipts = z._default(z.array(receipt).check(z.maxLength(2 * MAX_PARTS_PER_SIGNING)), []);

export const signPartsRequest = z.object({
  downloadId,
  parts: z
    .array(z.number().check(z.int(), z.minimum(1), z.maximum(MAX_PARTS)))
    .check(z.maxLength(MAX_PARTS_PER_SIGNING, `At most ${MAX_PARTS_PER_SIGNING} parts can be signed at a time.`)),
  receipts,
});

/** `fileData` is part of the documented payload; nothing in it is believed (decisions, What the server never believes). */
export const completeUploadRequest = z.object({ downloadId, fileData: z.optional(z.unknown()), receipts });

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
  downloadId: string;
  shareUrl: string;
  downloadUrl: string;
  filename: string;
  size: number;
  expiresAt: string | null;
}

export interface DownloadInfo {
  filename: string;
  size: number;
  status: "uploading" | "ready";
  mimeType: string;
  /** Null while the file is still being uploaded. */
  downloadUrl: string | null;
  /** Absent while the file is still being uploaded; null for never. */
  expiresAt?: string | null;
  /** Percent that has arrived, while the file is still being uploaded. */
  progress?: number;
  sha256?: string;
}

export interface ListedFile {
  id: string;
  filename: string;
  size: number;
  uploadedAt: string;
  expiresAt: string | null;
  isExpired: boolean;
  downloadId: string;
}

/** Socket messages are at most this long (decisions, Limits on calls). */
export const SOCKET_MESSAGE_MAX_BYTES = 4096;

/** Receipts that fit into one socket message, whatever their ETags. */
export const RECEIPTS_PER_MESSAGE = 12;

export const uploadProgress = z.object({
  type: z.literal("upload_progress"),
  uploadId: z.string(),
  filename: z.string(),
  /** Percent, 0 to 100. */
  progress: z.number().check(z.minimum(0), z.maximum(100)),
  statusMessage: z.string().check(z.maxLength(200)),
});
export type UploadProgress = z.infer<typeof uploadProgress>;

/** What the sender's page may say on the socket. */
export const senderMessage = z.discriminatedUnion("type", [
  uploadProgress,
  z.object({
    type: z.literal("receipts"),
    receipts: z.array(receipt).check(z.minLength(1), z.maxLength(RECEIPTS_PER_MESSAGE)),
  }),
]);
export type SenderMessage = z.infer<typeof senderMessage>;

/** What the server says on the socket. */
export const relayMessage = z.discriminatedUnion("type", [
  uploadProgress,
  z.object({ type: z.literal("received"), parts: z.array(z.number()) }),
  z.object({ type: z.literal("watchers"), count: z.number() }),
  z.object({ type: z.literal("upload_ended"), status: z.enum(["ready", "failed", "cancelled"]) }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);
export type RelayMessage = z.infer<typeof relayMessage>;
