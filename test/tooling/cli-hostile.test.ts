import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createKey } from "#domain/api-keys.ts";
import { V1_PATH, type V1Call } from "#domain/v1/call.ts";
import { V1_CALLS } from "#domain/v1/calls.ts";
import { endOf, type Ended } from "#test/support/cli/program.ts";

/** Clears the screen, colours it in two ways, rings, hides, turns the direction round, and begins a line of its own. */
const HOSTILE = "\u001b[2J\u009b31m\u0007\u007f\u202e\u200b\u{e0041}\u2028\r\nEVIL";
/** What a terminal must never get, except the line breaks of the program. */
const UNSEEN = /[^\P{Cc}\n]|\p{Cf}|[\u2028\u2029\u{e0000}-\u{e007f}]/u;
const KEY = createKey();
const ID = "2d8f0a52-9c1b-4d5e-8b61-0f3c7a9e4b10";
const TOKEN = "T0kBx5Lr2YwAq3Zc8vV1sA";

/** What the program goes by, and does not show. */
const KEPT = new Set(["kind", "next", "url", "downloadId", "sha256"]);

let server: Server;
let origin: string;
let isRefusing = false;
let folder: string;

beforeAll(async () => {
  server = createServer(answer);
  server.listen(0);
  await once(server, "listening");
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});
beforeEach(() => {
  isRefusing = false;
  folder = mkdtempSync(join(tmpdir(), "mayfly-hostile-"));
  mkdirSync(join(folder, "config/mayfly"), { recursive: true });
  writeFileSync(join(folder, "config/mayfly/account.json"), JSON.stringify({ origin, key: KEY }));
  writeFileSync(join(folder, "a.txt"), "bytes");
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Every text of an answer ends in what is hostile. */
function poisoned(value: unknown, field = ""): unknown {
  if (typeof value === "string") return KEPT.has(field) ? value : value + HOSTILE;
  if (Array.isArray(value)) return value.map((item) => poisoned(item, field));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, poisoned(content, name)]));
}

/** The examples of the description, made hostile. Those with a list are its only page. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  request.on("end", () => {
    const path = request.url?.split("?")[0]?.replace(V1_PATH, "") ?? "";
    response.setHeader("content-type", "application/json");
    const call = Object.values<V1Call>(V1_CALLS).find(
      (row) => row.method === request.method && new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
    );
    if (isRefusing) response.writeHead(403).end(JSON.stringify({ code: "NO", message: `No. ${HOSTILE}` }));
    else if (path.startsWith("/store/")) response.setHeader("etag", '"1"').end();
    else if (/^\/links\/[^/]+\/files\/0$/.test(path)) response.end("hello");
    else if (call) response.writeHead(call.status).end(JSON.stringify(bodyOf(call)));
    else response.writeHead(404).end("{}");
  });
}

function bodyOf(call: V1Call): unknown {
  const { answer: example } = call.example;
  if (call === V1_CALLS.readLink) return { ...(poisoned(example) as object), state: "ready" };
  if (call === V1_CALLS.startUpload) {
    const urls = [{ part: 1, url: `${origin}/store/a` }];
    const started = poisoned(example) as { upload: object };
    return { ...started, upload: { ...started.upload, urls, headers: { "content-type": "text/plain" } } };
  }
  return poisoned(example);
}

function run(...args: string[]): Promise<Ended> {
  const env = { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: join(folder, "config") };
  const program = spawn(process.execPath, [resolve("build/cli/mayfly.js"), ...args], { cwd: folder, env });
  program.stdin.on("error", () => undefined);
  program.stdin.end(`${KEY}\n`);
  return endOf(program);
}

const LINK = () => `${origin}/download/${"A".repeat(22)}`;

/** Every command, and whether its words and its JSON tell what the server said. */
const COMMANDS: [name: string, args: () => string[], tells: { words: boolean; json: boolean }][] = [
  ["login", () => ["login", origin, "--key-stdin"], { words: true, json: true }],
  ["whoami", () => ["whoami"], { words: true, json: true }],
  ["send", () => ["send", "a.txt", "--fresh"], { words: true, json: true }],
  ["get", () => ["get", LINK(), "--out", "out"], { words: true, json: false }],
  ["get --list", () => ["get", LINK(), "--list"], { words: true, json: true }],
  ["ls", () => ["ls"], { words: true, json: true }],
  ["info", () => ["info", ID], { words: true, json: true }],
  ["edit", () => ["edit", ID, "--name", "b"], { words: true, json: true }],
  ["rm", () => ["rm", ID], { words: true, json: true }],
  ["request", () => ["request", "--title", "Photos"], { words: true, json: true }],
  ["request list", () => ["request", "list"], { words: true, json: true }],
  ["request received", () => ["request", "received"], { words: true, json: true }],
  ["request edit", () => ["request", "edit", ID, "--note", "b"], { words: true, json: true }],
  ["request close", () => ["request", "close", ID], { words: true, json: true }],
  ["request open", () => ["request", "open", ID], { words: true, json: true }],
  ["request rm", () => ["request", "rm", ID], { words: false, json: false }],
  ["logout", () => ["logout"], { words: false, json: false }],
];

function expectHarmless({ out, error }: Ended): void {
  for (const text of [out, error]) {
    expect(text).not.toMatch(UNSEEN);
    expect(text).not.toMatch(/^EVIL/m);
  }
}

/** All texts of a value. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Those that `npm test` asks for JSON, and refuses, too. */
const SAMPLE = new Set(["whoami", "get --list"]);

describe.each(COMMANDS)("%s", (name, args, tells) => {
  const tags = SAMPLE.has(name) ? [] : ["long"];

  it("shows of what a hostile server says only what can be seen [CLI-24]", async () => {
    const ended = await run(...args());
    expectHarmless(ended);
    expect(ended).toMatchObject({ code: 0 });
    expect((ended.out + ended.error).includes("EVIL")).toBe(tells.words);
    if (name === "get") expect(readdirSync(join(folder, "out"))).toEqual(["report.pdf[2J31m\u200b\u{e0041}EVIL"]);
  });

  it("escapes it in JSON, which keeps it as it was [CLI-24]", { tags }, async () => {
    const ended = await run(...args(), "--json");
    expectHarmless(ended);
    expect(ended).toMatchObject({ code: 0 });
    expect(textsOf(JSON.parse(ended.out)).some((text) => text.endsWith(HOSTILE))).toBe(tells.json);
  });

  it("shows a hostile refusal in the same way [CLI-24]", { tags }, async () => {
    isRefusing = true;
    const ended = await run(...args());
    expectHarmless(ended);
    expect(ended.error).toContain("EVIL");
  });
});

it.each([
  ["a folder", () => ["send", "folder", "--fresh"]],
  ["standard input", () => ["send", "-"]],
  ["an encrypted file", () => ["send", "a.txt", "--encrypt", "--fresh"]],
  ["into a request", () => ["send", "a.txt", "--to-request", `${origin}/r/${TOKEN}`]],
] as const)("a hostile refusal of sending %s shows only what can be seen", async (_, args) => {
  mkdirSync(join(folder, "folder"));
  isRefusing = true;
  const ended = await run(...args());
  expectHarmless(ended);
  expect(ended).toMatchObject({ code: 3, out: "" });
  expect(ended.error).toContain("EVIL");
});
