import { retryStorageCall } from "#domain/storage-retry.ts";
import { describeError, logError, logWarning } from "../log.ts";

// Messages of D1's transient errors: https://developers.cloudflare.com/d1/observability/debug-d1/#error-list

/** Errors after which the statement did not run, so any statement may be retried. */
const REJECTED = ["D1 DB is overloaded", "Cannot resolve D1 DB due to transient issue"];
/** Errors after which the statement may have run, so only reads and idempotent writes may be retried. */
const LOST = [
  "Network connection lost",
  "caused object to be reset",
  "reset because its code was updated",
  "was reset",
  "D1 DB storage operation exceeded timeout",
];

function classifyError(error: unknown): "rejected" | "lost" | null {
  // Drizzle wraps D1's error.
  const text = String(error instanceof Error ? (error.cause ?? error) : error);
  if (REJECTED.some((message) => text.includes(message))) return "rejected";
  return LOST.some((message) => text.includes(message)) ? "lost" : null;
}

function logRetry(error: unknown, failed: number): void {
  logWarning("d1.retried", { failed, error: describeError(error) });
}

/** Statements that only read. `with` may begin a write, so it is not in the list. */
const READS = /^\s*(select|explain)\b/i;

/**
 * Retries reads after every transient error, and writes that did not run; for other writes see `retryIdempotent`. Logs
 * and throws the error of the last attempt. D1 itself also retries reads
 * (https://developers.cloudflare.com/d1/best-practices/retry-queries/).
 */
export function withRetries(binding: D1Database): D1Database {
  const originals = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; isRead: boolean }>();

  const run = <Result>(isRead: boolean, call: () => Promise<Result>): Promise<Result> =>
    retryStorageCall(
      call,
      (error) => {
        const fault = classifyError(error);
        return fault === "rejected" || (fault === "lost" && isRead);
      },
      logRetry,
    ).catch((error: unknown) => {
      const fault = classifyError(error);
      if (fault) logError("d1.failed", error, { fault, isRead });
      throw error;
    });

  const wrap = (statement: D1PreparedStatement, isRead: boolean): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name): unknown {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values), isRead);
        return (...args: unknown[]) => run(isRead, () => Reflect.apply(value, target, args) as Promise<unknown>);
      },
    });
    originals.set(wrapped, { statement, isRead });
    return wrapped;
  };

  return new Proxy(binding, {
    get(target, name): unknown {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name === "prepare") return (query: string) => wrap(target.prepare(query), READS.test(query));
      if (name !== "batch") return (...args: unknown[]) => Reflect.apply(value, target, args) as unknown;
      return (statements: D1PreparedStatement[]) => {
        const unwrapped = statements.map((each) => originals.get(each) ?? { statement: each, isRead: false });
        const targets = unwrapped.map(({ statement }) => statement);
        return run(
          unwrapped.every(({ isRead }) => isRead),
          () => target.batch(targets),
        );
      };
    },
  });
}

/** Retries an idempotent write after a lost answer. @returns the result of the last run */
export function retryIdempotent<Result>(write: () => PromiseLike<Result>): Promise<Result> {
  return retryStorageCall(
    async () => await write(),
    (error) => classifyError(error) === "lost",
    logRetry,
  );
}

/** Whether D1 refused a row because another row has the same unique value. Drizzle wraps D1's error. */
export function isUniqueViolation(error: unknown): boolean {
  return String(error instanceof Error ? (error.cause ?? error) : error).includes("UNIQUE");
}
