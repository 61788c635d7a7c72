import { Hono } from "hono";
import { AppError } from "#domain/errors.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { MAX_CHUNK_BYTES } from "#domain/parts.ts";
import { KIB } from "#domain/units.ts";
import { chunkForm, finalizeChunkedRequest, initChunkedRequest } from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { finalizeChunked, initChunked, putChunk } from "../uploads/chunked.ts";
import { logRejections } from "../uploads/upload-log.ts";
import { readFromCaller, requireStarter, requireCaller } from "./caller.ts";
import { enforceStartLimit } from "./direct-upload.ts";
import { parse, readJson } from "./input.ts";

const FORM_MAX_BYTES = MAX_CHUNK_BYTES + 16 * KIB;

export const chunkedUploadRoutes = new Hono<AppEnv>()
  .post("/init", async (c) => {
    const { services } = c.get("context");
    const caller = await requireStarter(c);
    const request = await readJson(c, initChunkedRequest);
    const { filename, fileType } = request;
    const requested = { filename, sizeBytes: request.totalSize, mimeType: mimeTypeOf(filename, fileType) };
    const start = async () => {
      await enforceStartLimit(c, caller);
      return initChunked(services, caller, request, Date.now());
    };
    return c.json(await logRejections(services, caller, requested, start));
  })
  .post("/chunk", async (c) => {
    const storeChunk = async () => {
      const caller = await requireCaller(c);
      const length = Number(c.req.header("content-length") ?? NaN);
      if (Number.isNaN(length)) throw new AppError("LENGTH_REQUIRED");
      if (length > FORM_MAX_BYTES) throw new AppError("CHUNK_TOO_LARGE", { maxChunkSize: MAX_CHUNK_BYTES });
      const request = parse(chunkForm, Object.fromEntries(await readForm(c.req.raw)));
      return putChunk(c.get("context").services, caller, request);
    };
    return c.json(await withErrorCode(storeChunk));
  })
  .post("/finalize", async (c) => {
    const { caller, request } = await readFromCaller(c, finalizeChunkedRequest);
    return c.json(await finalizeChunked(c.get("context").services, caller, request));
  });

/** The contract of this call requires the code as `error` (decision 024). */
async function withErrorCode<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof AppError ? error.with({ error: error.code }) : error;
  }
}

async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw new AppError("BAD_REQUEST", { message: "Send the chunk as multipart/form-data." });
  }
}
