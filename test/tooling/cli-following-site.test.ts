// @module-tag long
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { partRange } from "#domain/parts.ts";
import type { CallAnswer } from "#domain/v1/calls.ts";
import { KIB, MIB } from "#domain/units.ts";
import { endOf, serverWithKey, Shell } from "#test/support/cli/program.ts";
import type { LocalServer } from "../../scripts/local-server.ts";

/** Nine parts of 8 MiB, each of which can be read as soon as it is stored. */
const BYTES = randomBytes(66 * MIB);
const LATER_PARTS = [3, 4, 5, 6, 7, 8, 9];
/** Can be read of the first two parts: 64 KiB are kept for pauses. */
const FIRST_PARTS_BYTES = 16 * MIB - 64 * KIB;

let server: LocalServer;
let account: { key: string };
let shell: Shell;

beforeAll(async () => {
  ({ server, account } = await serverWithKey());
}, 240_000);
afterAll(async () => {
  await server.stop();
});
beforeEach(() => {
  shell = new Shell();
  return () => {
    shell.remove();
  };
});

type Started = CallAnswer<"startUpload">;

async function ask(method: string, path: string, body?: object | Uint8Array<ArrayBuffer>): Promise<Response> {
  const isJson = body !== undefined && !(body instanceof Uint8Array);
  return fetch(`${server.origin}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${account.key}`, ...(isJson && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
  });
}

/** Somebody sends the first two of the file's parts. */
async function start(guards?: object): Promise<Started> {
  const answer = await ask("POST", "/uploads", { name: "film.bin", size: BYTES.length, guards });
  expect(answer.status).toBe(201);
  const started = (await answer.json()) as Started;
  await send(started, 1, 2);
  return started;
}

async function send({ id }: Started, ...parts: number[]): Promise<void> {
  for (const part of parts) {
    const { start: from, end } = partRange(BYTES.length, part);
    const sum = part === 1 ? "?crc32=0000002a" : "";
    expect((await ask("PUT", `/uploads/${id}/parts/${part}${sum}`, BYTES.subarray(from, end))).status).toBe(200);
  }
}

async function finish(upload: Started): Promise<void> {
  await send(upload, ...LATER_PARTS);
  expect((await ask("POST", `/uploads/${upload.id}/complete`, {})).status).toBe(200);
}

function startGet({ link }: Started, ...args: string[]) {
  return shell.start("get", link, "--out", "out", ...args);
}

const out = (path: string) => join(shell.work, "out", path);

/** Resolves once the first two parts are saved, but for what the server keeps for pauses. */
async function untilSaved({ downloadId }: Started): Promise<void> {
  const part = out(join(`.mayfly-${downloadId}`, "0-0"));
  const size = () => (existsSync(part) ? statSync(part).size : 0);
  await expect.poll(size, { timeout: 60_000 }).toBeGreaterThanOrEqual(FIRST_PARTS_BYTES);
}

function expectSaved(): void {
  expect(readdirSync(out(""))).toEqual(["film.bin"]);
  expect(readFileSync(out("film.bin")).equals(BYTES)).toBe(true);
}

it("saves a file with a password across the end of its upload [FOL-12, FOL-18]", async () => {
  const upload = await start({ password: "a good one" });
  const program = startGet(upload, "--password-stdin");
  program.stdin.end("a good one");
  const ended = endOf(program);
  await untilSaved(upload);
  await finish(upload);
  expect(await ended).toMatchObject({ code: 0, out: "out/film.bin\n" });
  expectSaved();
});

it("goes on behind the end of the upload with the download that it took, and takes no other [FOL-12, FOL-18]", async () => {
  const upload = await start({ maxDownloads: 1 });
  const killed = startGet(upload);
  await untilSaved(upload);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  await finish(upload);
  expect(await endOf(startGet(upload))).toMatchObject({ code: 0, out: "out/film.bin\n" });
  expectSaved();
  const ofLink = async () => (await fetch(`${server.origin}/api/v1/links/${upload.downloadId}`)).status;
  await expect.poll(ofLink, { timeout: 60_000 }).toBe(410);
});

it("ends with 5 when the sender cancels the upload [FOL-12, FOL-17]", async () => {
  const upload = await start();
  const ended = endOf(startGet(upload));
  await untilSaved(upload);
  expect((await ask("DELETE", `/uploads/${upload.id}`)).status).toBe(204);
  expect(await ended).toMatchObject({
    code: 5,
    out: "",
    error: expect.stringContaining("The sender has cancelled the upload, or it has failed.\n") as string,
  });
  expect(existsSync(out("film.bin"))).toBe(false);
});

it("ends with 8 when the sender's file has changed [FOL-8, FOL-12]", async () => {
  const upload = await start();
  const ended = endOf(startGet(upload));
  await untilSaved(upload);
  const receipts = [{ part: 1, etag: "0".repeat(32), crc32: "0000002b" }];
  expect((await ask("POST", `/uploads/${upload.id}/parts`, { parts: [], receipts })).status).toBe(409);
  expect(await ended).toMatchObject({
    code: 8,
    out: "",
    error: expect.stringContaining("The file has changed since the sender began. Ask for it again.\n") as string,
  });
  expect(existsSync(out("film.bin"))).toBe(false);
});
