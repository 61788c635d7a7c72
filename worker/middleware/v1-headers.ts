import { createMiddleware } from "hono/factory";
import { CLI_VERSION } from "#domain/cli-package.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import type { AppEnv } from "../app-env.ts";

/**
 * A script of any website may call `/api/v1` and read its answers: `/api/v1` reads no cookie, so a page can do no more
 * than a program. The answers to senders into an upload request are an exception: only websites that the request's
 * owner has listed may read them. An element such as an image sends no key, and `cross-origin-resource-policy` keeps it
 * from showing answers.
 */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": `Content-Range, ETag, Location, ${HEADER_NAMES.link}, Retry-After, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Defer-Length, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset, X-Request-Id`,
};

/**
 * The answer to a preflight (Fetch, section 3.3.3), the same for every page. A preflight carries no token of an upload
 * request, so the request's list of websites is unknown, and an answer that depended on `Origin` would tell strangers
 * which websites are on some list. The answer to a preflight allows nothing alone: the `Origin` of the next request is
 * compared first (decision 044).
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
  // Tells the command line its newest version, so that an older program can ask its user to update.
  if (c.req.header(HEADER_NAMES.cli) !== undefined) c.header(HEADER_NAMES.cli, CLI_VERSION);
  // An answer 401 names how to authenticate (RFC 9110, section 11.6.1).
  if (c.res.status === 401) c.header("www-authenticate", "Bearer");
});

function corsFor(reader: string | null | undefined): Record<string, string> {
  if (reader === undefined) return CORS;
  const vary = { vary: "Origin" };
  return reader === null ? vary : { ...CORS, ...vary, "access-control-allow-origin": reader };
}
