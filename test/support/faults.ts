import { TransferSession } from "#durable-objects/transfer/transfer-session.ts";
import { UploadSession } from "#durable-objects/upload/upload-session.ts";
import { namespaceWithEnv } from "./durable-objects-with-env.ts";
import { interceptQueries, wrapMethods } from "./query-interceptor.ts";

/** An error before the call runs, or after it ran. */
export interface Fault {
  strikes: "before" | "after";
  message: string;
}

// Messages of D1 and R2.
export const LOST_ANSWER: Fault = { strikes: "after", message: "D1_ERROR: Network connection lost." };
export const LOST_REQUEST: Fault = { strikes: "before", message: "D1_ERROR: Network connection lost." };
export const TURNED_AWAY: Fault = {
  strikes: "before",
  message: "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
};
export const OVERLOADED: Fault = {
  strikes: "before",
  message: "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
};
export const TIMED_OUT: Fault = {
  strikes: "after",
  message: "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
};
export const FULL: Fault = { strikes: "before", message: "D1_ERROR: Exceeded maximum DB size" };
export const STORE_ERROR: Fault = {
  strikes: "before",
  message: "We encountered an internal error. Please try again. (10001)",
};
export const STORE_ANSWER_LOST: Fault = { strikes: "after", message: "Network connection lost." };
export const STORE_THROTTLED: Fault = {
  strikes: "before",
  message: "Reduce your concurrent request rate for the same object. (10058)",
};

/** Chooses the fault of a call. `call` is its SQL (a batch's statements on separate lines), or the bucket's method. */
export type Fate = (call: string) => Fault | null;

async function callWithFault(fault: Fault | null, call: () => unknown): Promise<unknown> {
  if (fault?.strikes === "before") throw new Error(fault.message);
  const answer = await call();
  if (fault) throw new Error(fault.message);
  return answer;
}

function faultyDatabase(database: D1Database, fate: Fate): D1Database {
  return interceptQueries(database, (queries, proceed) =>
    callWithFault(fate(queries.map(({ text }) => text).join("\n")), proceed),
  );
}

function faultyBucket(bucket: R2Bucket, fate: Fate): R2Bucket {
  const faulty = <Target extends object>(target: Target): Target =>
    wrapMethods(target, (name, call) => {
      if (name === "resumeMultipartUpload") return (...args) => faulty(call(...args) as R2MultipartUpload);
      return (...args) => callWithFault(fate(String(name)), () => call(...args));
    });
  return faulty(bucket);
}

/** Fails the first `times` calls that match; `struck` lists them. */
export function strike(
  times: number,
  fault: Fault,
  matches: (call: string) => boolean,
): { fate: Fate; struck: string[] } {
  const struck: string[] = [];
  const fate: Fate = (call) => {
    if (struck.length >= times || !matches(call)) return null;
    struck.push(call);
    return fault;
  };
  return { fate, struck };
}

/**
 * Injects faults for the Worker, and for the Durable Objects of uploads and transfers (the real classes on their real
 * storage).
 */
export function faultyEnv(environment: Env, database: Fate, bucket: Fate): Env {
  const faulty: Env = {
    ...environment,
    DB: faultyDatabase(environment.DB, database),
    BUCKET: faultyBucket(environment.BUCKET, bucket),
  };
  faulty.UPLOADS = namespaceWithEnv(environment.UPLOADS, UploadSession, faulty);
  faulty.TRANSFERS = namespaceWithEnv(environment.TRANSFERS, TransferSession, faulty);
  return faulty;
}

/** An environment in which no call to an account's feed succeeds. */
export function withoutFeeds(environment: Env): Env {
  const FEEDS = wrapMethods(environment.FEEDS, (name, call) => {
    if (name !== "get") return call;
    return (...args) =>
      wrapMethods(
        call(...args) as object,
        (_, method) =>
          (...sent) =>
            callWithFault(LOST_REQUEST, () => method(...sent)),
      );
  });
  return { ...environment, FEEDS };
}
