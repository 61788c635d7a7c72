import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { buildPages } from "../../../scripts/build.ts";
import { ensureDevVars } from "../../../scripts/dev-vars.ts";
import { migrateLocally } from "../../../scripts/local-database.ts";
import { TEST_CLIENT } from "../../support/login-providers/test-client.ts";

/**
 * Starts every server of the browser tests in parallel; Playwright would start them in sequence. E2E_READY_PORT
 * answers when all are ready. If one ends, all end.
 */
const {
  E2E_PORT = "",
  E2E_VERIFIED_PORT = "",
  E2E_STRIPE_PORT = "",
  E2E_STRIPE_DOUBLE_PORT = "",
  E2E_STRIPE_DOUBLE = "",
  E2E_STORE_PORT = "",
  E2E_STORE_ORIGIN = "",
  E2E_OIDC_PORT = "",
  E2E_READY_PORT = "",
  E2E_ADMIN_TOTP_SECRET = "",
} = process.env;

const POLL_MS = 100;

interface Service {
  command: string[];
  url: string;
  env: Record<string, string>;
}

const STRIPE = {
  STRIPE_SECRET_KEY: "sk_test_double",
  STRIPE_PUBLISHABLE_KEY: "pk_test_double",
  STRIPE_WEBHOOK_SECRET: "whsec_double",
  STRIPE_API_URL: E2E_STRIPE_DOUBLE,
};
/** Storage on another origin. */
const STORE = { S3_ENDPOINT: E2E_STORE_ORIGIN };
/** Both are the same provider. `work` may connect to accounts at once; `club` may not. */
const PROVIDERS = [
  { name: "work", label: "Work", trustsEmail: true },
  { name: "club", label: "The club" },
];
const ISSUER = `http://localhost:${E2E_OIDC_PORT}`;

const LOGIN_PROVIDERS = JSON.stringify(PROVIDERS.map((provider) => ({ ...provider, issuer: ISSUER, ...TEST_CLIENT })));
const OIDC_CALLBACKS = [E2E_PORT, E2E_VERIFIED_PORT]
  .flatMap((port) => PROVIDERS.map(({ name }) => `http://localhost:${port}/api/auth/provider/${name}/callback`))
  .join(" ");
/** A second factor for every administrator. */
const REQUIRED = { ADMIN_SECOND_FACTOR: "required", ADMIN_TOTP_SECRET: E2E_ADMIN_TOTP_SECRET };

const services: Service[] = [
  localSystem(E2E_PORT, { LOGIN_PROVIDERS }),
  localSystem(E2E_VERIFIED_PORT, {
    EMAIL_VERIFICATION: "required",
    MAIL_LINKS: "off",
    RATE_LIMITS: "on",
    LOGIN_PROVIDERS,
  }),
  {
    command: ["test/support/login-providers/main.ts"],
    url: `${ISSUER}/.well-known/openid-configuration`,
    env: { OIDC_PORT: E2E_OIDC_PORT, OIDC_CALLBACKS },
  },
  // One server has the three settings: the payment tests upload nothing, and need no administrator.
  localSystem(E2E_STRIPE_PORT, { ...STRIPE, ...STORE, ...REQUIRED }),
  {
    command: ["test/support/stripe-double/main.ts"],
    url: E2E_STRIPE_DOUBLE,
    env: {
      ...STRIPE,
      STRIPE_DOUBLE_PORT: E2E_STRIPE_DOUBLE_PORT,
      APP_ORIGIN: `http://localhost:${E2E_STRIPE_PORT}`,
    },
  },
  {
    command: ["test/e2e/cors/store.ts"],
    url: `${E2E_STORE_ORIGIN}/rules`,
    env: { STORE_PORT: E2E_STORE_PORT, APP_PORT: E2E_STRIPE_PORT },
  },
];

/** A database that no server uses. It is kept for the next run. */
const EMPTY = ".tmp/e2e/empty";

// Once, before the servers, which would do all of it at the same time.
ensureDevVars();
buildPages();
migrateLocally(EMPTY);
for (const port of [E2E_PORT, E2E_VERIFIED_PORT, E2E_STRIPE_PORT]) {
  const folder = `.tmp/e2e/${port}`;
  rmSync(folder, { recursive: true, force: true });
  cpSync(EMPTY, folder, { recursive: true });
}

const processes = services.map(({ command, env }) =>
  spawn(process.execPath, command, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] }),
);
const exits = processes.map((service) => once(service, "exit"));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stopAll);
void Promise.race(exits).then(async () => {
  stopAll();
  await Promise.all(exits);
  process.exit(1);
});

await Promise.all(services.map(({ url }) => waitForAnswer(url)));
createServer((_request, response) => response.end("Everybody answers.")).listen(Number(E2E_READY_PORT));

function localSystem(port: string, env: Record<string, string>): Service {
  return {
    command: ["scripts/dev.ts", "--once", "--port", port, "--persist-to", `.tmp/e2e/${port}`],
    url: `http://localhost:${port}`,
    env: { APP_ENV: "test", RATE_LIMITS: "off", ...env },
  };
}

/** Has no timeout: Playwright's webServer has one. */
async function waitForAnswer(url: string): Promise<void> {
  const isAnswering = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  while (!(await isAnswering())) await wait(POLL_MS);
}

function stopAll(): void {
  for (const service of processes) service.kill();
}
