import { createRequestHandler } from "@remix-run/cloudflare";
import * as build from "#build/server/index.js";
import { ERRORS } from "#domain/errors.ts";
import { createApi } from "./api/app.ts";
import { createRequestContext, servicesFor } from "./context.ts";
import { logFault, logged, traceOf } from "./log.ts";
import { withSecurityHeaders } from "./middleware/security-headers.ts";
import { createPageContext } from "./page-context.ts";
import { createPagePatterns } from "./page-patterns.ts";
import type { Settings } from "./settings.ts";
import { runHousekeeping } from "./sweep/housekeeping.ts";

export { RateLimiter } from "#durable-objects/rate-limiter.ts";
export { SocketCounter } from "#durable-objects/socket-counter.ts";
export { UploadSession } from "#durable-objects/upload-session.ts";

const api = createApi();
const pages = createRequestHandler(build, "production");
const patternOf = createPagePatterns(build.routes);

export default {
  fetch(request, env, ctx) {
    return logged(request, async () => {
      const { origin, pathname } = new URL(request.url);
      const nonce = createNonce();
      const forApi = pathname === "/ws" || pathname === "/api" || pathname.startsWith("/api/");
      const response = forApi ? await api.fetch(request, env, ctx) : await showPage(request, env, nonce);
      return withSecurityHeaders(response, {
        ...{ settings: findSettings(env), origin, nonce, requestId: traceOf(request).id },
      });
    });
  },

  async scheduled(_controller, env) {
    await runHousekeeping(servicesFor(env), Date.now);
  },
} satisfies ExportedHandler<Env>;

async function showPage(request: Request, env: Env, nonce: string): Promise<Response> {
  const trace = traceOf(request);
  trace.route = patternOf(new URL(request.url).pathname);
  try {
    return await pages(request, createPageContext(createRequestContext(request, env), { nonce }));
  } catch (error) {
    logFault("page.failed", error);
    return new Response(`${ERRORS.INTERNAL.message}\nRequest ${trace.id}`, { status: ERRORS.INTERNAL.status });
  }
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
