import { createExecutionContext } from "cloudflare:test";
import worker from "#worker/index.ts";
import { wrapMethods } from "./query-interceptor.ts";
import { Client } from "./worker.ts";

export function workerWith(environment: Env): (request: Request) => Promise<Response> {
  return async (request) =>
    worker.fetch(request as Request<unknown, IncomingRequestCfProperties>, environment, createExecutionContext());
}

/** A client with its own IP address. */
export function clientFrom(address: string, environment: Env, cookie = ""): Client {
  const send = workerWith(environment);
  return new Client(cookie, (request) => {
    request.headers.set("cf-connecting-ip", address);
    return send(request);
  });
}

export function withMethod<Target extends object>(
  target: Target,
  method: string,
  replacement: (...args: never[]) => unknown,
): Target {
  return wrapMethods(target, (name, call) => (name === method ? (replacement as typeof call) : call));
}
