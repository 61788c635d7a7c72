import { toBase64url } from "#domain/bytes-as-text.ts";
import { AppError } from "#domain/errors.ts";
import { SERVER_PART_BYTES } from "#domain/parts.ts";
import { TUS_ROW_BYTES } from "#domain/tus.ts";
import { V1_PATH } from "#domain/v1/call.ts";
import type { StartUploadRequest, SenderFields } from "#domain/wire.ts";
import type { Caller } from "../callers/caller.ts";
import { checkPlan, type Bound } from "../callers/check-plan.ts";
import { readLifetime } from "../callers/lifetime.ts";
import { checkKind } from "../callers/request-bounds.ts";
import type { RequestContext } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { keptFor } from "../requests/describe.ts";
import { requirePassword, senderOf, tellOfStart, type OpenUploadRequest } from "../requests/open-request.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { openUpload, checkMonth } from "../uploads/open-upload.ts";

const SECRET_BYTES = 16;

/** The columns of an upload by tus, with the limits of its caller. */
export type TusFile = Pick<
  FileRow,
  | "id"
  | "filename"
  | "tusMetadata"
  | "size"
  | "status"
  | "downloadId"
  | "entryCount"
  | "isOpenEnded"
  | "userId"
  | "fileRequestId"
> & { bound: Bound };

/** The callers of tus: a key, or a sender into an upload request. */
export type TusCaller = Extract<Caller, Bound>;

export type StartTusRequest = Omit<StartUploadRequest, "lastModified" | "fingerprint"> & {
  isOpenEnded: boolean;
  transferLabel: string | null;
  /** The header `Upload-Metadata` as it came, without a password. */
  metadata: string;
  /** The token of the upload request that receives the upload; null for an upload by an API key. */
  requestToken: string | null;
};

export interface StartedTus {
  file: TusFile;
  /**
   * The URL that receives the bytes. Everybody who knows the URL may continue the upload. For an upload into a request,
   * the request's token is needed, too.
   */
  url: string;
}

/**
 * Starts an upload to which bytes are appended.
 * @param transferLabel the label that the program sets
 * @param isOpenEnded whether the upload starts without a size: `fileSize` is 0, and each request of its sender reserves
 * what it needs
 * @param rateLimit settles when the rate limit has been checked
 * @param now epoch milliseconds
 * @throws AppError FILE_TOO_LARGE, KEY_LIMIT, PLAN_LIMIT_EXCEEDED, RATE_LIMITED, STORAGE_UNAVAILABLE, BAD_REQUEST for a
 * wrong end; for a sender
 * REQUEST_FULL and REQUEST_CLOSED
 */
export async function startTus(
  services: Services,
  caller: TusCaller,
  { isOpenEnded, transferLabel, metadata, requestToken, ...request }: StartTusRequest,
  rateLimit: Promise<void>,
  now: number,
): Promise<StartedTus> {
  // Waits for the rate limit before a password is hashed, because hashing costs too much for a refused call.
  await rateLimit;
  const { fileSize: sizeBytes } = request;
  const lifetime = readLifetime(request, sizeBytes, now);
  checkPlan(caller, lifetime);
  // Checks that the month has room for the first byte.
  if (isOpenEnded) await checkMonth(services, caller, 1, false, now);
  const secret = toBase64url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
  const { file } = await openUpload(services, caller, {
    ...request,
    lifetime,
    // An empty file gets no multipart upload, because that needs a part, and an empty file has none.
    partSizeBytes: sizeBytes === 0 && !isOpenEnded ? null : SERVER_PART_BYTES,
    chunkSizeBytes: TUS_ROW_BYTES,
    appended: {
      uploadTokenHash: await uploadSecretHash(secret, requestToken),
      isOpenEnded,
      transferLabel,
      tusMetadata: metadata,
    },
    now,
  });
  const { id, filename, downloadId } = file;
  const started = { status: "uploading", entryCount: null, size: sizeBytes, isOpenEnded } as const;
  return {
    file: {
      id,
      filename,
      tusMetadata: metadata,
      downloadId,
      bound: caller,
      userId: caller.userId,
      fileRequestId: caller.kind === "sender" ? caller.request.id : null,
      ...started,
    },
    url: `${services.settings.origin}${V1_PATH}/tus/${id}/${secret}`,
  };
}

/** The values that a sender gives for a file and for themselves. */
export type SendingStart = Pick<StartTusRequest, "filename" | "fileType" | "fileSize" | "isOpenEnded" | "metadata"> & {
  sender: SenderFields;
  /** Null if the sender gave no password. */
  password: string | null;
};

/**
 * Starts an upload by tus into an upload request. The request's bounds, its owner's quota and the rate limits of its
 * page apply. Refused starts are not logged, because strangers must not fill the log of somebody else.
 * @param now epoch milliseconds
 * @throws AppError LINK_LOCKED, LINK_PASSWORD_WRONG, RATE_LIMITED, BAD_REQUEST for a missing field that the owner
 * requires, KIND_REFUSED, REQUEST_FULL, REQUEST_CLOSED, STORAGE_UNAVAILABLE; on an error, nothing is stored
 */
export async function startSendingByTus(
  context: RequestContext,
  request: OpenUploadRequest,
  { sender, password, ...file }: SendingStart,
  now: number,
): Promise<StartedTus> {
  const { services } = context;
  const { token, plan, mostBytes, receivedBytes } = request;
  if (request.passwordHash !== null && password === null) throw new AppError("LINK_LOCKED", { guard: "password" });
  await requirePassword(context, request, password ?? "");
  const caller = senderOf(context, request, null, sender);
  checkKind(caller.request, file.filename);
  // Checks that the upload request has room for the first byte.
  if (file.isOpenEnded && mostBytes !== null && receivedBytes >= mostBytes) throw new AppError("REQUEST_FULL");
  const kept = { expiration: keptFor(request, plan), expirationChosen: true };
  const into = { transferLabel: null, requestToken: token };
  const started = await startTus(services, caller, { ...file, ...kept, ...into }, Promise.resolve(), now);
  tellOfStart(services, request, { transferId: started.file.id, title: file.filename, bytes: file.fileSize, at: now });
  return started;
}

/**
 * The stored hash of an upload's address: SHA-256 in hex. An upload into a request needs the upload's address and the
 * request's token together. The hashed text of such an upload contains a line feed, which no header can contain. So no
 * upload token that a sender gets on the request's page has this hash or opens the upload.
 * @param secret the secret at the end of the upload's address
 * @param requestToken null for an upload by an API key
 */
export function uploadSecretHash(secret: string, requestToken: string | null): Promise<string> {
  return hashToken(requestToken === null ? secret : `${secret}\n${requestToken}`);
}
