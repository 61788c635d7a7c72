import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { Client } from "../support/worker.ts";
import { workerWith } from "../support/worker-with-env.ts";

it("/dev/sinks exists in development and tests alone [SEAL-31]", async () => {
  expect((await new Client().fetch("/dev/sinks")).status).toBe(200);
  const production = workerWith({ ...env, APP_ENV: "production", RATE_LIMITS: "on", MAIL_TRANSPORT: "cloudflare" });
  expect((await new Client("", production).fetch("/dev/sinks")).status).toBe(404);
});
