import { Hono, type Context } from "hono";
import { AppError } from "#domain/errors.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { MAX_REQUEST_BYTES } from "#domain/parts.ts";
import { KIB } from "#domain/units.ts";
import {
  cancelUploadRequest,
  completeUploadRequest,
  downloadId as downloadIdSchema,
  failedUploadRequest,
  partNumber,
  proxiedPartQuery,
  proxyUploadFields,
  signPartsRequest,
  startUploadRequest,
} from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import type { Caller } from "../callers/caller.ts";
import { cancelUpload, completeUpload, noteFailedUpload } from "../uploads/complete-upload.ts";
import { proxyPart, signParts } from "../uploads/parts.ts";
import { listUnfinished } from "../uploads/progress.ts";
import { readForm } from "../uploads/proxy-form.ts";
import { completeForm, discardFormFile, storeFormFile, type StoredFormFile } from "../uploads/proxy.ts";
import { startUpload } from "../uploads/start-upload.ts";
import { logRejections, type RequestedFile } from "../uploads/upload-log.ts";
import { readFromCaller, requireStarter, requireCaller } from "./caller.ts";
import { contentLength, parse, readJson, requireUser } from "./input.ts";

const FORM_OVERHEAD_BYTES = 16 * KIB;

export const directUploadRoutes = new Hono<AppEnv>()
  .post("/presigned-url", async (c) => {
    const { services } = c.get("context");
    const caller = await requireStarter(c);
    const request = await readJson(c, startUploadRequest);
    const { filename, fileType } = request;
    const requested = { filename, sizeBytes: request.fileSize, mimeType: mimeTypeOf(filename, fileType) };
    const start = () => startUpload(services, caller, request, enforceStartLimit(c, caller), Date.now());
    return c.json(await logRejections(services, caller, requested, start));
  })
  .post("/sign-parts", async (c) => {
    const { caller, request } = await readFromCaller(c, signPartsRequest);
    return c.json(await signParts(c.get("context").services, caller, request));
  })
  .put("/parts/:downloadId/:part", async (c) => {
    const caller = await requireCaller(c);
    const downloadId = parse(downloadIdSchema, c.req.param("downloadId"), "downloadId");
    const part = parse(partNumber, Number(c.req.param("part")), "part");
    const body = c.req.raw.body ?? new Blob([]).stream();
    const { crc32 } = parse(proxiedPartQuery, c.req.query());
    const partUpload = { downloadId, part, crc32, length: contentLength(c), body };
    const receipt = await proxyPart(c.get("context").services, caller, partUpload);
    c.header("etag", `"${receipt.etag}"`);
    return c.json(receipt);
  })
  .post("/complete", async (c) => {
    const { caller, request } = await readFromCaller(c, completeUploadRequest);
    return c.json(await completeUpload(c.get("context").services, caller, request));
  })
  .post("/cancel", async (c) => {
    const { caller, request } = await readFromCaller(c, cancelUploadRequest);
    await cancelUpload(c.get("context").services, caller, request.downloadId, request.summary);
    return c.json({ message: "The upload was cancelled." });
  })
  .post("/failed", async (c) => {
    const { caller, request } = await readFromCaller(c, failedUploadRequest);
    await noteFailedUpload(c.get("context").services, caller, request);
    return c.json({ message: "The summary was kept." });
  })
  .get("/unfinished", async (c) => {
    const user = await requireUser(c);
    return c.json(await listUnfinished(c.get("context").services, user));
  })
  .post("/proxy-upload", async (c) => {
    const { services } = c.get("context");
    const caller = await requireStarter(c);
    // `storeForm` fills in the file's name, size and type once it has read them.
    const requested = { filename: "", sizeBytes: contentLength(c) ?? 0, mimeType: "" };
    const upload = async () => {
      await enforceStartLimit(c, caller);
      if (requested.sizeBytes > MAX_REQUEST_BYTES + FORM_OVERHEAD_BYTES) throw new AppError("BODY_TOO_LARGE");
      return storeForm(c, caller, requested);
    };
    return c.json(await logRejections(services, caller, requested, upload));
  });

/** Deletes the stored file on an error. */
async function storeForm(c: Context<AppEnv>, caller: Caller, requested: RequestedFile) {
  const { services } = c.get("context");
  const stored: StoredFormFile[] = [];
  try {
    const fields = await readForm(c.req.raw.headers, c.get("body").ownPieces(), async (file) => {
      const form = await storeFormFile(services, file, MAX_REQUEST_BYTES);
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

export function enforceStartLimit(c: Context<AppEnv>, caller: Caller): Promise<void> {
  const { enforceRateLimit } = c.get("context");
  return caller.kind === "visitor"
    ? enforceRateLimit("anonymousUpload")
    : enforceRateLimit("startUpload", caller.userId);
}
