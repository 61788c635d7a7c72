import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "#domain/errors.ts";
import { requestSize } from "#domain/parts.ts";
import {
  keptMetadata,
  METADATA_MAX_CHARACTERS,
  readByteCount,
  readChecksum,
  readMetadata,
  type TusChecksum,
  type TusMetadata,
  TUS_CONTENT_TYPE,
  TUS_MISMATCH_STATUS,
  TUS_VERSION,
} from "#domain/tus.ts";
import type { AppEnv } from "../../app-env.ts";
import { localizedError } from "../../errors/translate-error.ts";
import { answerError } from "../../middleware/answer-error.ts";
import type { TusBytes } from "../../tus/tus-upload.ts";
import { contentLength } from "../input.ts";

/** The headers that every start of a tus upload has. */
export interface StartHeaders {
  /** 0 for an upload that is started without a size. */
  fileSize: number;
  isOpenEnded: boolean;
  metadata: TusMetadata;
  /** The `Upload-Metadata` header without a password. */
  kept: string;
}

/** @throws AppError BAD_REQUEST */
export function readStart(c: Context<AppEnv>): StartHeaders {
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
  return { fileSize, isOpenEnded, metadata, kept: keptMetadata(header) };
}

/**
 * The bytes in the request that starts an upload. The start of an empty file completes the upload, although it has no
 * bytes.
 * @returns null if the request sends none of the file's bytes
 * @throws AppError BAD_REQUEST, UNSUPPORTED_MEDIA_TYPE, REQUEST_TOO_LARGE, BODY_TOO_LARGE
 */
export function readSent(
  c: Context<AppEnv>,
  { fileSize, isOpenEnded }: Pick<StartHeaders, "fileSize" | "isOpenEnded">,
): TusBytes | null {
  const isEmpty = fileSize === 0 && !isOpenEnded;
  const hasBytes = !isEmpty && hasBody(c);
  if (hasBytes) requireBytes(c);
  const checksum = hasBytes ? readChecksumOf(c) : null;
  const length = lengthOf(c);
  if (hasBytes && !isOpenEnded && (length ?? 0) > fileSize) {
    throw new AppError("BODY_TOO_LARGE", { message: `Upload-Length says ${fileSize} bytes.` });
  }
  if (!hasBytes && !isEmpty) return null;
  return { offset: 0, body: hasBytes ? c.get("body") : null, checksum, length, declared: null };
}

/**
 * The size in bytes that a later request gives to an upload which was started without a size. Null without a header.
 * @throws AppError BAD_REQUEST
 */
export function readDeclared(c: Context<AppEnv>): number | null {
  const header = c.req.header("upload-length");
  if (header === undefined) return null;
  const declared = readByteCount(header);
  if (declared === null) throw badHeader("Upload-Length says the size of the file in bytes.");
  return declared;
}

/** @throws AppError BAD_REQUEST */
export function readChecksumOf(c: Context<AppEnv>): TusChecksum | null {
  const header = c.req.header("upload-checksum");
  if (header === undefined) return null;
  const checksum = readChecksum(header);
  if (checksum) return checksum;
  throw badHeader("Upload-Checksum is sha1, sha256 or md5, a space, and the digest in Base64.");
}

/** The length of the request's body in bytes; null if the length is not known. */
export function lengthOf(c: Context<AppEnv>): number | null {
  return c.req.raw.body === null ? 0 : contentLength(c);
}

function hasBody(c: Context<AppEnv>): boolean {
  return c.req.raw.body !== null && contentLength(c) !== 0;
}

/** @throws AppError UNSUPPORTED_MEDIA_TYPE, REQUEST_TOO_LARGE */
export function requireBytes(c: Context<AppEnv>): void {
  if (c.req.header("content-type")?.toLowerCase() !== TUS_CONTENT_TYPE) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", { message: `Send the bytes as ${TUS_CONTENT_TYPE}.` });
  }
  const { maxRequestBytes } = c.get("context").services.settings;
  if ((contentLength(c) ?? 0) <= maxRequestBytes) return;
  throw localizedError("REQUEST_TOO_LARGE", "requestCarries", { size: requestSize(maxRequestBytes) });
}

export function badHeader(message: string): AppError {
  return new AppError("BAD_REQUEST", { message });
}

/**
 * Adds tus's headers to every answer, and refuses other versions of tus. OPTIONS needs no version, because a client
 * chooses the version after it.
 */
export const tusHeaders = createMiddleware<AppEnv>(async (c, next) => {
  const isSpoken = c.req.method === "OPTIONS" || c.req.header("tus-resumable") === TUS_VERSION;
  if (isSpoken) await next();
  else c.res = answerError(new AppError("TUS_VERSION_UNKNOWN"), c);
  if (c.error instanceof AppError && c.error.code === "CHECKSUM_MISMATCH") {
    c.res = new Response(c.res.body, { status: TUS_MISMATCH_STATUS, headers: c.res.headers });
  }
  c.header("tus-resumable", TUS_VERSION);
  if (!isSpoken) c.header("tus-version", TUS_VERSION);
});
