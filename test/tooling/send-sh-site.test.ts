// @module-tag long
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startProgramSite, sumOf, type ProgramSite } from "../support/programs/program-site.ts";
import { START_TIMEOUT_MS } from "../support/wrangler-dev.ts";

/** On Debian it is `sh`, and knows nothing that POSIX does not. */
const SHELL = "dash";

let site: ProgramSite;

beforeAll(async () => {
  site = await startProgramSite();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await site.stop();
});

function send(args: string[], env: Record<string, string> = {}) {
  const own = { MAYFLY_URL: site.origin, MAYFLY_KEY: site.account.key, ...env };
  return site.run(SHELL, [resolve("public/send.sh"), ...args], { env: own });
}

/** @returns what the link's page knows about the file */
async function about(link: string): Promise<Record<string, unknown>> {
  const response = await fetch(link.trim().replace("/download/", "/api/files/download/"));
  return (await response.json()) as Record<string, unknown>;
}

async function sumBehind(link: string): Promise<string> {
  const response = await fetch(`${link.trim().replace("/download/", "/api/files/download/")}/content`);
  return sumOf(new Uint8Array(await response.arrayBuffer()));
}

it("sends a file with spaces and umlauts in its name over a line that breaks twice [SEND-11]", async () => {
  const sum = site.writeRandom("Übergroße Datei é.bin", 40_000_000);
  site.line.sentBytes = 0;
  site.line.cuts = [9_000_000, 30_000_000];
  const { code, out, error } = await send(["Übergroße Datei é.bin"], { MAYFLY_EXPIRES: "1d" });
  expect([code, site.line.cuts]).toEqual([0, []]);
  expect(out).toMatch(new RegExp(`^${site.origin}/download/[\\w-]{22}\n$`));
  expect(error).toMatch(/100 %\n$/);
  expect(await about(out)).toMatchObject({ filename: "Übergroße Datei é.bin", size: 40_000_000, status: "ready" });
  expect(await sumBehind(out)).toBe(sum);
}, 120_000);

it("sends an empty file, under another name", async () => {
  site.writeRandom("empty", 0);
  const { code, out } = await send(["empty", "nothing.txt"]);
  expect(code).toBe(0);
  expect(await about(out)).toMatchObject({ filename: "nothing.txt", size: 0, status: "ready" });
}, 60_000);

it.each([
  [
    "a wrong key",
    { MAYFLY_KEY: "mayfly_wrong" },
    "This API key is unknown, has run out or was revoked. Make another one on your account page.",
  ],
  ["no key", { MAYFLY_KEY: "" }, "Set MAYFLY_KEY to an API key."],
  ["no site", { MAYFLY_URL: "" }, "Set MAYFLY_URL to the address of the site."],
  ["an unknown expiry", { MAYFLY_EXPIRES: "2d" }, "expiration must be one of 3m, 6h, 1d, 3d, 7d, 30d, 60d, 1y, never."],
  ["an expiry that the plan lacks", { MAYFLY_EXPIRES: "7d" }, "The expiry “7 days” requires the Professional plan."],
] as [string, Record<string, string>, string][])(
  "says in words what is wrong with %s [SEND-11]",
  async (_, env, words) => {
    writeFileSync(join(site.folder, "small.txt"), "hello");
    const { code, out, error } = await send(["small.txt"], env);
    expect([code === 0, out]).toEqual([false, ""]);
    expect(error).toContain(words);
    expect(error).not.toContain("{");
  },
  60_000,
);

it("says in words that a file is larger than the plan allows, and sends none of it [SEND-11]", async () => {
  await site.run("truncate", ["-s", "600000000", "huge.bin"]);
  site.line.sentBytes = 0;
  const { code, error } = await send(["huge.bin"]);
  rmSync(join(site.folder, "huge.bin"));
  expect([code, error]).toEqual([
    1,
    "send.sh: This file is larger than your plan allows (500 MB). Upgrade to send it.\n",
  ]);
  expect(site.line.sentBytes).toBeLessThan(2_000);
}, 60_000);

it("ends without an answer when nothing listens", async () => {
  writeFileSync(join(site.folder, "small.txt"), "hello");
  const { code, out, error } = await send(["small.txt"], { MAYFLY_URL: "http://127.0.0.1:9" });
  expect([code, out]).toEqual([1, ""]);
  expect(error).toContain("send.sh: Nothing answers at http://127.0.0.1:9.");
}, 60_000);
