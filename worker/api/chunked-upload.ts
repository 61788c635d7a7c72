import type { CHUNKED_CALLS } from "#domain/calls/uploads.ts";
import { AppError } from "#domain/errors.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { MAX_CHUNK_BYTES } from "#domain/parts.ts";
import { KIB } from "#domain/units.ts";
import { chunkForm } from "#domain/wire.ts";
import { REQUEST_WAIT_MS, withMemory } from "../memory.ts";
import { finalizeChunked, initChunked, putChunk } from "../uploads/chunked.ts";
import { logRejections } from "../uploads/upload-log.ts";
import { enforceStartLimit } from "./direct-upload.ts";
import { parse } from "./input.ts";
import type { Handlers } from "./mount.ts";

const FORM_MAX_BYTES = MAX_CHUNK_BYTES + 16 * KIB;

export const chunkedHandlers: Handlers<typeof CHUNKED_CALLS> = {
  "POST /api/chunked-upload/init": ({ context, services, caller, body, now }) => {
    const { filename, fileType } = body;
    const requested = { filename, sizeBytes: body.totalSize, mimeType: mimeTypeOf(filename, fileType) };
    return logRejections(services, caller, requested, async () => {
      await enforceStartLimit(context, caller);
      return initChunked(services, caller, body, now);
    });
  },
  "POST /api/chunked-upload/chunk": ({ c, services, caller: lookup }) =>
    withErrorCode(async () => {
      const caller = await lookup;
      const length = Number(c.req.header("content-length") ?? NaN);
      if (Number.isNaN(length)) throw new AppError("LENGTH_REQUIRED");
      if (length > FORM_MAX_BYTES) throw new AppError("CHUNK_TOO_LARGE", { maxChunkSize: MAX_CHUNK_BYTES });
      return withMemory(length, REQUEST_WAIT_MS, async () =>
        putChunk(services, caller, parse(chunkForm, Object.fromEntries(await readForm(c.req.raw)))),
      );
    }),
  "POST /api/chunked-upload/finalize": ({ services, caller, body }) => finalizeChunked(services, caller, body),
};

/** The contract of `chunk` requires the error's code in the field `error` (decision 024). */
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
