import { runInDurableObject } from "cloudflare:test";
import { UploadSession } from "#durable-objects/upload-session.ts";

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
  const known = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; query: string }>();
  const wrap = (statement: D1PreparedStatement, query: string): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name): unknown {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values), query);
        return (...args: unknown[]) => struck(fate(query), () => Reflect.apply(value, target, args) as unknown);
      },
    });
    known.set(wrapped, { statement, query });
    return wrapped;
  };
  return new Proxy(database, {
    get(target, name): unknown {
      if (name === "prepare") return (query: string) => wrap(target.prepare(query), query);
      if (name !== "batch") return Reflect.get(target, name) as unknown;
      return (statements: D1PreparedStatement[]) => {
        const real = statements.map((each) => known.get(each) ?? { statement: each, query: "" });
        const queries = real.map(({ query }) => query).join("\n");
        return struck(fate(queries), () => target.batch(real.map(({ statement }) => statement)));
      };
    },
  });
}

/** The real store behind a line that fails as `fate` says. */
export function faultyBucket(bucket: R2Bucket, fate: Fate): R2Bucket {
  const method = (target: R2Bucket | R2MultipartUpload, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(target, name);
    if (typeof value !== "function") return value;
    return (...args: unknown[]) => struck(fate(String(name)), () => Reflect.apply(value, target, args) as unknown);
  };
  return new Proxy(bucket, {
    get(target, name): unknown {
      if (name !== "resumeMultipartUpload") return method(target, name);
      return (key: string, id: string) =>
        new Proxy(target.resumeMultipartUpload(key, id), { get: (upload, call) => method(upload, call) });
    },
  });
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
  const sessions = new Map<string, UploadSession>();
  faulty.UPLOADS = new Proxy(environment.UPLOADS, {
    get(target, name): unknown {
      if (name !== "get") return bound(target, name);
      return (id: DurableObjectId) => {
        const stub = target.get(id);
        return new Proxy(stub, {
          get: (_, method) => {
            if (method === "then") return undefined;
            return (...args: unknown[]) =>
              runInDurableObject(stub, (_instance, state) => {
                const known = sessions.get(id.toString()) ?? new UploadSession(state, faulty);
                sessions.set(id.toString(), known);
                const call = bound(known, method) as (...args: unknown[]) => unknown;
                return call(...args);
              });
          },
        });
      };
    },
  });
  return faulty;
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === "function" ? (value.bind(target) as unknown) : value;
}
