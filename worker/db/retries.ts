import { retryStorageCall } from "#domain/retry.ts";
import { describeError, logError, logWarning } from "../log.ts";

/** How D1's passing faults are told from its other errors (Cloudflare, "Debug D1", list of D1_ERRORs), and outlived. */

/** The statement never ran: whatever it does, it may be sent again. */
const REFUSED = ["D1 DB is overloaded", "Cannot resolve D1 DB due to transient issue"];
/** It may have run, and its answer was lost. */
const LOST = [
  "Network connection lost",
  "caused object to be reset",
  "reset because its code was updated",
  "was reset",
  "D1 DB storage operation exceeded timeout",
];

/** What an error says of the statement that it ended. */
export function faultOf(error: unknown): "refused" | "lost" | null {
  // Drizzle's error names the query; the reason is its cause.
  const text = String(error instanceof Error ? (error.cause ?? error) : error);
  if (REFUSED.some((message) => text.includes(message))) return "refused";
  return LOST.some((message) => text.includes(message)) ? "lost" : null;
}

function noteRetry(error: unknown, failed: number): void {
  logWarning("d1.retried", { failed, error: describeError(error) });
}

/** Only reads begin so here: no statement of ours writes after a `with`. */
const READS = /^\s*(select|explain)\b/i;

/**
 * A binding whose reads are repeated after any passing fault, and whose writes where they never ran. A fault that stays
 * is in the log, and thrown. A write that may come twice says so itself: `repeatable`.
 */
export function withRetries(binding: D1Database): D1Database {
  const originals = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; isRead: boolean }>();

  const run = <Result>(isRead: boolean, call: () => Promise<Result>): Promise<Result> =>
    retryStorageCall(
      call,
      (error) => {
        const fault = faultOf(error);
        return fault === "refused" || (fault === "lost" && isRead);
      },
      noteRetry,
    ).catch((error: unknown) => {
      const fault = faultOf(error);
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
        const known = statements.map((each) => originals.get(each) ?? { statement: each, isRead: false });
        const plain = known.map(({ statement }) => statement);
        return run(
          known.every(({ isRead }) => isRead),
          () => target.batch(plain),
        );
      };
    },
  });
}

/**
 * Makes a write that may run twice without doing anything twice: where its answer was lost, it is sent again. What it
 * answers then is what the second run found.
 */
export function repeatable<Result>(write: () => PromiseLike<Result>): Promise<Result> {
  return retryStorageCall(
    async () => await write(),
    (error) => faultOf(error) === "lost",
    noteRetry,
  );
}
