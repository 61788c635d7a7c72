import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { buildPages } from "./build.ts";
import { ensureDevVars } from "./dev-vars.ts";
import { freePort, INSPECTOR_PORT_DISTANCE } from "./free-port.ts";
import { portable, readConfig, writeConfig, type Config } from "./wrangler-config.ts";
import { wranglerEnv } from "./wrangler-env.ts";

const run = promisify(execFile);

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A local system that can be killed and restarted on the same port and storage. */
export interface LocalServer {
  origin: string;
  /** Absolute path of the folder with all data and logs of the system. */
  folder: string;
  /** Chrome DevTools Protocol address of the Worker's debugger. */
  debuggerUrl: string;
  /** Starts the system, and waits until it answers. @throws Error when wrangler exits; see server.log */
  start(): Promise<void>;
  /** The process group of wrangler and its children. @throws Error when the system is not running */
  processGroup(): number;
  /** Kills wrangler and its children with SIGKILL and waits until they are gone. */
  kill(): Promise<void>;
  /** Runs SQL on the system's D1 database from outside of the Worker. @returns the last statement's rows */
  execute<Row>(sql: string): Promise<Row[]>;
  /** Runs the cron once. @throws Error when the cron fails */
  runCron(): Promise<void>;
  /** Kills the system and deletes its folder. */
  stop(): Promise<void>;
}

interface ServerOptions {
  /** The origin that browsers use, if not the server's own. */
  publicOrigin?: string;
  /** S3_ENDPOINT, if it is not the endpoint of the server itself. */
  storeEndpoint?: string | undefined;
  /** Changes the configuration. */
  adapt?: (config: Config) => Config;
}

/**
 * Prepares a local system on its own port and folder, with migrations applied, without starting it. The system has a
 * configuration of its own, so that wrangler's temporary files stay in the folder. The caller must stop the system on
 * Ctrl-C.
 */
export async function prepareServer({ publicOrigin, storeEndpoint, adapt }: ServerOptions = {}): Promise<LocalServer> {
  const parent = resolve(".tmp/servers");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(`${parent}/`);
  const config = await copyConfig(folder, adapt);
  const temporary = `${folder}/tmp`;
  await mkdir(temporary);
  buildPages();
  const env = { ...wranglerEnv, TMPDIR: temporary, WRANGLER_REGISTRY_PATH: `${folder}/registry` };
  const common = ["--config", config, "--persist-to", `${folder}/state`];
  await run("wrangler", ["d1", "migrations", "apply", "DB", "--local", ...common], { env });

  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const args = ["dev", ...common, ...devArguments(port, publicOrigin ?? origin, storeEndpoint)];
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
      // `detached` makes a process group, which can be killed as a whole.
      running = spawn("wrangler", args, { env, detached: true, stdio: ["ignore", log.fd, log.fd, "ipc"] });
      await waitUntilReady(running);
      // The first answer takes a second or more, which must not count as upload time.
      await (await fetch(`${origin}/api/auth/me`)).text();
    },
    processGroup: () => {
      if (running?.pid === undefined) throw new Error("the server is not running");
      return running.pid;
    },
    kill,
    execute: async <Row>(sql: string) => {
      const args = ["d1", "execute", "DB", "--local", "--json", ...common, "--command", sql];
      const { stdout } = await run("wrangler", args, { env, maxBuffer: MAX_OUTPUT_BYTES });
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

/** Copies the project's configuration with the secrets beside it. @returns its path */
async function copyConfig(folder: string, adapt: ServerOptions["adapt"] = (config) => config): Promise<string> {
  ensureDevVars();
  await copyFile(".dev.vars", `${folder}/.dev.vars`);
  return writeConfig(folder, "wrangler.json", adapt(portable(readConfig())));
}

function devArguments(port: number, origin: string, storeEndpoint = `${origin}/cdn-cgi/local/r2/s3`): string[] {
  const vars = {
    APP_ENV: "test",
    APP_ORIGIN: origin,
    S3_ENDPOINT: storeEndpoint,
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

/** Waits for wrangler's waitUntilReady message over IPC. @throws Error when it exits first */
async function waitUntilReady(server: ChildProcess): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    const isReady = await Promise.race([
      once(server, "message", { signal }).then(() => true),
      once(server, "exit", { signal }).then(() => false),
    ]);
    if (!isReady) throw new Error("the server ended before it was waitUntilReady; its log is server.log");
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
