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
process.env.E2E_OIDC_PORT ??= String(await freePort());
process.env.E2E_READY_PORT ??= String(await freePort());
process.env.E2E_ADMIN_TOTP_SECRET = "MAYFLYMAYFLYMAYFLYMAYFLYMAYFLY23";
process.env.E2E_STORE_ORIGIN = `http://localhost:${process.env.E2E_STORE_PORT}`;
process.env.E2E_STRIPE_DOUBLE = `http://localhost:${process.env.E2E_STRIPE_DOUBLE_PORT}`;
process.env.E2E_ORIGIN = `http://localhost:${process.env.E2E_PORT}`;

export default defineConfig({
  testDir: "test/e2e",
  outputDir: "test-results",
  fullyParallel: true,
  // One more than the two cores that the suite is timed on: a test waits for a tenth of its time.
  workers: 3,
  forbidOnly: true,
  // Far more than a test takes: a machine that is busy otherwise is no reason to fail.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [["list"]],
  use: {
    // `--trace retain-on-failure` keeps one, and takes a third of a test's time again.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: await chromium.executablePath(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
      ],
    },
  },
  projects: [
    {
      name: "local",
      testIgnore: ["verified/**", "cors/**", "required/**", "stripe/**"],
      use: { baseURL: process.env.E2E_ORIGIN },
    },
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
      name: "required",
      testMatch: "required/**",
      use: { baseURL: `http://localhost:${process.env.E2E_STRIPE_PORT}` },
    },
    {
      name: "stripe",
      testMatch: "stripe/**",
      use: { baseURL: `http://localhost:${process.env.E2E_STRIPE_PORT}` },
    },
  ],
  webServer: {
    command: "node test/e2e/support/servers.ts",
    url: `http://localhost:${process.env.E2E_READY_PORT}`,
    stdout: "ignore",
    stderr: "pipe",
    timeout: 480_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
  },
});
