import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { wranglerEnv } from "../../scripts/wrangler-env.ts";

const run = promisify(execFile);

export interface Server {
  origin: string;
  /** Absolute; everything a run writes lies here and is removed with it. */
  folder: string;
  /** Runs SQL against the server's D1, from outside. */
  execute(sql: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the local system on a port and a storage of its own, as `npm run dev` would.
 * @returns once it answers
 * @throws Error when it ends before that; what it said has been printed
 */
export async function startServer(): Promise<Server> {
  const parent = resolve(".tmp/bench");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(`${parent}/`);
  const state = `${folder}/state`;
  const origin = `http://localhost:${await freePort()}`;
  const args = ["scripts/dev.ts", "--once", "--port", new URL(origin).port, "--persist-to", state];
  const server = spawn(process.execPath, args, {
    env: { ...process.env, APP_ENV: "test" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  const stop = async () => {
    if (server.exitCode === null) server.kill("SIGTERM");
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const lines = createInterface({ input: server.stdout });
  const ready = new Promise<void>((settle, reject) => {
    lines.on("line", (line) => {
      if (line.includes(`Mayfly   ${origin}`)) settle();
    });
    server.once("exit", (code) => {
      reject(new Error(`the server ended with ${code} before it answered`));
    });
  });
  try {
    await ready;
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    origin,
    folder,
    stop,
    execute: async (sql) => {
      const execute = ["d1", "execute", "DB", "--local", "--persist-to", state, "--command", sql];
      await run("wrangler", execute, { env: wranglerEnv });
    },
  };
}

/** A port nobody listens on, low enough that the inspector's port, which lies above it, is one too. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
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
