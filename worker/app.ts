import { Hono, type Handler } from "hono";
import { AppError } from "#domain/errors.ts";
import { V1_PATH } from "#domain/v1/call.ts";
import { adminRoutes } from "./api/admin.ts";
import { authRoutes } from "./api/auth.ts";
import { stripeRoutes, subscriptionRoutes } from "./api/billing.ts";
import { chunkedUploadRoutes } from "./api/chunked-upload.ts";
import { contactRoutes } from "./api/contact.ts";
import { contentRoutes, seoRoutes, publicContentRoutes } from "./api/content.ts";
import { diagnosticRoutes, healthRoutes } from "./api/diagnostics.ts";
import { directUploadRoutes } from "./api/direct-upload.ts";
import { downloadRoutes } from "./api/downloads.ts";
import { deletionRoutes, fileRoutes } from "./api/files.ts";
import { deviceRoutes, keyRoutes } from "./api/keys.ts";
import { noticeRoutes, unsubscribePostRoutes, unsubscribeRoutes } from "./api/notices.ts";
import { cliPackageRoutes, bytesForPrograms, pastedLinks } from "./api/redirects.ts";
import { receivedRoutes, requestRoutes } from "./api/requests.ts";
import { sendingRoutes } from "./api/sending.ts";
import { socketRoutes } from "./api/socket.ts";
import { transferRoutes } from "./api/transfers.ts";
import { v1Routes } from "./api/v1/router.ts";
import { webhookRoutes } from "./api/webhooks.ts";
import type { AppEnv } from "./app-env.ts";
import { answerError } from "./middleware/answer-error.ts";
import { hearRefusals, logRequest, requireHttps, databaseSession, requestContext } from "./middleware/every-request.ts";
import { plainBody } from "./middleware/plain-body.ts";
import { sameSite } from "./middleware/same-site.ts";
import { securityHeaders } from "./middleware/security-headers.ts";
import { v1Headers } from "./middleware/v1-headers.ts";

/** @param pages answers every path outside `/api` and `/ws` */
export function createApp(pages: Handler<AppEnv> = notFound): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError(answerError);
  app.use(logRequest, securityHeaders, requireHttps, hearRefusals, databaseSession, requestContext);
  // Before the cross-site check: Stripe proves its identity with a signature.
  app.route("/api/stripe", stripeRoutes);
  // So do programs, with a key: they have no cookie that another site could use.
  app.use(`${V1_PATH}/*`, v1Headers);
  app.route(V1_PATH, v1Routes);
  app.route("/", sendingRoutes);
  // Mail programs post from anywhere: the token in the address says what may be stopped.
  app.route("/unsubscribe", unsubscribePostRoutes);
  app.use(sameSite);
  app.use("/api/*", plainBody);
  app.route("/api", publicContentRoutes);
  app.route("/api/admin", adminRoutes);
  app.route("/api/auth", authRoutes);
  app.route("/api/auth/device", deviceRoutes);
  app.route("/api/chunked-upload", chunkedUploadRoutes);
  app.route("/api/contact", contactRoutes);
  app.route("/api/content", contentRoutes);
  app.route("/api/diagnostic", diagnosticRoutes);
  app.route("/api/diagnostics", diagnosticRoutes);
  app.route("/api/direct-upload", directUploadRoutes);
  app.route("/api/files/download", downloadRoutes);
  app.route("/api/files", fileRoutes);
  app.route("/api/health", healthRoutes);
  app.route("/api/keys", keyRoutes);
  app.route("/api/received", receivedRoutes);
  app.route("/api/requests", requestRoutes);
  app.route("/api/notices", noticeRoutes);
  app.route("/api/seo", seoRoutes);
  app.route("/api/subscription", subscriptionRoutes);
  app.route("/api/transfers", transferRoutes);
  app.route("/api/unsubscribe", unsubscribeRoutes);
  app.route("/api/webhooks", webhookRoutes);
  app.route("/cli", cliPackageRoutes);
  app.route("/delete", deletionRoutes);
  app.route("/ws", socketRoutes);
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
