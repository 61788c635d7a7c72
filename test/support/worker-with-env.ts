import { createExecutionContext } from "cloudflare:test";
import worker from "#worker/index.ts";
import { servicesFor } from "#worker/services.ts";
import { wrapMethods } from "./query-interceptor.ts";
import { Client } from "./worker.ts";

export function workerWith(environment: Env): (request: Request) => Promise<Response> {
  return async (request) =>
    worker.fetch(request as Request<unknown, IncomingRequestCfProperties>, environment, createExecutionContext());
}

/**
 * Watches what the Worker with this environment does behind its answers. Call before its first request.
 * @returns a function that waits until nothing of it runs
 */
export function watchBackground(environment: Env): () => Promise<void> {
  const services = servicesFor(environment);
  const { waitUntil } = services;
  const running: Promise<unknown>[] = [];
  services.waitUntil = (work) => {
    running.push(work);
    waitUntil(work);
  };
  return async () => {
    while (running.length > 0) await Promise.allSettled(running.splice(0));
  };
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
