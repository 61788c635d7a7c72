import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { promisify } from "node:util";
import type { Server } from "../bench/support/server.ts";
import { buildPages } from "../scripts/build.ts";
import { ensureDevVars } from "../scripts/dev-vars.ts";
import { wranglerEnv } from "../scripts/wrangler-env.ts";

const run = promisify(execFile);

/** Wrangler's debugger listens so far above its port. */
const INSPECTOR_PORT_DISTANCE = 442;

/** A local runtime that can be killed and started again on the same port and the same storage. */
export interface KillableServer extends Server {
  /** Starts it. @returns once it answers @throws Error with its log when it ends before that */
  start(): Promise<void>;
  /** SIGKILL to wrangler and to everything it started. @returns once it is gone */
  kill(): Promise<void>;
}

/**
 * Prepares a runtime: a folder that holds all it ever writes, with the database's tables made. It runs yet to be
 * started. A configuration of its own keeps wrangler's scratch files, which a killed one leaves behind, in that folder.
 */
export async function prepareServer(): Promise<KillableServer> {
  const parent = resolve(".tmp/soak");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(`${parent}/`);
  const config = await writeConfig(folder);
  const temporary = `${folder}/tmp`;
  await mkdir(temporary);
  buildPages();
  const env = { ...wranglerEnv, TMPDIR: temporary, WRANGLER_REGISTRY_PATH: `${folder}/registry` };
  const common = ["--config", config, "--persist-to", `${folder}/state`];
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--local", ...common], { env });

  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const args = ["dev", ...common, ...devArguments(port, origin)];
  const log = await open(`${folder}/server.log`, "a");
  let running: ChildProcess | null = null;
  const kill = async () => {
    if (running) await killGroup(running);
    running = null;
  };
  // In a group of its own it does not hear Ctrl-C.
  const interrupted = () => {
    if (running?.pid !== undefined) process.kill(-running.pid, "SIGKILL");
    process.exit(1);
  };
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  return {
    origin,
    folder,
    start: async () => {
      // It leads a process group, so that all of it can be killed.
      running = spawn("wrangler", args, { env, detached: true, stdio: ["ignore", log.fd, log.fd, "ipc"] });
      await ready(running);
      // The first answer takes a second or more: it is not to come out of the time that the uploads have.
      await (await fetch(`${origin}/api/auth/me`)).text();
    },
    kill,
    execute: async (sql) => {
      await run("wrangler", ["d1", "execute", "DB", "--local", ...common, "--command", sql], { env });
    },
    stop: async () => {
      process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
      await kill();
      await log.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @returns the path of a copy of the project's configuration, good from any folder */
async function writeConfig(folder: string): Promise<string> {
  ensureDevVars();
  await copyFile(".dev.vars", `${folder}/.dev.vars`);
  const original = await readFile("wrangler.toml", "utf8");
  const path = `${folder}/wrangler.toml`;
  const copy = original.replace(
    /^(main|directory|migrations_dir|postcss) = "(.+)"$/gm,
    (_, key: string, value: string) => `${key} = ${JSON.stringify(resolve(value))}`,
  );
  await writeFile(path, copy);
  return path;
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
    ...["--port", String(port), "--inspector-port", String(port + INSPECTOR_PORT_DISTANCE)],
    ...["--log-level", "error", "--show-interactive-dev-session=false"],
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

/** A port nobody listens on, low enough that the inspector's port, which lies above it, is one too. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 30_000 + Math.floor(Math.random() * 2_000);
    const probe = createServer();
    const free = await new Promise<boolean>((settle) => {
      probe.once("error", () => {
        settle(false);
      });
      probe.listen(port, () => {
        settle(true);
      });
    });
    if (!free) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
