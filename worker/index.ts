import { createRequestHandler } from "@remix-run/cloudflare";
import * as build from "#build/server/index.js";
import { createApi } from "./api/app.ts";
import { createRequestContext, servicesFor } from "./context.ts";
import { withSecurityHeaders } from "./middleware/security-headers.ts";
import { withSession } from "./db/replicas.ts";
import { createPageContext } from "./page-context.ts";
import { runHousekeeping } from "./sweep/housekeeping.ts";

export { RateLimiter } from "#durable-objects/rate-limiter.ts";
export { SocketCounter } from "#durable-objects/socket-counter.ts";
export { UploadSession } from "#durable-objects/upload-session.ts";

const api = createApi();
const pages = createRequestHandler(build, "production");

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    const forApi = pathname === "/ws" || pathname === "/api" || pathname.startsWith("/api/");
    const answer = () =>
      forApi ? api.fetch(request, env, ctx) : pages(request, createPageContext(createRequestContext(request, env)));
    return withSecurityHeaders(await withSession(env.DB, request, answer));
  },

  async scheduled(_controller, env) {
    await runHousekeeping(servicesFor(env), Date.now);
  },
} satisfies ExportedHandler<Env>;
