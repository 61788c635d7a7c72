import { UploadSession } from "#durable-objects/upload-session.ts";
import { between, withMethods } from "./between.ts";
import { ownObjects } from "./own-objects.ts";

/** What happens to one call: it is refused, or it goes through and its answer is lost. */
export interface Fault {
  strikes: "before" | "after";
  message: string;
}

/** As D1 and R2 say it. */
export const LOST_ANSWER: Fault = { strikes: "after", message: "D1_ERROR: Network connection lost." };
export const LOST_REQUEST: Fault = { strikes: "before", message: "D1_ERROR: Network connection lost." };
export const OVERLOADED: Fault = {
  strikes: "before",
  message: "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
};
export const STORE_ERROR: Fault = {
  strikes: "before",
  message: "We encountered an internal error. Please try again. (10001)",
};
export const STORE_ANSWER_LOST: Fault = { strikes: "after", message: "Network connection lost." };
export const STORE_THROTTLED: Fault = {
  strikes: "before",
  message: "Reduce your concurrent request rate for the same object. (10058)",
};

/** Decides over a call as it comes; `what` is its SQL (statements of a batch on lines of their own), or the store's method. */
export type Fate = (what: string) => Fault | null;

async function struck(fault: Fault | null, call: () => unknown): Promise<unknown> {
  if (fault?.strikes === "before") throw new Error(fault.message);
  const answer = await call();
  if (fault) throw new Error(fault.message);
  return answer;
}

/** The real database behind a line that fails as `fate` says. */
export function faultyDatabase(database: D1Database, fate: Fate): D1Database {
  return between(database, (queries, go) => struck(fate(queries.map(({ text }) => text).join("\n")), go));
}

/** The real store behind a line that fails as `fate` says. */
export function faultyBucket(bucket: R2Bucket, fate: Fate): R2Bucket {
  const faulty = <Target extends object>(target: Target): Target =>
    withMethods(target, (name, call) => {
      if (name === "resumeMultipartUpload") return (...args) => faulty(call(...args) as R2MultipartUpload);
      return (...args) => struck(fate(String(name)), () => call(...args));
    });
  return faulty(bucket);
}

/** Strikes those calls that `matches`, so often, with that fault; `struck` counts them. */
export function strike(
  times: number,
  fault: Fault,
  matches: (what: string) => boolean,
): { fate: Fate; struck: string[] } {
  const struck: string[] = [];
  const fate: Fate = (what) => {
    if (struck.length >= times || !matches(what)) return null;
    struck.push(what);
    return fault;
  };
  return { fate, struck };
}

/**
 * The environment behind lines that fail: for the Worker, and for the Durable Objects of uploads too, which are the real
 * class on their real storage.
 */
export function faultyEnv(environment: Env, database: Fate, bucket: Fate): Env {
  const faulty: Env = {
    ...environment,
    DB: faultyDatabase(environment.DB, database),
    BUCKET: faultyBucket(environment.BUCKET, bucket),
  };
  faulty.UPLOADS = ownObjects(environment.UPLOADS, UploadSession, faulty);
  return faulty;
}
