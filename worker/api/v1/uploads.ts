import type { Context } from "hono";
import { mimeTypeOf } from "#domain/mime.ts";
import { isMultipart, PART_CONTENT_TYPE, planParts } from "#domain/parts.ts";
import { startKeyHeader, type UPLOAD_CALLS } from "#domain/v1/uploads.ts";
import { startUploadRequest, type CompleteUploadAnswer } from "#domain/wire.ts";
import type { AppEnv } from "../../app-env.ts";
import { cancelUpload, completeUpload, proxyPart, signParts, startUpload } from "../../uploads/direct-upload.ts";
import { putManifest } from "../../uploads/manifest.ts";
import { readUpload } from "../../uploads/progress.ts";
import { startKeyOf, type StartKey } from "../../uploads/start-key.ts";
import { logRejections } from "../../uploads/upload-log.ts";
import { shareUrl, toIso } from "../../urls.ts";
import { contentLength, parse } from "../input.ts";
import { joinAsSender } from "../socket.ts";
import type { Handlers } from "./handler.ts";

export const uploadHandlers: Handlers<keyof typeof UPLOAD_CALLS> = {
  startUpload: async ({ c, context, program, body, now }) => {
    const { services } = context;
    const { name, size, type, expires, sha256 = null, ...rest } = body;
    const startKey = await readStartKey(c, body);
    const request = parse(startUploadRequest, {
      ...rest,
      filename: name,
      fileType: type,
      fileSize: size,
      expiration: expires,
      expirationChosen: expires !== undefined,
    });
    const requested = { filename: name, sizeBytes: size, mimeType: mimeTypeOf(name, type) };
    const limit = context.enforceRateLimit("startByKey", program.user.id);
    const started = await logRejections(services, program.caller, requested, () =>
      startUpload(services, program.caller, request, limit, now, { sha256, startKey }),
    );
    const { uploadId: id, downloadId, shareUrl: link, expiresAt, received, urls, fileData } = started;
    const upload = { ...planOf(size, started.multipart), urls, headers: headersFor(size, fileData.contentType) };
    const { guards, seal, marks, sums } = started;
    return { id, downloadId, link, expiresAt, received, upload, guards, seal, marks, sums };
  },
  signParts: async ({ context, program, params, body }) => {
    const { services } = context;
    const { file } = await readUpload(services, program.caller, params.id);
    const signed = await signParts(services, program.caller, { downloadId: params.id, ...body });
    return { ...signed, headers: headersFor(file.size, file.mimeType) };
  },
  sendPart: async ({ c, context, program, params, query }) => {
    const body = c.req.raw.body ?? new Blob([]).stream();
    const sent = { downloadId: params.id, ...params, ...query, length: contentLength(c), body };
    const { part, etag } = await proxyPart(context.services, program.caller, sent);
    c.header("etag", `"${etag}"`);
    return { part, etag };
  },
  completeUpload: async ({ context, program, params, body }) => {
    const request = { downloadId: params.id, ...body, mustMatch: true };
    return completedOf(await completeUpload(context.services, program.caller, request));
  },
  readUpload: async ({ context, program, params }) => {
    const { services } = context;
    const { file, progress, received, parts } = await readUpload(services, program.caller, params.id);
    return {
      id: file.id,
      downloadId: file.downloadId,
      link: shareUrl(services.settings, file.downloadId),
      name: file.filename,
      size: file.size,
      state: file.status,
      progress,
      ...(received && { received }),
      ...(parts && { upload: planOf(file.size, parts) }),
      expiresAt: toIso(file.expiresAt?.getTime() ?? null),
    };
  },
  cancelUpload: async ({ context, program, params }) => {
    await cancelUpload(context.services, program.caller, params.id);
    return undefined;
  },
  putManifest: async ({ context, program, params, body }) => {
    await context.enforceRateLimit("putManifest", program.user.id);
    return putManifest(context.services, program.caller, params.id, body);
  },
  followUpload: ({ c, program, params }) => joinAsSender(c, program.caller, params.id),
};

/** @returns null if the request has no `Idempotency-Key` @throws AppError BAD_REQUEST */
export async function readStartKey(c: Context<AppEnv>, body: unknown): Promise<StartKey | null> {
  const header = c.req.header("idempotency-key");
  return startKeyOf(header === undefined ? null : parse(startKeyHeader, header, "Idempotency-Key"), body);
}

/** @param parts how the file was divided into parts when the upload started */
function planOf(sizeBytes: number, parts = planParts(sizeBytes)) {
  const kind: "put" | "parts" = isMultipart(sizeBytes) ? "parts" : "put";
  return { kind, partSize: parts.partSizeBytes, partCount: parts.partCount };
}

/** The headers that a presigned URL's signature covers. */
function headersFor(sizeBytes: number, contentType: string): Record<string, string> {
  return { "content-type": isMultipart(sizeBytes) ? PART_CONTENT_TYPE : contentType };
}

/** Renames the fields of a finished upload to those of `/api/v1`. */
export function completedOf({ shareUrl: link, filename: name, ...answer }: CompleteUploadAnswer) {
  return { ...answer, link, name };
}
