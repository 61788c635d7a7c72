import type { BodyOf } from "#app/lib/api-calls.ts";
import { call } from "#app/lib/api.ts";

export const uploadApi = {
  /** Starts cannot be aborted: the server may have begun, and only its answer tells what to cancel. */
  startUpload: (body: BodyOf<"POST /api/direct-upload/presigned-url">) =>
    call("POST /api/direct-upload/presigned-url", { body }),
  signParts: (body: BodyOf<"POST /api/direct-upload/sign-parts">, signal: AbortSignal) =>
    call("POST /api/direct-upload/sign-parts", { body, signal }),
  completeUpload: (body: BodyOf<"POST /api/direct-upload/complete">, signal: AbortSignal) =>
    call("POST /api/direct-upload/complete", { body, signal }),
  initChunked: (body: BodyOf<"POST /api/chunked-upload/init">) => call("POST /api/chunked-upload/init", { body }),
  finalizeChunked: (uploadId: string, signal: AbortSignal) =>
    call("POST /api/chunked-upload/finalize", { body: { uploadId }, signal }),
  fixCors: (signal?: AbortSignal) => call("POST /api/diagnostics/public-fix-cors", { signal }),
};
