import { env } from "cloudflare:workers";
import { interceptQueries, wrapMethods, type Query } from "./query-interceptor.ts";

/** A call to D1 or a Durable Object. */
export interface Trip {
  to: "D1" | "DO";
  /** The length of the chain of sequential calls that ends with this one. */
  depth: number;
  /** SQL; empty for a Durable Object. */
  queries: string[];
}

export interface SlowEnv {
  env: Env;
  trips: Trip[];
  /** The longest chain of sequential calls so far. */
  sequentialCalls(): number;
}

/** Delay of every call, so that parallel calls can be told from sequential ones. */
const TRIP_MS = 120;

/** Delays and records each call to D1 and Durable Objects. */
export function createSlowEnv(): SlowEnv {
  const trips: Trip[] = [];
  let answered = 0;
  const delayed = async (to: Trip["to"], queries: string[], call: () => unknown): Promise<unknown> => {
    const depth = answered + 1;
    trips.push({ to, depth, queries });
    await scheduler.wait(TRIP_MS);
    try {
      return await call();
    } finally {
      answered = Math.max(answered, depth);
    }
  };
  const textOf = ({ text }: Query) => text;
  const DB = interceptQueries(env.DB, (queries, proceed) => delayed("D1", queries.map(textOf), proceed));
  return { env: { ...env, DB, ...slowObjects(delayed), RATE_LIMITS: "on" }, trips, sequentialCalls: () => answered };
}

type DelayedCall = (to: Trip["to"], queries: string[], call: () => unknown) => Promise<unknown>;

function slowObjects(delayed: DelayedCall): Pick<Env, "UPLOADS" | "TRANSFERS" | "LIMITERS" | "GATES" | "FEEDS"> {
  return {
    UPLOADS: slowNamespace(delayed, env.UPLOADS),
    TRANSFERS: slowNamespace(delayed, env.TRANSFERS),
    LIMITERS: slowNamespace(delayed, env.LIMITERS),
    GATES: slowNamespace(delayed, env.GATES),
    FEEDS: slowNamespace(delayed, env.FEEDS),
  };
}

function slowNamespace<Namespace extends Env["UPLOADS" | "TRANSFERS" | "LIMITERS" | "GATES" | "FEEDS"]>(
  delayed: DelayedCall,
  target: Namespace,
): Namespace {
  return wrapMethods(target, (name, call) => {
    if (name !== "get") return call;
    return (...args) =>
      wrapMethods(
        call(...args) as object,
        (_, method) =>
          (...sent) =>
            delayed("DO", [], () => method(...sent)),
      );
  });
}

/** How many sequential calls a request waits for. Work after the response does not count. */
export async function countSequentialCalls(slow: SlowEnv, answer: () => Promise<Response>): Promise<number> {
  const response = await answer();
  const count = slow.sequentialCalls();
  if (response.status >= 400) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return count;
}
