import { createExecutionContext } from "cloudflare:test";
import worker from "#worker/index.ts";
import { withMethods } from "./between.ts";
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
  return withMethods(target, (name, call) => (name === method ? (own as typeof call) : call));
}
