import { Hono, type Handler } from "hono";
import { CALLS } from "#domain/calls/calls.ts";
import { PROVEN_CALLS } from "#domain/calls/proven.ts";
import { AppError } from "#domain/errors.ts";
import { V1_PATH } from "#domain/v1/call.ts";
import { accountHandlers } from "./api/accounts.ts";
import { adminSessionHandlers } from "./api/admin-session.ts";
import { adminHandlers } from "./api/admin.ts";
import { billingHandlers, stripeHandlers } from "./api/billing.ts";
import { chunkedHandlers } from "./api/chunked-upload.ts";
import { uploadHandlers } from "./api/direct-upload.ts";
import { downloadHandlers } from "./api/downloads.ts";
import { fileHandlers } from "./api/files.ts";
import { keyHandlers } from "./api/keys.ts";
import { mount } from "./api/mount.ts";
import { moderationHandlers } from "./api/moderation.ts";
import { noticeHandlers, unsubscribeHandlers } from "./api/notices.ts";
import { passkeyHandlers } from "./api/passkeys.ts";
import { pictureHandlers } from "./api/pictures.ts";
import { providerHandlers } from "./api/providers.ts";
import { bytesForPrograms, pastedLinks } from "./api/redirects.ts";
import { requestHandlers } from "./api/requests.ts";
import { securityHandlers } from "./api/security.ts";
import { sendingHandlers } from "./api/sending.ts";
import { siteHandlers } from "./api/site.ts";
import { socketHandlers } from "./api/socket.ts";
import { transferHandlers } from "./api/transfers.ts";
import { v1Routes } from "./api/v1/router.ts";
import { webhookHandlers } from "./api/webhooks.ts";
import type { AppEnv } from "./app-env.ts";
import { answerError } from "./middleware/answer-error.ts";
import { hearRefusals, logRequest, requireHttps, databaseSession, requestContext } from "./middleware/every-request.ts";
import { plainBody } from "./middleware/plain-body.ts";
import { sameSite } from "./middleware/same-site.ts";
import { securityHeaders } from "./middleware/security-headers.ts";
import { v1Headers } from "./middleware/v1-headers.ts";

/** @param pages the handler that answers every path outside `/api` and `/ws` */
export function createApp(pages: Handler<AppEnv> = notFound): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError(answerError);
  app.use(logRequest, securityHeaders, requireHttps, hearRefusals, databaseSession, requestContext);
  // These calls are mounted before the cross-site check, because a key, a signature or a token authorizes them, never a
  // cookie.
  mount(app, PROVEN_CALLS, { ...sendingHandlers, ...unsubscribeHandlers, ...stripeHandlers });
  app.use(`${V1_PATH}/*`, v1Headers);
  app.route(V1_PATH, v1Routes);
  app.use(sameSite);
  app.use("/api/*", plainBody);
  mount(app, CALLS, {
    ...accountHandlers,
    ...providerHandlers,
    ...passkeyHandlers,
    ...securityHandlers,
    ...adminSessionHandlers,
    ...adminHandlers,
    ...siteHandlers,
    ...billingHandlers,
    ...uploadHandlers,
    ...chunkedHandlers,
    ...transferHandlers,
    ...pictureHandlers,
    ...requestHandlers,
    ...downloadHandlers,
    ...fileHandlers,
    ...socketHandlers,
    ...keyHandlers,
    ...webhookHandlers,
    ...noticeHandlers,
    ...moderationHandlers,
  });
  app.all("/api/*", notFound);
  app.all("/ws", notFound);
  app.all("/ws/account", notFound);
  app.use(pastedLinks);
  app.use("/download/:downloadId", bytesForPrograms);
  app.all("*", pages);
  return app;
}

function notFound({ req }: { req: { method: string; url: string } }): never {
  throw new AppError("NOT_FOUND", { message: `There is no ${req.method} ${new URL(req.url).pathname}.` });
}
