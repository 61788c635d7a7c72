import type { Context } from "hono";
import { AppError } from "#domain/errors.ts";
import { DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { requestSize } from "#domain/parts.ts";
import {
  METADATA_MAX_CHARACTERS,
  readByteCount,
  readChecksum,
  readMetadata,
  TRANSFER_LABEL_MAX_CHARACTERS,
  writeMetadata,
  type TusChecksum,
} from "#domain/tus/headers.ts";
import { TUS_ABILITIES, TUS_CONTENT_TYPE } from "#domain/tus/protocol.ts";
import type { CallName } from "#domain/v1/calls.ts";
import type { TUS_CALLS } from "#domain/v1/tus.ts";
import { startUploadRequest } from "#domain/wire.ts";
import type { AppEnv } from "../../app-env.ts";
import { localizedError } from "../../errors/translate-error.ts";
import type { Services } from "../../services.ts";
import { endTus } from "../../tus/end-tus.ts";
import { startTus, type StartTusRequest, type TusFile } from "../../tus/start-tus.ts";
import { appendTus, openTus, readTus, type TusBytes, type TusState } from "../../tus/tus-upload.ts";
import { logRejections } from "../../uploads/log-rejections.ts";
import { contentLength, parse } from "../input.ts";
import type { Handlers } from "./handler.ts";

export const tusHandlers: Handlers<keyof typeof TUS_CALLS> = {
  describeTus: () => Promise.resolve(new Response(null, { status: 204, headers: TUS_ABILITIES })),
  createTusUpload: async ({ c, context, caller, now }) => {
    const { services } = context;
    const request = readStart(c);
    const { filename, fileType, fileSize: sizeBytes, isOpenEnded } = request;
    const mayHaveBytes = isOpenEnded || sizeBytes > 0;
    const hasBytes = mayHaveBytes && hasBody(c);
    if (hasBytes) requireBytes(c);
    const checksum = hasBytes ? readChecksumOf(c) : null;
    const length = lengthOf(c);
    if (hasBytes && !isOpenEnded && (length ?? 0) > sizeBytes) {
      throw new AppError("BODY_TOO_LARGE", { message: `Upload-Length says ${sizeBytes} bytes.` });
    }
    const requested = { filename, sizeBytes, mimeType: mimeTypeOf(filename, fileType) };
    const limit = context.enforceRateLimit("startByKey", caller.user.id);
    const { file, url } = await logRejections(services, caller.uploader, requested, () =>
      startTus(services, caller.uploader, request, limit, now),
    );
    const sent = { offset: 0, body: hasBytes ? c.req.raw.body : null, checksum, length, declared: null };
    // An empty file is whole: its client sends nothing more.
    const state = await begin(services, file, hasBytes || !mayHaveBytes ? sent : null, now);
    const headers = { location: url, [HEADER_NAMES.link]: state.link, ...headersOf(state) };
    return new Response(null, { status: 201, headers });
  },
  readTusUpload: async ({ context, params, now }) => {
    const state = await readTus(context.services, await openTus(context, params, now));
    const { sizeBytes, filename, mimeType: filetype } = state;
    const told = { "upload-metadata": writeMetadata({ filename, filetype }), ...headersOf(state) };
    const headers = new Headers(told);
    if (sizeBytes === null) headers.set("upload-defer-length", "1");
    else headers.set("upload-length", String(sizeBytes));
    return new Response(null, { status: 200, headers });
  },
  appendTusUpload: async ({ c, context, params, now }) => {
    requireBytes(c);
    const offset = readByteCount(c.req.header("upload-offset"));
    if (offset === null) throw badHeader("Upload-Offset says where the first byte belongs, as a number of bytes.");
    const checksum = readChecksumOf(c);
    const declared = readDeclared(c);
    const file = await openTus(context, params, now);
    const sent = { offset, body: c.req.raw.body, checksum, length: lengthOf(c), declared };
    const state = await appendTus(context.services, file, sent, now);
    const headers = { ...headersOf(state), ...(state.expiresAt === null && { [HEADER_NAMES.link]: state.link }) };
    return new Response(null, { status: 204, headers });
  },
  endTusUpload: async ({ context, params, now }) => {
    await endTus(context.services, await openTus(context, params, now));
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

/** Stores what came with the start. What is refused of it can be sent again, at the offset in the answer. */
async function begin(services: Services, file: TusFile, sent: TusBytes | null, now: number): Promise<TusState> {
  if (sent === null) return readTus(services, file);
  try {
    return await appendTus(services, file, sent, now);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return readTus(services, file).catch(() => {
      // The refusal has ended the upload.
      throw error;
    });
  }
}

/** @throws AppError BAD_REQUEST */
function readStart(c: Context<AppEnv>): StartTusRequest {
  if (c.req.header("upload-concat") !== undefined) {
    throw badHeader("Parallel parts of one file are not taken: leave parallelUploads at 1.");
  }
  const [length, deferred] = [c.req.header("upload-length"), c.req.header("upload-defer-length")];
  const isOpenEnded = deferred === "1" && length === undefined;
  const fileSize = isOpenEnded ? 0 : readByteCount(length);
  if (fileSize === null || (deferred !== undefined && !isOpenEnded)) {
    throw badHeader("Upload-Length says the size of the file in bytes, or Upload-Defer-Length: 1 that it comes later.");
  }
  const header = c.req.header("upload-metadata") ?? "";
  const metadata = header.length > METADATA_MAX_CHARACTERS ? null : readMetadata(header);
  if (!metadata) {
    throw badHeader(
      `Upload-Metadata has at most ${METADATA_MAX_CHARACTERS} characters: pairs of a key and a value in Base64, separated by commas.`,
    );
  }
  const { expires, password, downloads, notify, transfer = "" } = metadata;
  if (transfer.length > TRANSFER_LABEL_MAX_CHARACTERS) {
    throw badHeader(`What "transfer" says in Upload-Metadata has at most ${TRANSFER_LABEL_MAX_CHARACTERS} characters.`);
  }
  const request = parse(startUploadRequest, {
    filename: metadata.filename ?? metadata.name,
    fileType: metadata.filetype ?? metadata.type,
    fileSize,
    expiration: expires ?? DEFAULT_EXPIRATION,
    expirationChosen: expires !== undefined,
    guards: { password, maxDownloads: downloads === undefined ? undefined : (readByteCount(downloads) ?? Number.NaN) },
    notify,
  });
  return { ...request, isOpenEnded, transferLabel: transfer === "" ? null : transfer };
}

/** The size of an upload that was started without one. @throws AppError BAD_REQUEST */
function readDeclared(c: Context<AppEnv>): number | null {
  const header = c.req.header("upload-length");
  if (header === undefined) return null;
  const declared = readByteCount(header);
  if (declared === null) throw badHeader("Upload-Length says the size of the file in bytes.");
  return declared;
}

/** @throws AppError BAD_REQUEST */
function readChecksumOf(c: Context<AppEnv>): TusChecksum | null {
  const header = c.req.header("upload-checksum");
  if (header === undefined) return null;
  const checksum = readChecksum(header);
  if (checksum) return checksum;
  throw badHeader("Upload-Checksum is sha1, sha256 or md5, a space, and the digest in Base64.");
}

/** In bytes; null where it is not known. */
function lengthOf(c: Context<AppEnv>): number | null {
  return c.req.raw.body === null ? 0 : contentLength(c);
}

function hasBody(c: Context<AppEnv>): boolean {
  return c.req.raw.body !== null && contentLength(c) !== 0;
}

/** @throws AppError UNSUPPORTED_MEDIA_TYPE, REQUEST_TOO_LARGE */
function requireBytes(c: Context<AppEnv>): void {
  if (c.req.header("content-type")?.toLowerCase() !== TUS_CONTENT_TYPE) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", { message: `Send the bytes as ${TUS_CONTENT_TYPE}.` });
  }
  const { maxRequestBytes } = c.get("context").services.settings;
  if ((contentLength(c) ?? 0) <= maxRequestBytes) return;
  throw localizedError("REQUEST_TOO_LARGE", "requestCarries", { size: requestSize(maxRequestBytes) });
}

function headersOf({ offset, expiresAt }: TusState): Record<string, string> {
  return {
    "upload-offset": String(offset),
    ...(expiresAt !== null && { "upload-expires": new Date(expiresAt).toUTCString() }),
  };
}

function badHeader(message: string): AppError {
  return new AppError("BAD_REQUEST", { message });
}
