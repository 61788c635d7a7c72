import { createRequestHandler } from "@remix-run/cloudflare";
import * as build from "#build/server/index.js";
import { AppError, ERRORS } from "#domain/errors.ts";
import { createApi } from "./api/app.ts";
import { createRequestContext } from "./context.ts";
import { servicesFor } from "./services.ts";
import { atLocalAddress } from "./local-address.ts";
import { logError, withRequestLog, requestLogOf } from "./log.ts";
import { refusePlainHttp } from "./middleware/https.ts";
import { requireOwnOrigin } from "./middleware/same-site.ts";
import { withSecurityHeaders } from "./middleware/security-headers.ts";
import { withSession } from "./db/replicas.ts";
import { createPageContext } from "./pages/page-context.ts";
import { createPagePatterns } from "./pages/page-patterns.ts";
import type { Settings } from "./settings.ts";
import { runHousekeeping } from "./sweep/housekeeping.ts";

export { RateLimiter } from "#durable-objects/rate-limiter.ts";
export { SocketCounter } from "#durable-objects/socket-counter.ts";
export { UploadSession } from "#durable-objects/upload-session.ts";

const api = createApi();
const pages = createRequestHandler(build, "production");
const patternOf = createPagePatterns(build.routes);

export default {
  fetch(request, given, ctx) {
    const env = atLocalAddress(given, request);
    return withRequestLog(request, async () => {
      const { origin, pathname } = new URL(request.url);
      const nonce = createNonce();
      const settings = findSettings(env);
      const isForApi = pathname === "/ws" || pathname === "/api" || pathname.startsWith("/api/");
      const answer = () => (isForApi ? api.fetch(request, env, ctx) : showPage(request, env, nonce));
      const response =
        (settings && refusePlainHttp(request, settings, isForApi)) ?? (await withSession(env.DB, request, answer));
      return withSecurityHeaders(response, { settings, origin, nonce, requestId: requestLogOf(request).id });
    });
  },

  async scheduled(_controller, env) {
    await runHousekeeping(servicesFor(atLocalAddress(env, null)), Date.now);
  },
} satisfies ExportedHandler<Env>;

async function showPage(request: Request, env: Env, nonce: string): Promise<Response> {
  const trace = requestLogOf(request);
  const { pathname } = new URL(request.url);
  trace.route = patternOf(pathname);
  if (pathname.endsWith(".data") && isPrefetch(request)) return new Response(null, { status: 204 });
  try {
    const context = createRequestContext(request, env);
    return await pages(requireOwnPage(request, context.services.settings), createPageContext(context, { nonce }));
  } catch (error) {
    if (error instanceof AppError) return new Response(error.message, { status: error.status });
    logError("page.failed", error);
    return new Response(`${ERRORS.INTERNAL.message}\nRequest ${trace.id}`, { status: ERRORS.INTERNAL.status });
  }
}

/**
 * Whether a browser asks for what may be wanted soon (Fetch standard, Sec-Purpose). Of a page's data nothing may be kept, so
 * it would be read twice: only the page's scripts are worth having early.
 */
function isPrefetch({ headers }: Request): boolean {
  return headers.get("sec-purpose")?.startsWith("prefetch") ?? false;
}

/**
 * Refuses what another site's page has sent, as the API does. Remix looks at the same headers, and fails over those that
 * are malformed, so it is spared them.
 * @throws AppError CROSS_SITE
 */
function requireOwnPage(request: Request, { origin }: Settings): Request {
  if (request.method === "GET") return request;
  requireOwnOrigin(request, origin);
  const headers = new Headers(request.headers);
  headers.delete("origin");
  headers.delete("x-forwarded-host");
  return new Request(request, { headers });
}

/** 128 random bits, new for each answer. */
function createNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
}

function findSettings(env: Env): Settings | null {
  try {
    return servicesFor(env).settings;
  } catch {
    return null;
  }
}
