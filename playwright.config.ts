import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "@playwright/test";
import { freePort } from "./scripts/free-port.ts";

// The browser comes out of an npm package and unpacks itself here.
process.env.TMPDIR = resolve(".tmp/browser");
mkdirSync(process.env.TMPDIR, { recursive: true });
const { default: chromium } = await import("@sparticuz/chromium");

// Decided once, in the first process; the workers inherit it.
process.env.E2E_PORT ??= String(await freePort());
process.env.E2E_VERIFIED_PORT ??= String(await freePort());
process.env.E2E_STRIPE_PORT ??= String(await freePort());
process.env.E2E_STRIPE_DOUBLE_PORT ??= String(await freePort());
process.env.E2E_STORE_PORT ??= String(await freePort());
process.env.E2E_STORE_ORIGIN = `http://localhost:${process.env.E2E_STORE_PORT}`;
process.env.E2E_STRIPE_DOUBLE = `http://localhost:${process.env.E2E_STRIPE_DOUBLE_PORT}`;
process.env.E2E_ORIGIN = `http://localhost:${process.env.E2E_PORT}`;

/** The local system with the keys of Stripe's double, */
const STRIPE = {
  STRIPE_SECRET_KEY: "sk_test_double",
  STRIPE_PUBLISHABLE_KEY: "pk_test_double",
  STRIPE_WEBHOOK_SECRET: "whsec_double",
  STRIPE_API_URL: process.env.E2E_STRIPE_DOUBLE,
};
/** and with a store on another origin: who pays sends nothing, so one server does for both. */
const STORE = { S3_ENDPOINT: process.env.E2E_STORE_ORIGIN };

export default defineConfig({
  testDir: "test/e2e",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    // `--trace retain-on-failure` keeps one, and takes a third of a test's time again.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: await chromium.executablePath(),
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
    },
  },
  projects: [
    { name: "local", testIgnore: ["verified/**", "cors/**", "stripe/**"], use: { baseURL: process.env.E2E_ORIGIN } },
    {
      name: "verified",
      testMatch: "verified/**",
      use: { baseURL: `http://localhost:${process.env.E2E_VERIFIED_PORT}` },
    },
    {
      name: "cors",
      testMatch: "cors/**",
      use: { baseURL: `http://localhost:${process.env.E2E_STRIPE_PORT}` },
    },
    {
      name: "stripe",
      testMatch: "stripe/**",
      use: { baseURL: `http://localhost:${process.env.E2E_STRIPE_PORT}` },
    },
  ],
  webServer: [
    server(process.env.E2E_PORT, {}),
    server(process.env.E2E_VERIFIED_PORT, { EMAIL_VERIFICATION: "required", RATE_LIMITS: "on" }),
    server(process.env.E2E_STRIPE_PORT, { ...STRIPE, ...STORE }),
    {
      command: "node test/support/stripe-double/main.ts",
      url: process.env.E2E_STRIPE_DOUBLE,
      env: {
        ...STRIPE,
        STRIPE_DOUBLE_PORT: process.env.E2E_STRIPE_DOUBLE_PORT,
        APP_ORIGIN: `http://localhost:${process.env.E2E_STRIPE_PORT}`,
      },
    },
    {
      command: "node test/e2e/cors/store.ts",
      url: `${process.env.E2E_STORE_ORIGIN}/rules`,
      env: { STORE_PORT: process.env.E2E_STORE_PORT, APP_PORT: process.env.E2E_STRIPE_PORT },
    },
  ],
});

/** The local system, on a database of its own. */
function server(port: string, env: Record<string, string>) {
  return {
    command: `node scripts/dev.ts --once --port ${port} --persist-to .tmp/e2e/${port}`,
    url: `http://localhost:${port}`,
    env: { APP_ENV: "test", RATE_LIMITS: "off", ...env },
    stdout: "ignore" as const,
    stderr: "pipe" as const,
    timeout: 120_000,
    gracefulShutdown: { signal: "SIGTERM" as const, timeout: 10_000 },
  };
}
