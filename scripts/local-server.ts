import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { buildPages } from "./build.ts";
import { ensureDevVars } from "./dev-vars.ts";
import { freePort, INSPECTOR_PORT_DISTANCE } from "./free-port.ts";
import { portable, readConfig, writeConfig } from "./wrangler-config.ts";
import { wranglerEnv } from "./wrangler-env.ts";

const run = promisify(execFile);

/** What a query from outside may print. */
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A local system that can be killed and started again on the same port and the same storage. */
export interface LocalServer {
  origin: string;
  /** Absolute; everything a run writes lies here. */
  folder: string;
  /** Where the Worker's debugger listens: the protocol of Chrome's developer tools. */
  debuggerUrl: string;
  /** Starts it. @returns once it answers @throws Error when it ends before that; why is in the folder's server.log */
  start(): Promise<void>;
  /** The process group of wrangler and of everything it started. @throws Error when it is not running */
  processGroup(): number;
  /** SIGKILL to wrangler and to everything it started. @returns once it is gone */
  kill(): Promise<void>;
  /** Runs SQL against its D1, from outside. @returns the last statement's rows */
  execute<Row>(sql: string): Promise<Row[]>;
  /** Runs its cron. @throws Error when it does not answer, or does not answer well */
  runCron(): Promise<void>;
  /** Kills it, and removes the folder. */
  stop(): Promise<void>;
}

/**
 * Prepares a local system on a port of its own: a folder that holds all it ever writes, with the database's tables made.
 * It has yet to be started. A configuration of its own keeps wrangler's scratch files, which a killed one leaves behind,
 * in that folder. It does not hear Ctrl-C: whoever prepares it has to stop it.
 * @param publicOrigin what browsers open, where they do not reach it directly; its own origin when left out
 */
export async function prepareServer(publicOrigin?: string): Promise<LocalServer> {
  const parent = resolve(".tmp/servers");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(`${parent}/`);
  const config = await copyConfig(folder);
  const temporary = `${folder}/tmp`;
  await mkdir(temporary);
  buildPages();
  const env = { ...wranglerEnv, TMPDIR: temporary, WRANGLER_REGISTRY_PATH: `${folder}/registry` };
  const common = ["--config", config, "--persist-to", `${folder}/state`];
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--local", ...common], { env });

  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const args = ["dev", ...common, ...devArguments(port, publicOrigin ?? origin)];
  const log = await open(`${folder}/server.log`, "a");
  let running: ChildProcess | null = null;
  const kill = async () => {
    if (running) await killGroup(running);
    running = null;
  };
  return {
    origin,
    folder,
    debuggerUrl: `ws://localhost:${port + INSPECTOR_PORT_DISTANCE}/ws`,
    start: async () => {
      // It leads a process group, so that all of it can be killed.
      running = spawn("wrangler", args, { env, detached: true, stdio: ["ignore", log.fd, log.fd, "ipc"] });
      await ready(running);
      // The first answer takes a second or more: it is not to come out of the time that the uploads have.
      await (await fetch(`${origin}/api/auth/me`)).text();
    },
    processGroup: () => {
      if (running?.pid === undefined) throw new Error("the server is not running");
      return running.pid;
    },
    kill,
    execute: async <Row>(sql: string) => {
      const args = ["d1", "execute", "DB", "--local", "--json", ...common, "--command", sql];
      const { stdout } = await run("wrangler", args, { env, maxBuffer: MOST_OUTPUT_BYTES });
      const results = JSON.parse(stdout) as { results: Row[] }[];
      return results.at(-1)?.results ?? [];
    },
    runCron: async () => {
      const response = await fetch(`${origin}/cdn-cgi/handler/scheduled`);
      const text = await response.text();
      if (!response.ok) throw new Error(`the cron answered ${response.status}: ${text.slice(0, 500)}`);
    },
    stop: async () => {
      await kill();
      await log.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @returns the path of a copy of the project's configuration, with the secrets beside it */
async function copyConfig(folder: string): Promise<string> {
  ensureDevVars();
  await copyFile(".dev.vars", `${folder}/.dev.vars`);
  return writeConfig(folder, "wrangler.json", portable(readConfig()));
}

function devArguments(port: number, origin: string): string[] {
  const vars = {
    APP_ENV: "test",
    APP_ORIGIN: origin,
    S3_ENDPOINT: `${origin}/cdn-cgi/local/r2/s3`,
    EMAIL_VERIFICATION: "off",
    MAIL_TRANSPORT: "local",
    RATE_LIMITS: "off",
  };
  return [
    "--port",
    String(port),
    "--inspector-port",
    String(port + INSPECTOR_PORT_DISTANCE),
    "--log-level",
    "error",
    "--show-interactive-dev-session=false",
    ...Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ];
}

/** Wrangler tells a parent that listens when it is ready. @throws Error when it ends before that */
async function ready(server: ChildProcess): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    const isReady = await Promise.race([
      once(server, "message", { signal }).then(() => true),
      once(server, "exit", { signal }).then(() => false),
    ]);
    if (!isReady) throw new Error("the server ended before it was ready; its log is server.log");
  } finally {
    settled.abort();
  }
}

async function killGroup(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  process.kill(-server.pid, "SIGKILL");
  await exited;
}
