import type { Append } from "./appender.ts";

const HEADER = "x-append";

/** A call of an upload's session whose bytes stay a stream, which a call by RPC would not cancel. */
export function appendRequest({ body, ...append }: Append): Request {
  // The address is never looked at.
  return new Request("https://session/", { method: "PATCH", headers: { [HEADER]: JSON.stringify(append) }, body });
}

/** @returns null for a request that opens a socket */
export function readAppend(request: Request): Append | null {
  if (request.method !== "PATCH") return null;
  const append = JSON.parse(request.headers.get(HEADER) ?? "") as Omit<Append, "body">;
  return { ...append, body: request.body };
}
