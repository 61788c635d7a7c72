import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { buildPages } from "../../../scripts/build.ts";
import { ensureDevVars } from "../../../scripts/dev-vars.ts";

/**
 * All that the browser tests talk to, started side by side: Playwright would start one after the other. Once everything
 * answers, so does E2E_READY_PORT. It ends when one of them does, and takes the others along.
 */
const {
  E2E_PORT = "",
  E2E_VERIFIED_PORT = "",
  E2E_STRIPE_PORT = "",
  E2E_STRIPE_DOUBLE_PORT = "",
  E2E_STRIPE_DOUBLE = "",
  E2E_STORE_PORT = "",
  E2E_STORE_ORIGIN = "",
  E2E_READY_PORT = "",
} = process.env;

const LOOK_EVERY_MS = 100;

interface Service {
  command: string[];
  url: string;
  env: Record<string, string>;
}

/** The local system with the keys of Stripe's double, */
const STRIPE = {
  STRIPE_SECRET_KEY: "sk_test_double",
  STRIPE_PUBLISHABLE_KEY: "pk_test_double",
  STRIPE_WEBHOOK_SECRET: "whsec_double",
  STRIPE_API_URL: E2E_STRIPE_DOUBLE,
};
/** and with a store on another origin: who pays sends nothing, so one server does for both. */
const STORE = { S3_ENDPOINT: E2E_STORE_ORIGIN };

const services: Service[] = [
  localSystem(E2E_PORT, {}),
  localSystem(E2E_VERIFIED_PORT, { EMAIL_VERIFICATION: "required", RATE_LIMITS: "on" }),
  localSystem(E2E_STRIPE_PORT, { ...STRIPE, ...STORE }),
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

// Each of them would, at the same time.
ensureDevVars();
buildPages();

const running = services.map(({ command, env }) =>
  spawn(process.execPath, command, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] }),
);
const ended = running.map((service) => once(service, "exit"));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stopAll);
void Promise.race(ended).then(async () => {
  stopAll();
  await Promise.all(ended);
  process.exit(1);
});

await Promise.all(services.map(({ url }) => answering(url)));
createServer((_request, response) => response.end("Everybody answers.")).listen(Number(E2E_READY_PORT));

/** The local system, on a database of its own. */
function localSystem(port: string, env: Record<string, string>): Service {
  return {
    command: ["scripts/dev.ts", "--once", "--port", port, "--persist-to", `.tmp/e2e/${port}`],
    url: `http://localhost:${port}`,
    env: { APP_ENV: "test", RATE_LIMITS: "off", ...env },
  };
}

/** Resolves when somebody answers there. Whoever started this gives up in time. */
async function answering(url: string): Promise<void> {
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  while (!(await answers())) await wait(LOOK_EVERY_MS);
}

function stopAll(): void {
  for (const service of running) service.kill();
}
