import { retryStorageCall } from "#domain/storage-retry.ts";
import { describeError, logError, logWarning } from "../log.ts";

/** Errors that a retry may resolve. R2 codes: internal error, unavailable, too many requests. */
const TRANSIENT_ERRORS = ["(10001)", "(10043)", "(10058)", "Network connection lost", "internal error"];

const IDEMPOTENT_CALLS = new Set<PropertyKey>([
  "head",
  "get",
  "list",
  "delete",
  "createMultipartUpload",
  "complete",
  "abort",
]);

/**
 * Retries idempotent calls after a transient error, except calls with a stream. If all attempts fail, logs and throws
 * the last error.
 */
export function openBucket(binding: R2Bucket): R2Bucket {
  return new Proxy(binding, {
    get(target, name): unknown {
      if (name !== "resumeMultipartUpload") return withRetries(target, name);
      return (key: string, uploadId: string) =>
        new Proxy(target.resumeMultipartUpload(key, uploadId), {
          get: (upload, method) => withRetries(upload, method),
        });
    },
  });
}

function withRetries(target: R2Bucket | R2MultipartUpload, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  if (typeof value !== "function") return value;
  return (...args: unknown[]) => {
    const call = () => Reflect.apply(value, target, args) as Promise<unknown>;
    const mayRetry = (error: unknown) =>
      isTransient(error) && (IDEMPOTENT_CALLS.has(name) || isRepeatablePut(name, args));
    return retryStorageCall(call, mayRetry, (error, failed) =>
      logWarning("r2.retried", { call: String(name), failed, error: describeError(error) }),
    ).catch((error: unknown) => {
      if (isTransient(error)) logError("r2.failed", error, { call: String(name) });
      throw error;
    });
  };
}

/** A put with a condition is not retried, because the first attempt may have changed what the condition tests. */
function isRepeatablePut(name: string | symbol, [, body, options]: unknown[]): boolean {
  if (name !== "put" && name !== "uploadPart") return false;
  const isConditional = typeof options === "object" && options !== null && "onlyIf" in options;
  return !(body instanceof ReadableStream) && !isConditional;
}

function isTransient(error: unknown): boolean {
  const text = String(error);
  return TRANSIENT_ERRORS.some((message) => text.includes(message));
}
