import { env } from "cloudflare:workers";
import { between, withMethods, type Query } from "./between.ts";

/** One call to the database or to a Durable Object. */
export interface Trip {
  to: "D1" | "DO";
  /** How many calls, this one among them, went one after the other until it was answered. */
  depth: number;
  /** The queries it carried; none for a Durable Object. */
  queries: string[];
}

export interface FarAway {
  env: Env;
  trips: Trip[];
  /** How many calls have gone one after the other by now, answered ones alone. */
  waits(): number;
}

/** So long every call takes here, so that what goes side by side is seen to. */
const TRIP_MS = 120;

/**
 * An environment far away from its database and its Durable Objects: each call takes a while and is noted, with how many
 * went before it one after the other. What calls is told by nothing but time, as it would be over a network.
 */
export function farAway(): FarAway {
  const trips: Trip[] = [];
  let answered = 0;
  const travel = async (to: Trip["to"], queries: string[], call: () => unknown): Promise<unknown> => {
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
  const DB = between(env.DB, (queries, go) => travel("D1", queries.map(textOf), go));
  return { env: { ...env, DB, ...farObjects(travel), RATE_LIMITS: "on" }, trips, waits: () => answered };
}

type Travel = (to: Trip["to"], queries: string[], call: () => unknown) => Promise<unknown>;

function farObjects(travel: Travel): Pick<Env, "UPLOADS" | "LIMITERS" | "SOCKETS"> {
  const { UPLOADS, LIMITERS, SOCKETS } = env;
  return { UPLOADS: farNamespace(travel, UPLOADS), LIMITERS: farNamespace(travel, LIMITERS), SOCKETS };
}

function farNamespace<Namespace extends Env["UPLOADS"] | Env["LIMITERS"]>(
  travel: Travel,
  target: Namespace,
): Namespace {
  return withMethods(target, (name, call) => {
    if (name !== "get") return call;
    return (...args) =>
      withMethods(
        call(...args) as object,
        (_, method) =>
          (...sent) =>
            travel("DO", [], () => method(...sent)),
      );
  });
}

/** How many calls a request waits for, one after the other. What goes on after its answer is not counted. */
export async function waitsOf(far: FarAway, answer: () => Promise<Response>): Promise<number> {
  const response = await answer();
  const waits = far.waits();
  if (response.status >= 400) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return waits;
}
