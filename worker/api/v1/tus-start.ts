import { AppError } from "#domain/errors.ts";
import { DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { readByteCount, TRANSFER_LABEL_MAX_CHARACTERS } from "#domain/tus.ts";
import { senderFields, startUploadRequest, unlockUploadRequest } from "#domain/wire.ts";
import type { KeyCaller } from "../../keys/authenticate.ts";
import { findRequest, requireOpen, setByOwner } from "../../requests/open-request.ts";
import { startSendingByTus, type SendingStart } from "../../tus/start-sending.ts";
import { startTus, type StartedTus, type StartTusRequest } from "../../tus/start-tus.ts";
import type { TusBytes } from "../../tus/tus-upload.ts";
import { logRejections } from "../../uploads/log-rejections.ts";
import { parse } from "../input.ts";
import type { V1Request } from "./handler.ts";
import { badHeader, readSent, readStart, type StartHeaders } from "./tus-headers.ts";
import { admitPage } from "./tus-open.ts";

type StartCall = V1Request<"createTusUpload">;
/** `sent`: what came with the start; null for nothing. */
type Start = StartedTus & { sent: TusBytes | null };

/** Starts an upload of a key, or one into an upload request. @throws AppError KEY_MISSING, and what either start throws */
export function start(call: StartCall): Promise<Start> {
  if (call.caller !== null) return startByKey(call, call.caller);
  if (call.requestToken !== null) return startIntoRequest(call, call.requestToken);
  throw new AppError("KEY_MISSING");
}

async function startByKey({ c, context, now }: StartCall, caller: KeyCaller): Promise<Start> {
  const { services } = context;
  const request = toStart(readStart(c));
  const { filename, fileType, fileSize: sizeBytes } = request;
  const sent = readSent(c, request);
  const requested = { filename, sizeBytes, mimeType: mimeTypeOf(filename, fileType) };
  const limit = context.enforceRateLimit("startByKey", caller.user.id);
  const started = await logRejections(services, caller.uploader, requested, () =>
    startTus(services, caller.uploader, request, limit, now),
  );
  return { ...started, sent };
}

/** @throws AppError BAD_REQUEST */
function toStart({ fileSize, isOpenEnded, metadata, kept }: StartHeaders): StartTusRequest {
  const { expires, password, downloads, notify, transfer = "" } = metadata;
  if (transfer.length > TRANSFER_LABEL_MAX_CHARACTERS) {
    throw badHeader(`What "transfer" says in Upload-Metadata has at most ${TRANSFER_LABEL_MAX_CHARACTERS} characters.`);
  }
  const request = parse(startUploadRequest, {
    ...fileIn(metadata),
    fileSize,
    expiration: expires ?? DEFAULT_EXPIRATION,
    expirationChosen: expires !== undefined,
    guards: { password, maxDownloads: downloads === undefined ? undefined : (readByteCount(downloads) ?? Number.NaN) },
    notify,
  });
  return {
    ...request,
    isOpenEnded,
    transferLabel: transfer === "" ? null : transfer,
    metadata: kept,
    requestToken: null,
  };
}

async function startIntoRequest({ c, context, now }: StartCall, token: string): Promise<Start> {
  const found = await findRequest(context, token, now);
  admitPage(c, found.origins);
  const sending = toSending(readStart(c));
  const sent = readSent(c, sending);
  // A page that its owner has not named uses nothing up.
  await context.enforceRateLimit("startSending");
  const started = await startSendingByTus(context, requireOpen(found, now), sending, now);
  return { ...started, sent };
}

const OWNERS_CHOICES = ["expires", "downloads", "notify"] as const;

/** Empty fields count as none. @throws AppError BAD_REQUEST, also for what only the owner decides */
function toSending({ fileSize, isOpenEnded, metadata, kept }: StartHeaders): SendingStart {
  for (const field of OWNERS_CHOICES) if (metadata[field] !== undefined) throw setByOwner(field);
  const { filename, fileType } = parse(startUploadRequest, {
    ...fileIn(metadata),
    fileSize,
    expiration: DEFAULT_EXPIRATION,
  });
  const { senderName, senderEmail, note, password } = metadata;
  const sender = parse(senderFields, { senderName, senderEmail: senderEmail || undefined, note });
  const unlocking = password ? parse(unlockUploadRequest, { password }) : null;
  return { filename, fileType, fileSize, isOpenEnded, metadata: kept, sender, password: unlocking?.password ?? null };
}

function fileIn({ filename, name, filetype, type }: StartHeaders["metadata"]) {
  return { filename: filename ?? name, fileType: filetype ?? type };
}
