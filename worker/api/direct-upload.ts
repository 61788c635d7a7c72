import type { Context } from "hono";
import type { UPLOAD_CALLS } from "#domain/calls/uploads.ts";
import { AppError } from "#domain/errors.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { MAX_REQUEST_BYTES } from "#domain/parts.ts";
import { KIB } from "#domain/units.ts";
import { downloadId as downloadIdSchema, partNumber, proxiedPartQuery, proxyUploadFields } from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import type { Caller } from "../callers/caller.ts";
import type { RequestContext } from "../context.ts";
import {
  cancelUpload,
  completeUpload,
  noteFailedUpload,
  proxyPart,
  signParts,
  startUpload,
} from "../uploads/direct-upload.ts";
import { listUnfinished } from "../uploads/progress.ts";
import { readForm } from "../uploads/proxy-form.ts";
import { completeForm, discardFormFile, storeFormFile, type StoredFormFile } from "../uploads/proxy.ts";
import { logRejections, type RequestedFile } from "../uploads/upload-log.ts";
import { contentLength, parse } from "./input.ts";
import type { Handlers } from "./mount.ts";

const FORM_OVERHEAD_BYTES = 16 * KIB;

export const uploadHandlers: Handlers<typeof UPLOAD_CALLS> = {
  "POST /api/direct-upload/presigned-url": ({ context, services, caller, body, now }) => {
    const { filename, fileType } = body;
    const requested = { filename, sizeBytes: body.fileSize, mimeType: mimeTypeOf(filename, fileType) };
    return logRejections(services, caller, requested, () =>
      startUpload(services, caller, body, enforceStartLimit(context, caller), now),
    );
  },
  "POST /api/direct-upload/sign-parts": ({ services, caller, body }) => signParts(services, caller, body),
  "PUT /api/direct-upload/parts/:downloadId/:part": async ({ c, services, caller: lookup, params }) => {
    const caller = await lookup;
    const downloadId = parse(downloadIdSchema, params.downloadId, "downloadId");
    const part = parse(partNumber, Number(params.part), "part");
    const body = c.req.raw.body ?? new Blob([]).stream();
    const { crc32 } = parse(proxiedPartQuery, c.req.query());
    const receipt = await proxyPart(services, caller, { downloadId, part, crc32, length: contentLength(c), body });
    c.header("etag", `"${receipt.etag}"`);
    return receipt;
  },
  "POST /api/direct-upload/complete": ({ services, caller, body }) => completeUpload(services, caller, body),
  "POST /api/direct-upload/cancel": ({ services, caller, body }) =>
    cancelUpload(services, caller, body.downloadId, body.summary),
  "POST /api/direct-upload/failed": ({ services, caller, body }) => noteFailedUpload(services, caller, body),
  "GET /api/direct-upload/unfinished": ({ services, user }) => listUnfinished(services, user),
  "POST /api/direct-upload/proxy-upload": ({ c, context, services, caller }) => {
    // `storeForm` sets the file's name, size and type when it has read them.
    const requested = { filename: "", sizeBytes: contentLength(c) ?? 0, mimeType: "" };
    return logRejections(services, caller, requested, async () => {
      await enforceStartLimit(context, caller);
      if (requested.sizeBytes > MAX_REQUEST_BYTES + FORM_OVERHEAD_BYTES) throw new AppError("BODY_TOO_LARGE");
      return storeForm(c, caller, requested);
    });
  },
};

/** Stores the form's file, and deletes it on an error. */
async function storeForm(c: Context<AppEnv>, caller: Caller, requested: RequestedFile) {
  const { services } = c.get("context");
  const stored: StoredFormFile[] = [];
  try {
    const fields = await readForm(c.req.raw.headers, c.get("body").ownPieces(), async (file) => {
      const form = await storeFormFile(services, caller, file, MAX_REQUEST_BYTES);
      Object.assign(requested, {
        filename: form.filename,
        sizeBytes: form.sizeBytes,
        mimeType: mimeTypeOf(form.filename, form.contentType),
      });
      stored.push(form);
    });
    const [form] = stored;
    if (!form) throw new AppError("BAD_REQUEST", { message: "The form has no file." });
    return await completeForm(services, caller, form, () =>
      parse(proxyUploadFields, { ...Object.fromEntries(fields), filename: fields.get("filename") ?? form.filename }),
    );
  } catch (error) {
    for (const form of stored) await discardFormFile(services, form);
    throw error;
  }
}

export function enforceStartLimit({ enforceRateLimit }: RequestContext, caller: Caller): Promise<void> {
  return caller.kind === "visitor"
    ? enforceRateLimit("anonymousUpload")
    : enforceRateLimit("startUpload", caller.userId);
}
