import type { BodyOf } from "#app/lib/api-calls.ts";
import { call } from "#app/lib/api.ts";

export const uploadApi = {
  startUpload: (body: BodyOf<"POST /api/direct-upload/presigned-url">, signal: AbortSignal) =>
    call("POST /api/direct-upload/presigned-url", { body, signal }),
  signParts: (body: BodyOf<"POST /api/direct-upload/sign-parts">, signal: AbortSignal) =>
    call("POST /api/direct-upload/sign-parts", { body, signal }),
  completeUpload: (body: BodyOf<"POST /api/direct-upload/complete">, signal: AbortSignal) =>
    call("POST /api/direct-upload/complete", { body, signal }),
  initChunked: (body: BodyOf<"POST /api/chunked-upload/init">, signal: AbortSignal) =>
    call("POST /api/chunked-upload/init", { body, signal }),
  finalizeChunked: (uploadId: string, signal: AbortSignal) =>
    call("POST /api/chunked-upload/finalize", { body: { uploadId }, signal }),
  fixCors: (signal?: AbortSignal) => call("POST /api/diagnostics/public-fix-cors", { signal }),
};
