import "./provided.ts";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TestProject } from "vitest/node";

/** Each token that begins with "good" is good once, as Turnstile's are. */
const used = new Set<string>();

/** Turnstile's siteverify (https://developers.cloudflare.com/turnstile/get-started/server-side-validation/). */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(await text(request));
  const token = form.get("response") ?? "";
  if (token === "broken") return void response.writeHead(500).end();
  if (token === "nonsense") return void response.end("<p>Welcome</p>");
  if (token === "cut") return void request.socket.destroy();
  const isKnown = form.get("secret") === "turnstile's secret" && form.has("remoteip");
  const success = isKnown && token.startsWith("good") && !used.has(token);
  used.add(token);
  response.end(JSON.stringify({ success, "error-codes": success ? [] : ["invalid-input-response"] }));
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  project.provide("turnstileUrl", `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`);
  return () => new Promise((resolve) => void server.close(() => resolve()));
}
