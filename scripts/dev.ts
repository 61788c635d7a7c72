import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { buildPages } from "./build.ts";
import { ensureDevVars } from "./dev-vars.ts";
import { dropDrainErrors } from "./drop-drain-errors.ts";
import { INSPECTOR_PORT_DISTANCE } from "./free-port.ts";
import { migrateLocally } from "./local-database.ts";
import { portable, readConfig, writeConfig } from "./wrangler-config.ts";
import { wranglerEnv } from "./wrangler-env.ts";

/**
 * `npm run dev`: settings, database, pages, Worker and storage on this machine.
 * `--port 8790 --persist-to DIR` runs a second copy; `--once` does not watch; other options are passed to `wrangler
 * dev`.
 */
const { values, tokens } = parseArgs({
  options: {
    port: { type: "string", default: "8787" },
    "persist-to": { type: "string", default: ".wrangler/state" },
    once: { type: "boolean", default: false },
  },
  strict: false,
  tokens: true,
});
const port = Number(values.port);
const persistTo = String(values["persist-to"]);
const OWN_OPTIONS = new Set(["port", "persist-to", "once"]);
const wranglerOptions = tokens.flatMap((token) => {
  if (token.kind === "positional") return [token.value];
  if (token.kind !== "option" || OWN_OPTIONS.has(token.name)) return [];
  return token.inlineValue ? [`${token.rawName}=${token.value}`] : [token.rawName];
});

/** The first start takes about 10 s, and minutes on a machine that is busy, or that starts several servers. */
const START_TIMEOUT_MS = 450_000;
const origin = `http://localhost:${port}`;

const admin = ensureDevVars();
try {
  migrateLocally(persistTo);
} catch (error) {
  stop(String(error));
}
buildPages();

const vars = {
  APP_ORIGIN: origin,
  S3_ENDPOINT: process.env.S3_ENDPOINT ?? `${origin}/cdn-cgi/local/r2/s3`,
  ...overriddenSettings(
    "APP_ENV",
    "EMAIL_VERIFICATION",
    "MAIL_TRANSPORT",
    "ANONYMOUS_UPLOADS",
    "RATE_LIMITS",
    "BILLING",
    "LOGIN_PROVIDERS",
    "MAIL_LINKS",
  ),
  ...overriddenSettings("ADMIN_SECOND_FACTOR", "ADMIN_TOTP_SECRET"),
  ...overriddenSettings("STRIPE_API_URL", "STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"),
};
// Without [build], wrangler rebuilds only what has changed (decision 001).
const config = writeConfig(persistTo, "wrangler.json", portable(readConfig()));
const server = spawn(
  "wrangler",
  [
    "dev",
    "--config",
    config,
    "--env-file",
    resolve(".dev.vars"),
    "--port",
    String(port),
    "--inspector-port",
    String(port + INSPECTOR_PORT_DISTANCE),
    "--persist-to",
    persistTo,
    "--log-level",
    "error",
    "--show-interactive-dev-session=false",
    ...Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
    ...wranglerOptions,
  ],
  { env: wranglerEnv, stdio: ["ignore", "inherit", "pipe"] },
);
void passOn(server.stderr);
server.on("exit", (code) => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill(signal));

await waitUntilReady(origin);
console.log(`
  Mayfly   ${origin}
  Admin    ${origin}/admin   ${admin.username} / ${admin.password}
`);
// `wrangler dev` does not run cron triggers.
setInterval(() => void fetch(`${origin}/cdn-cgi/local/scheduled`).catch(() => undefined), 60_000).unref();
if (!values.once) rebuildOnChange();

async function passOn(errors: Readable): Promise<void> {
  for await (const line of dropDrainErrors(createInterface({ input: errors }))) console.error(line);
}

function overriddenSettings(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** Resolves when the server answers. With `--once` the wait ends; otherwise an edit may repair the server. */
async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (server.exitCode === null) {
    if (values.once && Date.now() > deadline) {
      server.kill();
      stop("The server does not answer.");
    }
    const isReady = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Watches the files that Vite builds; wrangler itself watches the Worker's files. */
function rebuildOnChange(): void {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of ["app", "domain", "engine", "messages", "public"]) {
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        try {
          buildPages({ inPlace: true });
          console.log("Rebuilt the pages.");
        } catch {
          console.error("Rebuilding the pages failed: fix the error above and save again.");
        }
      }, 100);
    });
  }
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}
