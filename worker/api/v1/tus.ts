import type { Context } from "hono";
import { AppError } from "#domain/errors.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { readByteCount, TUS_ABILITIES, TRANSFER_LABEL_MAX_CHARACTERS } from "#domain/tus.ts";
import type { CallName } from "#domain/v1/calls.ts";
import type { TUS_CALLS } from "#domain/v1/tus.ts";
import { senderFields, startUploadRequest, unlockUploadRequest } from "#domain/wire.ts";
import type { AppEnv } from "../../app-env.ts";
import { findOrigins } from "../../db/upload-requests.ts";
import { localizedError } from "../../errors/translate-error.ts";
import type { Program } from "../../keys/authenticate.ts";
import { findRequest, requireOpenRequest, setByOwner } from "../../requests/open-request.ts";
import type { Services } from "../../services.ts";
import {
  type TusFile,
  startTus,
  type StartedTus,
  type StartTusRequest,
  startSendingByTus,
  type SendingStart,
} from "../../tus/start-tus.ts";
import { endTus, appendTus, readTus, type TusBytes, type TusState, openTus } from "../../tus/tus-upload.ts";
import { logRejections } from "../../uploads/upload-log.ts";
import { parse } from "../input.ts";
import type { Handlers, V1Request } from "./handler.ts";
import {
  badHeader,
  lengthOf,
  readChecksumOf,
  readDeclared,
  requireBytes,
  readSent,
  readStart,
  type StartHeaders,
} from "./tus-headers.ts";

export const tusHandlers: Handlers<keyof typeof TUS_CALLS> = {
  describeTus: () => Promise.resolve(new Response(null, { status: 204, headers: TUS_ABILITIES })),
  createTusUpload: async (request) => {
    const { context, now } = request;
    const { file, url, sent } = await start(request);
    const state = await begin(context.services, file, sent, now);
    return new Response(null, { status: 201, headers: { location: url, ...linkOf(state), ...headersOf(state) } });
  },
  readTusUpload: async (request) => {
    const state = await readTus(request.context.services, await uploadOf(request));
    const { sizeBytes, metadata } = state;
    const headers = new Headers(headersOf(state));
    if (metadata !== "") headers.set("upload-metadata", metadata);
    if (sizeBytes === null) headers.set("upload-defer-length", "1");
    else headers.set("upload-length", String(sizeBytes));
    return new Response(null, { status: 200, headers });
  },
  appendTusUpload: async (request) => {
    const { c, context, now } = request;
    const file = await uploadOf(request);
    requireBytes(c);
    const offset = readByteCount(c.req.header("upload-offset"));
    if (offset === null) throw badHeader("Upload-Offset says where the first byte belongs, as a number of bytes.");
    const checksum = readChecksumOf(c);
    const declared = readDeclared(c);
    const sent = { offset, body: c.get("body"), checksum, length: lengthOf(c), declared };
    const state = await appendTus(context.services, file, sent, now);
    const headers = { ...headersOf(state), ...(state.expiresAt === null && linkOf(state)) };
    return new Response(null, { status: 204, headers });
  },
  endTusUpload: async (request) => {
    await endTus(request.context.services, await uploadOf(request));
    return undefined;
  },
};

/** The call that `X-HTTP-Method-Override` names, for clients that can only POST. @throws AppError BAD_REQUEST */
export function overriddenCall(c: Context<AppEnv>): CallName {
  const method = c.req.header("x-http-method-override")?.toUpperCase();
  if (method === "PATCH") return "appendTusUpload";
  if (method === "DELETE") return "endTusUpload";
  if (method === "HEAD") return "readTusUpload";
  throw badHeader("A POST to this address needs X-HTTP-Method-Override: PATCH, DELETE or HEAD.");
}

/** Stores the bytes of a start request. If the bytes are rejected, the client resends them from the answer's offset. */
async function begin(services: Services, file: TusFile, sent: TusBytes | null, now: number): Promise<TusState> {
  if (sent === null) return readTus(services, file);
  try {
    return await appendTus(services, file, sent, now);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return readTus(services, file).catch(() => {
      // The upload cannot be read, because the rejection of its bytes has ended it.
      throw error;
    });
  }
}

function headersOf({ offset, expiresAt }: TusState): Record<string, string> {
  return {
    "upload-offset": String(offset),
    ...(expiresAt !== null && { "upload-expires": new Date(expiresAt).toUTCString() }),
  };
}

/** The header with the link. A sender through an upload request never gets the link. */
function linkOf({ link }: TusState): Record<string, string> {
  return link === null ? {} : { [HEADER_NAMES.link]: link };
}

type StartCall = V1Request<"createTusUpload">;
/** `sent`: the bytes in the request that starts the upload; null if the request has none. */
type Start = StartedTus & { sent: TusBytes | null };

