import { AsyncLocalStorage } from "node:async_hooks";
import { AppError } from "#domain/errors.ts";
import { retryStorageCall } from "#domain/storage-retry.ts";
import { SECOND_MS } from "#domain/units.ts";
import { describeError, logError, logWarning } from "../log.ts";

/**
 * - `overloaded`: the statement did not run. Cloudflare's advice is fewer requests, spread over time.
 * - `strained`: the advice is the same, but the statement may have run.
 * - `full`: nothing can be added until rows are deleted. Reads go on.
 * - `rejected`: the statement did not run. The advice is to retry.
 * - `lost`: the advice is to retry, but the statement may have run.
 */
type Fault = "overloaded" | "strained" | "full" | "rejected" | "lost";

/**
 * Texts in D1's messages (https://developers.cloudflare.com/d1/observability/debug-d1/#error-list; that page says
 * nothing about a full database). The first text that a message contains decides.
 */
const FAULTS: readonly (readonly [text: string, fault: Fault])[] = [
  ["D1 DB is overloaded", "overloaded"],
  ["D1 DB storage operation exceeded timeout", "strained"],
  ["exceeded its memory limit", "strained"],
  ["exceeded its CPU time limit", "strained"],
  ["Exceeded maximum DB size", "full"],
  ["exceeded D1's maximum account storage limit", "full"],
  ["SQLITE_FULL", "full"],
  ["Cannot resolve D1 DB due to transient issue", "rejected"],
  ["Network connection lost", "lost"],
  ["caused object to be reset", "lost"],
  ["reset because its code was updated", "lost"],
  ["Replica disconnected from primary", "lost"],
  ["client disconnected", "lost"],
];

function classifyError(error: unknown): Fault | null {
  // Drizzle wraps D1's error in one of its own.
  const text = String(error instanceof Error ? (error.cause ?? error) : error);
  return FAULTS.find(([message]) => text.includes(message))?.[1] ?? null;
}

/**
 * How long a caller who was turned away should wait, in seconds. The number is random, so that callers do not come back
 * together.
 */
const BUSY_SECONDS = { least: 5, most: 15 };
/**
 * The least wait before an overloaded database is asked again. Three retries stay below the 30 s that `waitUntil`
 * allows.
 */
const OVERLOADED_WAIT_MS = SECOND_MS;
const FAILED_WAIT_MS = SECOND_MS / 20;

interface Caller {
  isAnswered: boolean;
  refusal: AppError | null;
}

/** The caller of the current request. Work in Durable Objects and in the cron has no caller. */
const currentCaller = new AsyncLocalStorage<Caller>();

/**
 * Runs `answer`, for which a caller waits. If the database is overloaded, the caller is turned away at once, and work
 * that goes on after the answer was sent waits and tries again.
 */
export function answerCaller<Result>(answer: () => Promise<Result>): Promise<Result> {
  const caller: Caller = { isAnswered: false, refusal: null };
  return currentCaller.run(caller, async () => {
    try {
      return await answer();
    } finally {
      caller.isAnswered = true;
    }
  });
}

/**
 * The answer to a request that has failed because the database is overloaded or full, even if a library has turned the
 * database's error into another one.
 * @returns AppError DATABASE_BUSY or DATABASE_FULL; null if the database refused nothing
 */
export function databaseRefusal(): AppError | null {
  return currentCaller.getStore()?.refusal ?? null;
}

function refusalOf(fault: Fault): AppError | null {
  if (fault === "full") return new AppError("DATABASE_FULL");
  if (fault !== "overloaded" && fault !== "strained") return null;
  const { least, most } = BUSY_SECONDS;
  return new AppError("DATABASE_BUSY", {
    retryAfterSeconds: least + Math.floor(Math.random() * (most - least + 1)),
  });
}

function mayRepeat(fault: Fault | null, isRead: boolean): boolean {
  if (fault === "overloaded") return currentCaller.getStore()?.isAnswered === true;
  return fault === "rejected" || (fault === "lost" && isRead);
}

/** Logs a fault of the database, and remembers the fault for the caller's answer. */
function noteFault(error: unknown, isRead: boolean): void {
  const fault = classifyError(error);
  if (fault === null) return;
  logError("d1.failed", error, { fault, isRead });
  const caller = currentCaller.getStore();
  if (caller) caller.refusal ??= refusalOf(fault);
}

function logRetry(error: unknown, failed: number): void {
  logWarning("d1.retried", { failed, error: describeError(error) });
}

/** Statements that only read. A statement that begins with `with` does not match, because it may write. */
const READS = /^\s*(select|explain)\b/i;

/**
 * Retries reads after every transient error, and writes that did not run; for other writes see `retryIdempotent`. Asks
 * an overloaded database again only in work after the answer was sent (`answerCaller`); alarms, queues and the cron
 * have retries of their own. Logs and throws the error of the last attempt. D1 itself also retries reads
 * (https://developers.cloudflare.com/d1/best-practices/retry-queries/).
 */
export function withRetries(binding: D1Database): D1Database {
  const originals = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; isRead: boolean }>();

  const run = <Result>(isRead: boolean, call: () => Promise<Result>): Promise<Result> =>
    retryStorageCall(
      call,
      (error) => mayRepeat(classifyError(error), isRead),
      logRetry,
      (error) => (classifyError(error) === "overloaded" ? OVERLOADED_WAIT_MS : FAILED_WAIT_MS),
    ).catch((error: unknown) => {
      noteFault(error, isRead);
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

/** Repeats an idempotent write whose answer from D1 was lost. @returns the result of the last run */
export function retryIdempotent<Result>(write: () => PromiseLike<Result>): Promise<Result> {
  return retryStorageCall(
    async () => await write(),
    (error) => classifyError(error) === "lost",
    logRetry,
  );
}

/**
 * Whether D1 refused a row because another row has the same unique value. Drizzle wraps D1's error in one of its own.
 */
export function isUniqueViolation(error: unknown): boolean {
  return String(error instanceof Error ? (error.cause ?? error) : error).includes("UNIQUE");
}
