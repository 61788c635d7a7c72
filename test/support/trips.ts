import { env } from "cloudflare:workers";

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

const texts = new WeakMap<object, string>();

/**
 * An environment far away from its database and its Durable Objects: each call takes a while and is noted, with how many
 * went before it one after the other. What calls is told by nothing but time, as it would be over a network.
 */
export function farAway(): FarAway {
  const trips: Trip[] = [];
  let answered = 0;
  const travel = async <Answer>(to: Trip["to"], queries: string[], call: () => Promise<Answer>): Promise<Answer> => {
    const depth = answered + 1;
    trips.push({ to, depth, queries });
    await scheduler.wait(TRIP_MS);
    try {
      return await call();
    } finally {
      answered = Math.max(answered, depth);
    }
  };
  const DB = farDatabase(travel, env.DB);
  return { env: { ...env, DB, ...farObjects(travel), RATE_LIMITS: "on" }, trips, waits: () => answered };
}

type Travel = <Answer>(to: Trip["to"], queries: string[], call: () => Promise<Answer>) => Promise<Answer>;

function farDatabase<Target extends D1Database | D1DatabaseSession>(travel: Travel, target: Target): Target {
  return new Proxy(target, {
    get(_, name): unknown {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        const call = () => Reflect.apply(value, target, args) as unknown;
        if (name === "withSession") return farDatabase(travel, call() as D1DatabaseSession);
        if (name === "prepare") return farStatement(travel, call() as D1PreparedStatement, String(args[0]));
        if (name !== "batch") return call();
        const statements = args[0] as D1PreparedStatement[];
        const queries = statements.map((statement) => texts.get(statement) ?? "");
        const real = statements.map((statement) => near.get(statement) ?? statement);
        return travel("D1", queries, () => target.batch(real));
      };
    },
  });
}

const near = new WeakMap<object, D1PreparedStatement>();

function farStatement(travel: Travel, statement: D1PreparedStatement, text: string): D1PreparedStatement {
  const far: D1PreparedStatement = new Proxy(statement, {
    get(_, name): unknown {
      const value: unknown = Reflect.get(statement, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        const call = () => Reflect.apply(value, statement, args) as unknown;
        if (name === "bind") return farStatement(travel, call() as D1PreparedStatement, text);
        return travel("D1", [text], call as () => Promise<unknown>);
      };
    },
  });
  texts.set(far, text);
  near.set(far, statement);
  return far;
}

function farObjects(travel: Travel): Pick<Env, "UPLOADS" | "LIMITERS" | "SOCKETS"> {
  const { UPLOADS, LIMITERS, SOCKETS } = env;
  return { UPLOADS: farNamespace(travel, UPLOADS), LIMITERS: farNamespace(travel, LIMITERS), SOCKETS };
}

function farNamespace<Namespace extends Env["UPLOADS"] | Env["LIMITERS"]>(
  travel: Travel,
  target: Namespace,
): Namespace {
  return new Proxy(target, {
    get(_, name): unknown {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        const found = Reflect.apply(value, target, args) as unknown;
        return name === "get" ? farStub(travel, found as object) : found;
      };
    },
  });
}

function farStub(travel: Travel, stub: object): object {
  return new Proxy(stub, {
    get(_, name): unknown {
      const value: unknown = Reflect.get(stub, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown =>
        travel("DO", [], () => Reflect.apply(value, stub, args) as Promise<unknown>);
    },
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
