import { createRequestHandler } from "@remix-run/cloudflare";
import * as build from "#build/server/index.js";
import { readsBuiltFile } from "#domain/built-files.ts";
import { createApp } from "./app.ts";
import { createPages } from "./load-context/remix-handler.ts";
import { consume } from "./consume.ts";
import { withLocalOrigin } from "./local-origin.ts";
import { servicesFor } from "./services.ts";
import { runHousekeeping } from "./sweep/housekeeping.ts";

export { AccountFeed } from "#durable-objects/feed/account-feed.ts";
export { DownloadGate } from "#durable-objects/gate/download-gate.ts";
export { RateLimiter } from "#durable-objects/limits/rate-limiter.ts";
export { SocketCounter } from "#durable-objects/limits/socket-counter.ts";
export { TransferSession } from "#durable-objects/transfer/transfer-session.ts";
export { UploadSession } from "#durable-objects/upload/upload-session.ts";

const app = createApp(createPages(build, createRequestHandler(build, "production")));

export default {
  fetch: (request, env, ctx) => {
    if (readsBuiltFile(request.method, new URL(request.url).pathname)) return env.ASSETS.fetch(request);
    return app.fetch(request, withLocalOrigin(env, request), ctx);
  },

  async queue(batch, env) {
    await consume(servicesFor(withLocalOrigin(env, null)), batch);
  },

  async scheduled(_controller, env) {
    await runHousekeeping(servicesFor(withLocalOrigin(env, null)), Date.now);
  },
} satisfies ExportedHandler<Env>;
