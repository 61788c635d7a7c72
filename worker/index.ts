import { createRequestHandler } from "@remix-run/cloudflare";
import * as build from "#build/server/index.js";
import { createApi } from "./api/app.ts";
import { createRequestContext, servicesFor } from "./context.ts";
import { withSecurityHeaders } from "./middleware/security-headers.ts";
import { createPageContext } from "./page-context.ts";
import { sweep } from "./sweep/sweep.ts";

export { UploadSession } from "#durable-objects/upload-session.ts";

const api = createApi();
const pages = createRequestHandler(build, "production");

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    const forApi = pathname === "/ws" || pathname === "/api" || pathname.startsWith("/api/");
    const response = forApi
      ? await api.fetch(request, env, ctx)
      : await pages(request, createPageContext(createRequestContext(request, env, ctx)));
    return withSecurityHeaders(response);
  },

  async scheduled(_controller, env) {
    const result = await sweep(servicesFor(env), Date.now);
    console.log({ event: "sweep", ...result });
  },
} satisfies ExportedHandler<Env>;
