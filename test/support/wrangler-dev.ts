import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { freePort, INSPECTOR_PORT_DISTANCE } from "../../scripts/free-port.ts";
import { wranglerEnv } from "../../scripts/wrangler-env.ts";

/** How long it may take until the server is ready: two cores bundle the Worker. */
export const START_TIMEOUT_MS = 480_000;

export interface WranglerDev {
  origin: string;
  /** What it has written so far, also what the runtime complained of. */
  printed(): string;
  /** Ends the server, and deletes its files. */
  stop(): Promise<void>;
}

/** `npx wrangler dev` in a fresh clone. @throws Error with what it complained of if it ends instead of starting */
export async function startWranglerDev(): Promise<WranglerDev> {
  const copy = freshCopy();
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const ports = ["--port", String(port), "--inspector-port", String(port + INSPECTOR_PORT_DISTANCE)];
  // A process group: npx, wrangler and the runtime end together.
  const server = spawn("npx", ["wrangler", "dev", ...ports], {
    cwd: copy,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...wranglerEnv, WRANGLER_REGISTRY_PATH: join(copy, ".wrangler/registry") },
  });
  const exited = once(server, "exit");
  const stop = async () => {
    if (server.exitCode === null && server.pid !== undefined) process.kill(-server.pid, "SIGKILL");
    await exited;
    rmSync(copy, { recursive: true });
  };
  const complaints: string[] = [];
  server.stderr.on("data", (chunk) => complaints.push(String(chunk)));
  const lines: string[] = [];
  server.stdout.on("data", (chunk) => lines.push(String(chunk)));
  const isReady = await Promise.race([outputIncludes(server.stdout, `Ready on ${origin}`), exited.then(() => false)]);
  if (!isReady) throw new Error(`wrangler dev did not start: ${complaints.join("")}`);
  return { origin, printed: () => [...lines, ...complaints].join(""), stop };
}

/** A fresh clone with packages and the pages that `npm test` has built: building them again would prove nothing. */
function freshCopy(): string {
  const parent = resolve(".tmp/fresh");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(`${parent}/`);
  const ignored = new Set(
    readFileSync(".gitignore", "utf8")
      .split("\n")
      .map((line) => line.replace(/\/$/, "")),
  );
  ignored.add(".git");
  ignored.delete("build");
  for (const entry of readdirSync(".")) {
    if (!ignored.has(entry)) cpSync(entry, join(folder, entry), { recursive: true });
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Waits for output that contains the text, and keeps reading so that the program does not block. */
function outputIncludes(output: Readable, expected: string): Promise<true> {
  let text = "";
  return new Promise((resolve) => {
    output.on("data", (chunk) => {
      text += String(chunk);
      if (text.includes(expected)) resolve(true);
    });
  });
}

/** Posts JSON as a page would. @param origin of the server @throws Error for an error answer */
export async function postAsPage(origin: string, path: string, body: object, cookie = ""): Promise<Response> {
  const headers = { "content-type": "application/json", origin, cookie };
  const response = await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}
