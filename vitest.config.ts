import { resolve } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { readConfig } from "./scripts/wrangler-config.ts";

/** Bundled once for workerd, not fetched module by module for each test file. */
const DEPENDENCIES = [
  "@remix-run/cloudflare",
  "@remix-run/react",
  "@simplewebauthn/server",
  "@simplewebauthn/server/helpers",
  "aws4fetch",
  "better-auth/adapters/drizzle",
  "better-auth/api",
  "better-auth/minimal",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "fast-check",
  "hono",
  "hono/cookie",
  "hono/factory",
  "hono/route",
  "icu-minify/compile",
  "icu-minify/format",
  "marked",
  "oauth4webapi",
  "otpauth",
  "react",
  "react-dom/server",
  "react/jsx-runtime",
  "sanitize-html",
  "stripe",
  "zod/mini",
];

/** What the Worker is built with, so that its tests run what it runs. */
const ALIASES = Object.entries(readConfig().alias ?? {}).map(([name, path]) => ({
  // A string would also stand for the package's subpaths.
  find: new RegExp(`^${name.replaceAll(".", "[.]")}$`),
  replacement: resolve(path),
}));

/** workerd provides Node's modules. */
const nodeModulesOutside = {
  name: "node-modules-outside",
  setup(build: Bundler) {
    build.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true }));
  },
};

/** The part of esbuild's plugin API that is used. */
interface Bundler {
  onResolve(
    options: { filter: RegExp },
    callback: (args: { path: string }) => { path: string; external: boolean },
  ): void;
}

/** The queues of the tests hand over each message at once. */
const QUEUE_CONSUMERS = Object.fromEntries(
  (readConfig().queues?.consumers ?? []).map(({ queue, max_batch_size, max_retries, dead_letter_queue }) => [
    queue,
    { maxBatchSize: max_batch_size, maxBatchTimeout: 0, maxRetries: max_retries, deadLetterQueue: dead_letter_queue },
  ]),
);

const TEST_ORIGIN = "http://localhost:8787";

/** Far more than a test takes: a machine that is busy otherwise is no reason to fail. */
const PATIENCE = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};
const PATIENT_WAITS = "test/support/patient-waits.ts";

export default defineConfig({
  test: {
    maxWorkers: 2,
    tags: [{ name: "long", description: "Runs in `npm run soak -- tests`, not in `npm test`." }],
    // Each request logs a line; shown only for failed tests.
    silent: "passed-only",
    // A Durable Object requests its module from Vitest at each event, even when a socket closes after a file's last test.
    onUnhandledError: ({ name, message }) =>
      !(name === "EnvironmentTeardownError" && message.includes('Closing rpc while "resolve" was pending')),
    projects: [
      {
        test: {
          name: "unit",
          // Modules are loaded once, not for each of 150 files.
          isolate: false,
          include: ["test/unit/**/*.test.ts"],
          setupFiles: [PATIENT_WAITS],
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "tooling",
          include: ["test/tooling/**/*.test.ts"],
          setupFiles: [PATIENT_WAITS],
          ...PATIENCE,
        },
      },
      {
        plugins: [
          cloudflareTest(async ({ inject }) => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              queueConsumers: QUEUE_CONSUMERS,
              bindings: {
                APP_ENV: "test",
                APP_ORIGIN: TEST_ORIGIN,
                S3_ENDPOINT: `${TEST_ORIGIN}/cdn-cgi/local/r2/s3`,
                S3_ACCESS_KEY_ID: "test",
                S3_SECRET_ACCESS_KEY: "test",
                BETTER_AUTH_SECRET: "a secret that is long enough for tests",
                DATA_KEY: "a data key that is long enough for tests",
                DATA_KEY_FORMER: "",
                ADMIN_USERNAME: "admin",
                ADMIN_PASSWORD: "the settings' password",
                ADMIN_TOTP_SECRET: "",
                EMAIL_VERIFICATION: "off",
                MAIL_TRANSPORT: "local",
                LOGIN_PROVIDERS: "",
                ANONYMOUS_UPLOADS: "off",
                RATE_LIMITS: "off",
                BILLING: "manual",
                STRIPE_SECRET_KEY: "",
                STRIPE_API_URL: inject("stripeApiUrl"),
                CLAMD: process.env.CLAMD ?? "",
                AFAR_FILE_BYTES: process.env.AFAR_FILE_BYTES ?? "2000",
                SCALE_FILES: process.env.SCALE_FILES ?? "64000",
                SCALE_MOST_MS: process.env.SCALE_MOST_MS ?? "",
                RACE_ROUNDS: process.env.RACE_ROUNDS ?? "1",
                QUOTA_WALKS: process.env.QUOTA_WALKS ?? "3",
                MIXED_OPERATIONS: process.env.MIXED_OPERATIONS ?? "20",
                BILLING_LIVES: process.env.BILLING_LIVES ?? "10",
                FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? "60",
                FUZZ_SEED: process.env.FUZZ_SEED ?? "1",
                TEST_MIGRATIONS: await readD1Migrations("migrations"),
              },
            },
          })),
        ],
        resolve: { alias: ALIASES },
        test: {
          name: "worker",
          // Test files share one runtime, so the Worker is loaded once.
          isolate: false,
          include: ["test/worker/**/*.test.ts", "test/durable-objects/**/*.test.ts"],
          ...PATIENCE,
          globalSetup: [
            "test/support/start-stripe-double.ts",
            "test/support/webhook-receiver/start.ts",
            "test/support/login-providers/start.ts",
            "test/support/clamd-double/start.ts",
            "test/support/turnstile-double/start.ts",
          ],
          setupFiles: [PATIENT_WAITS, "test/support/fresh-storage.ts"],
          deps: {
            optimizer: {
              ssr: {
                enabled: true,
                include: DEPENDENCIES,
                esbuildOptions: { plugins: [nodeModulesOutside], define: { "process.env.NODE_ENV": '"production"' } },
              },
            },
          },
        },
      },
    ],
  },
});