/**
 * Starts an upload by an API key or into an upload request.
 * @throws AppError KEY_MISSING, and the errors of `startByKey` and `startIntoRequest`
 */
function start(call: StartCall): Promise<Start> {
  if (call.program !== null) return startByKey(call, call.program);
  if (call.requestToken !== null) return startIntoRequest(call, call.requestToken);
  throw new AppError("KEY_MISSING");
}

async function startByKey({ c, context, now }: StartCall, program: Program): Promise<Start> {
  const { services } = context;
  const request = toStart(readStart(c));
  const { filename, fileType, fileSize: sizeBytes } = request;
  const sent = readSent(c, request);
  const requested = { filename, sizeBytes, mimeType: mimeTypeOf(filename, fileType) };
  const limit = context.enforceRateLimit("startByKey", program.user.id);
  const started = await logRejections(services, program.caller, requested, () =>
    startTus(services, program.caller, request, limit, now),
  );
  return { ...started, sent };
}

/** @throws AppError BAD_REQUEST */
function toStart({ fileSize, isOpenEnded, metadata, kept }: StartHeaders): StartTusRequest {
  const { expires, expiresAt, password, downloads, notify, transfer = "" } = metadata;
  if (transfer.length > TRANSFER_LABEL_MAX_CHARACTERS) {
    throw badHeader(`What "transfer" says in Upload-Metadata has at most ${TRANSFER_LABEL_MAX_CHARACTERS} characters.`);
  }
  const request = parse(startUploadRequest, {
    ...fileIn(metadata),
    fileSize,
    expiration: expires,
    expirationChosen: expires !== undefined,
    expiresAt,
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
  // Counts the start after `admitPage`, so that a website that is not in the request's list uses up no starts.
  await context.enforceRateLimit("startSending");
  const started = await startSendingByTus(context, requireOpenRequest(found, now), sending, now);
  return { ...started, sent };
}

const OWNERS_CHOICES = ["expires", "expiresAt", "downloads", "notify"] as const;

/**
 * Reads a start into an upload request from tus's headers. Treats empty fields as missing.
 * @throws AppError BAD_REQUEST, also for a field that only the owner decides
 */
function toSending({ fileSize, isOpenEnded, metadata, kept }: StartHeaders): SendingStart {
  for (const field of OWNERS_CHOICES) if (metadata[field] !== undefined) throw setByOwner(field);
  const { filename, fileType } = parse(startUploadRequest, { ...fileIn(metadata), fileSize });
  const { senderName, senderEmail, note, password } = metadata;
  const sender = parse(senderFields, { senderName, senderEmail: senderEmail || undefined, note });
  const unlocking = password ? parse(unlockUploadRequest, { password }) : null;
  return { filename, fileType, fileSize, isOpenEnded, metadata: kept, sender, password: unlocking?.password ?? null };
}

function fileIn({ filename, name, filetype, type }: StartHeaders["metadata"]) {
  return { filename: filename ?? name, fileType: filetype ?? type };
}

type UploadCall = "readTusUpload" | "appendTusUpload" | "endTusUpload";

/**
 * Finds the upload at the address of a call. Refuses pages of websites that are not in the upload request's list.
 * @throws AppError CROSS_SITE, and the errors of `openTus`
 */
async function uploadOf(request: Pick<V1Request<UploadCall>, "c" | "context" | "params" | "requestToken" | "now">) {
  const { c, context, params, requestToken, now } = request;
  const opening = openTus(context, params, requestToken, now);
  const page = c.req.header("origin");
  if (requestToken === null || page === undefined) return opening;
  // Finds the list of websites by the token, not by the upload, so that a page may also read the error for an upload
  // that is gone.
  const [origins, file] = await Promise.allSettled([findOrigins(context.services.db, requestToken), opening]);
  if (origins.status === "rejected") throw origins.reason;
  if (origins.value !== null) admitPage(c, origins.value);
  if (file.status === "rejected") throw file.reason;
  // An upload request that was deleted since the upload's start has no list of websites. Uploads that started before
  // the deletion may finish.
  if (origins.value === null && file.value.bound.kind === "sender") c.set("reader", page);
  return file.value;
}

/**
 * Refuses a page of a website that is not in the upload request's list, and lets a page of the list read the answer. A
 * program sends no `Origin`.
 * @throws AppError CROSS_SITE
 */
function admitPage(c: Context<AppEnv>, origins: readonly string[]): void {
  const page = c.req.header("origin");
  if (page === undefined) return;
  if (!origins.includes(page)) throw localizedError("CROSS_SITE", "requestFromElsewhere", {});
  c.set("reader", page);
}
