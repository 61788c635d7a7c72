import { Hono } from "hono";
import { AppError } from "#domain/errors.ts";
import { createRequestContext } from "../context.ts";
import { answerError } from "../middleware/answer-error.ts";
import { nameRoute } from "../middleware/name-route.ts";
import { sameSite } from "../middleware/same-site.ts";
import { pageRoutes, seoRoutes } from "./admin-content.ts";
import { adminRoutes } from "./admin.ts";
import { authRoutes } from "./auth.ts";
import { chunkedUploadRoutes } from "./chunked-upload.ts";
import { contentRoutes } from "./content.ts";
import { diagnosticRoutes } from "./diagnostics.ts";
import { directUploadRoutes } from "./direct-upload.ts";
import type { ApiEnv } from "./env.ts";
import { fileRoutes } from "./files.ts";
import { healthRoutes } from "./health.ts";
import { socketRoutes } from "./socket.ts";
import { stripeRoutes } from "./stripe.ts";
import { subscriptionRoutes } from "./subscription.ts";

/** Everything below `/api`, and `/ws`. Answers are private unless they say otherwise. */
export function createApi(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.onError(answerError);
  app.use("*", nameRoute);
  app.use("*", async (c, next) => {
    c.set("context", createRequestContext(c.req.raw, c.env));
    await next();
  });
  app.use("/api/*", async (c, next) => {
    await next();
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
  });
  // Before the check below: Stripe is another site, and proves who it is by its signature.
  app.route("/api/stripe", stripeRoutes);
  app.use("*", sameSite);
  app.route("/api", contentRoutes);
  app.route("/api/admin", adminRoutes);
  app.route("/api/auth", authRoutes);
  app.route("/api/chunked-upload", chunkedUploadRoutes);
  app.route("/api/content", pageRoutes);
  app.route("/api/diagnostic", diagnosticRoutes);
  app.route("/api/diagnostics", diagnosticRoutes);
  app.route("/api/direct-upload", directUploadRoutes);
  app.route("/api/files", fileRoutes);
  app.route("/api/health", healthRoutes);
  app.route("/api/seo", seoRoutes);
  app.route("/api/subscription", subscriptionRoutes);
  app.route("/ws", socketRoutes);
  app.all("*", (c) => {
    throw new AppError("NOT_FOUND", { message: `There is no ${c.req.method} ${new URL(c.req.url).pathname}.` });
  });
  return app;
}
