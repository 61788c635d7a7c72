import { createMiddleware } from "hono/factory";
import { CLI_VERSION } from "#domain/cli-package.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import type { AppEnv } from "../app-env.ts";

/**
 * A script of any page may call and read `/api/v1`: no cookie counts there, so a page has no more than any other program.
 * What a sender through an upload request gets is for the pages alone that its owner has named. An element such as an
 * image needs no CORS headers and sends no key: the policy for resources, which stays our own site's, refuses it.
 */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": `Content-Range, ETag, Location, ${HEADER_NAMES.link}, Retry-After, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Defer-Length, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset, X-Request-Id`,
};

/**
 * What a browser asks before a page's request (Fetch, section 3.3.3). Every page gets the same answer, also where the
 * request that follows carries the token of an upload request. Here is no token yet, so nobody knows whose list of sites
 * to ask, and an answer that depended on `Origin` would tell strangers which sites are on some list. It allows nothing by
 * itself: the request that follows has its `Origin` compared before anything begins (decision 044).
 */
const PREFLIGHT = {
  ...CORS,
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers": `Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, ${HEADER_NAMES.lease}, Range, Tus-Resumable, Upload-Checksum, Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset, X-HTTP-Method-Override, X-Request-ID, X-Requested-With`,
  "access-control-max-age": "86400",
};

export const v1Headers = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === "OPTIONS" && c.req.raw.headers.has("access-control-request-method")) {
    return new Response(null, { status: 204, headers: PREFLIGHT });
  }
  await next();
  // A WebSocket's response cannot be changed.
  if (c.res.webSocket) return;
  for (const [name, value] of Object.entries(corsFor(c.get("reader")))) c.header(name, value);
  // An old command line tells that there is a newer one.
  if (c.req.header(HEADER_NAMES.cli) !== undefined) c.header(HEADER_NAMES.cli, CLI_VERSION);
  // A 401 names how to answer it (RFC 9110, section 11.6.1).
  if (c.res.status === 401) c.header("www-authenticate", "Bearer");
});

function corsFor(reader: string | null | undefined): Record<string, string> {
  if (reader === undefined) return CORS;
  const vary = { vary: "Origin" };
  return reader === null ? vary : { ...CORS, ...vary, "access-control-allow-origin": reader };
}
