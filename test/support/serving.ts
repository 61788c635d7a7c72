import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "#worker/index.ts";
import { Client } from "./worker.ts";

/** The whole Worker with other settings, or with a part of it that fails. */
export function serving(settings: Env): (request: Request) => Promise<Response> {
  return async (request) =>
    worker.fetch(request as Request<unknown, IncomingRequestCfProperties>, settings, createExecutionContext());
}

/** The same, called from an address of its own. */
export function callingFrom(address: string, settings: Env, cookie = ""): Client {
  const send = serving(settings);
  return new Client(cookie, (request) => {
    request.headers.set("cf-connecting-ip", address);
    return send(request);
  });
}

/** The same object with one method of its own. */
export function bound<Target extends object>(
  target: Target,
  method: string,
  own: (...args: never[]) => unknown,
): Target {
  return new Proxy(target, {
    get(object, name): unknown {
      if (name === method) return own;
      const value: unknown = Reflect.get(object, name);
      return typeof value === "function" ? (value.bind(object) as unknown) : value;
    },
  });
}

/** The database with another way to prepare statements, in sessions too. */
export function preparing(prepare: (sql: string) => D1PreparedStatement): D1Database {
  const outside = bound(env.DB, "prepare", prepare);
  return bound(outside, "withSession", (bookmark: string) => bound(env.DB.withSession(bookmark), "prepare", prepare));
}
