import { retryStorageCall } from "#domain/retry.ts";
import { describeError, logError, logWarning } from "../log.ts";

/** What R2 says when another attempt may succeed (R2 error codes: internal error, unavailable, too many requests). */
const PASSING = ["(10001)", "(10043)", "(10058)", "Network connection lost", "internal error"];

/** Calls that may come twice: reads, deletions, and those that end where they ended before. */
const REPEATABLE = new Set<PropertyKey>([
  "head",
  "get",
  "list",
  "delete",
  "createMultipartUpload",
  "complete",
  "abort",
]);

/**
 * The bucket, with every call that may come twice repeated after a passing fault. A stream can be sent only once: what
 * carries one is for its caller to repeat. A fault that stays is in the log, and thrown.
 */
export function openBucket(binding: R2Bucket): R2Bucket {
  return new Proxy(binding, {
    get(target, name): unknown {
      if (name !== "resumeMultipartUpload") return outliving(target, name);
      return (key: string, uploadId: string) =>
        new Proxy(target.resumeMultipartUpload(key, uploadId), { get: (upload, method) => outliving(upload, method) });
    },
  });
}

function outliving(target: R2Bucket | R2MultipartUpload, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  if (typeof value !== "function") return value;
  return (...args: unknown[]) => {
    const call = () => Reflect.apply(value, target, args) as Promise<unknown>;
    const mayRepeat = (error: unknown) => isPassing(error) && (REPEATABLE.has(name) || mayPutTwice(name, args));
    return retryStorageCall(call, mayRepeat, (error, failed) => {
      logWarning("r2.retried", { call: String(name), failed, error: describeError(error) });
    }).catch((error: unknown) => {
      if (isPassing(error)) logError("r2.failed", error, { call: String(name) });
      throw error;
    });
  };
}

/** Bytes that are held can be sent again, unless the store is asked to judge what was there before. */
function mayPutTwice(name: string | symbol, [, body, options]: unknown[]): boolean {
  if (name !== "put" && name !== "uploadPart") return false;
  const isConditional = typeof options === "object" && options !== null && "onlyIf" in options;
  return !(body instanceof ReadableStream) && !isConditional;
}

function isPassing(error: unknown): boolean {
  const text = String(error);
  return PASSING.some((message) => text.includes(message));
}
