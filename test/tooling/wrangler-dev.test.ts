import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort, INSPECTOR_PORT_DISTANCE } from "../../scripts/free-port.ts";
import { wranglerEnv } from "../../scripts/wrangler-env.ts";

const START_TIMEOUT_MS = 480_000;
const BYTES = new TextEncoder().encode("A small file that goes up and comes down again.");

let copy: string;
let origin: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  copy = freshCopy();
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const ports = ["--port", String(port), "--inspector-port", String(port + INSPECTOR_PORT_DISTANCE)];
  // A process group: npx, wrangler and the runtime end together.
  const server = spawn("npx", ["wrangler", "dev", ...ports], {
    cwd: copy,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...wranglerEnv, WRANGLER_REGISTRY_PATH: join(copy, ".wrangler/registry") },
  });
  const exited = once(server, "exit");
  stop = async () => {
    if (server.exitCode === null && server.pid !== undefined) process.kill(-server.pid, "SIGKILL");
    await exited;
  };
  const complaints: string[] = [];
  server.stderr.on("data", (chunk) => complaints.push(String(chunk)));
  const isReady = await Promise.race([outputIncludes(server.stdout, `Ready on ${origin}`), exited.then(() => false)]);
  expect(isReady, complaints.join("")).toBe(true);
}, START_TIMEOUT_MS);

afterAll(async () => {
  await stop();
  rmSync(copy, { recursive: true });
});

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

interface Started {
  presignedUrl: string;
  downloadId: string;
}

/** Posts JSON as a page would. @throws Error for an error answer */
async function post(path: string, body: object, cookie = ""): Promise<Response> {
  const headers = { "content-type": "application/json", origin, cookie };
  const response = await fetch(origin + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

it("`npx wrangler dev` alone serves a fresh clone: pages, database, accounts, uploads and downloads", async () => {
  const page = await fetch(origin);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("</html>")]);
  const health = await fetch(`${origin}/api/health`);
  expect([health.status, await health.json()]).toMatchObject([200, { ok: true }]);

  const person = { email: "somebody@example.com", password: "a good password" };
  const registered = await post("/api/auth/register", person);
  const [cookie = ""] = registered.headers.getSetCookie()[0]?.split(";") ?? [];
  const file = { filename: "small.txt", fileType: "text/plain", fileSize: BYTES.byteLength, expiration: "1d" };
  const started = await post("/api/direct-upload/presigned-url", file, cookie);
  const { presignedUrl, downloadId } = JSON.parse(await started.text()) as Started;
  expect(new URL(presignedUrl).origin).toBe(origin);
  const headers = { "content-type": "text/plain" };
  const sent = await fetch(presignedUrl, { method: "PUT", headers, body: BYTES });
  expect(sent.status).toBe(200);
  await post("/api/direct-upload/complete", { downloadId }, cookie);
  const received = await fetch(`${origin}/api/files/download/${downloadId}/content`);
  expect([received.status, await received.text()]).toEqual([200, new TextDecoder().decode(BYTES)]);
}, 60_000);
