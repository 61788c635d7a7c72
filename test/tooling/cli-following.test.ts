// @module-tag long
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ArrivingFiles, type ArrivingFile } from "#test/support/cli/arriving-files.ts";
import { endOf, Shell, untilError } from "#test/support/cli/program.ts";

const BYTES = randomBytes(1_000_000);
const HALF = 500_000;
const FOLLOW = `/api/files/download/${"A".repeat(22)}/content?follow=1`;

let shell: Shell;
let site: ArrivingFiles;

beforeEach(() => {
  shell = new Shell();
});
afterEach(async () => {
  await site.close();
  shell.remove();
});

const film = (more: Partial<ArrivingFile> = {}): ArrivingFile => ({
  name: "film.mp4",
  bytes: BYTES,
  stored: HALF,
  followUrl: FOLLOW,
  ...more,
});
const out = (path: string) => join(shell.work, "out", path);
const isSaved = (path: string) => existsSync(out(path)) && readFileSync(out(path)).equals(BYTES);
const part = (n: number) => out(join(`.mayfly-${"A".repeat(22)}`, `${n}-0`));
const startGet = (...args: string[]) => shell.start("get", site.link, "--out", "out", ...args);
const get = (...args: string[]) => shell.run("get", site.link, "--out", "out", ...args);

/** Resolves once the first half is saved. */
async function untilHalf(): Promise<void> {
  await expect.poll(() => (existsSync(part(0)) ? statSync(part(0)).size : 0), { timeout: 30_000 }).toBe(HALF);
}

function finish(file: ArrivingFile): void {
  site.isReady = true;
  site.store(file, BYTES.length);
}

it("saves a file while it arrives, and says that it waits [FOL-12]", async () => {
  const file = film();
  site = await ArrivingFiles.open([file]);
  const program = startGet();
  const ended = endOf(program);
  await untilError(program, "waiting for the sender (50 %)\n");
  finish(file);
  expect(await ended).toMatchObject({ code: 0, out: "out/film.mp4\n" });
  expect(isSaved("film.mp4")).toBe(true);
  expect(readdirSync(join(shell.work, "out"))).toEqual(["film.mp4"]);
});

it("goes on behind a break, also one at the end of the upload [FOL-12]", async () => {
  const file = film();
  site = await ArrivingFiles.open([file]);
  const ended = endOf(startGet());
  await untilHalf();
  site.cut();
  await expect.poll(() => site.ranges.length, { timeout: 30_000 }).toBe(2);
  site.cut();
  finish(file);
  expect(await ended).toMatchObject({ code: 0 });
  expect(site.ranges).toEqual(["", 'bytes=500000- "start"', 'bytes=500000- "start"']);
  expect(isSaved("film.mp4")).toBe(true);
});

it("asks again as the server says when nothing is stored, and when too many follow [FOL-12]", async () => {
  site = await ArrivingFiles.open([film({ stored: BYTES.length })]);
  site.refusals = [
    { status: 409, code: "UPLOAD_UNFINISHED", retryAfter: "1" },
    { status: 409, code: "TOO_MANY_FOLLOWERS", retryAfter: "1" },
  ];
  const ended = endOf(startGet());
  await expect.poll(() => site.ranges.length, { timeout: 30_000 }).toBe(3);
  site.isReady = true;
  expect(await ended).toMatchObject({ code: 0 });
  expect(isSaved("film.mp4")).toBe(true);
});

it.each([
  [5, { status: 404, code: "FILE_NOT_FOUND" }, "The sender has cancelled the upload, or it has failed.\n"],
  [5, { status: 410, code: "FILE_EXPIRED" }, "The server's words.\n"],
  [
    8,
    { status: 404, code: "FILE_NOT_FOUND", reason: "FILE_CHANGED" },
    "The file has changed since the sender began. Ask for it again.\n",
  ],
])("ends with %i when the upload ends with %o [FOL-12]", async (code, refusal, words) => {
  site = await ArrivingFiles.open([film()]);
  const ended = endOf(startGet());
  await untilHalf();
  site.ended = refusal;
  site.cut();
  expect(await ended).toMatchObject({ code, out: "", error: expect.stringContaining(words) as string });
  expect(existsSync(out("film.mp4"))).toBe(false);
});

it("ends with 7 and keeps nothing of a file with another sum than the server says at the end [FOL-12]", async () => {
  const file = film({ sha256: "0".repeat(64) });
  site = await ArrivingFiles.open([file]);
  const ended = endOf(startGet());
  await untilHalf();
  finish(file);
  expect(await ended).toMatchObject({ code: 7, out: "" });
  expect(readdirSync(join(shell.work, "out"))).toEqual([]);
});

it("ends with 4 at once where it may not wait, or cannot follow [FOL-12]", async () => {
  const file = film();
  site = await ArrivingFiles.open([file]);
  expect(await get("--wait", "0")).toMatchObject({ code: 4, out: "" });
  delete file.followUrl;
  expect(await get()).toMatchObject({ code: 4, out: "" });
  expect(await get("--wait", "soon")).toMatchObject({ code: 2, out: "" });
  expect(site.ranges).toEqual([]);
});

it("asks the link's own server, whatever address the server names [FOL-12]", async () => {
  const file = film({ followUrl: `https://elsewhere.example${FOLLOW}` });
  site = await ArrivingFiles.open([file]);
  const ended = endOf(startGet());
  await untilHalf();
  finish(file);
  expect(await ended).toMatchObject({ code: 0 });
});

it("saves what is stored of a transfer, and then the rest as it arrives [FOL-12]", async () => {
  const stored = film({ name: "a.bin", stored: BYTES.length });
  const waiting = film({ name: "b.bin", stored: 0 });
  delete waiting.followUrl;
  site = await ArrivingFiles.open([stored, waiting], "Summer");
  const program = startGet();
  const ended = endOf(program);
  await expect.poll(() => isSaved("a.bin"), { timeout: 30_000 }).toBe(true);
  site.store(waiting, BYTES.length);
  const entry = `/api/files/download/${"A".repeat(22)}/entries/2/content?follow=1`;
  const added = film({ name: "c.bin", stored: HALF, followUrl: entry });
  site.files.push(added);
  await expect.poll(() => existsSync(part(2)), { timeout: 30_000 }).toBe(true);
  finish(added);
  expect(await ended).toMatchObject({ code: 0, out: "out/a.bin\nout/b.bin\nout/c.bin\n" });
  expect([isSaved("b.bin"), isSaved("c.bin")]).toEqual([true, true]);
});

it("waits for the chosen files of a transfer alone, and ends with 5 when one is removed [FOL-12]", async () => {
  const first = film({ name: "a.bin", stored: 0 });
  const second = film({ name: "b.bin", stored: 0 });
  delete first.followUrl;
  delete second.followUrl;
  site = await ArrivingFiles.open([first, second], "Summer");
  const program = startGet("--file", "2");
  const ended = endOf(program);
  await untilError(program, "waiting for the sender (0 %)\n");
  site.store(second, BYTES.length);
  expect(await ended).toMatchObject({ code: 0, out: "out/b.bin\n" });
  const waiting = startGet("--file", "1");
  const removed = endOf(waiting);
  await untilError(waiting, "waiting for the sender (0 %)\n");
  first.isRemoved = true;
  expect(await removed).toMatchObject({ code: 5, out: "" });
});

/** The film as file 0 of a transfer. */
const ENTRY = `/api/files/download/${"A".repeat(22)}/entries/0/content?follow=1`;

it("saves what is stored of a transfer before it follows a large file [FOL-31]", async () => {
  const bytes = randomBytes(9_000_000);
  const arriving = film({ name: "a.bin", bytes, stored: HALF, followUrl: ENTRY });
  const stored = film({ name: "b.bin", bytes, stored: bytes.length });
  delete stored.followUrl;
  site = await ArrivingFiles.open([arriving, stored], "Summer");
  const ended = endOf(startGet());
  await untilHalf();
  expect(readFileSync(out("b.bin")).equals(bytes)).toBe(true);
  site.isReady = true;
  site.store(arriving, bytes.length);
  expect(await ended).toMatchObject({ code: 0, out: "out/a.bin\nout/b.bin\n" });
  expect(readFileSync(out("a.bin")).equals(bytes)).toBe(true);
});

it("goes on without a large file that the sender removes while it is followed [FOL-31]", async () => {
  const removed = film({ name: "a.bin", followUrl: ENTRY });
  const waiting = film({ name: "b.bin", stored: 0 });
  delete waiting.followUrl;
  site = await ArrivingFiles.open([removed, waiting], "Summer");
  const ended = endOf(startGet());
  await untilHalf();
  removed.isRemoved = true;
  site.cut();
  await expect.poll(() => existsSync(part(0)), { timeout: 30_000 }).toBe(false);
  finish(waiting);
  expect(await ended).toMatchObject({ code: 0, out: "out/b.bin\n" });
  expect(readdirSync(join(shell.work, "out"))).toEqual(["b.bin"]);
});
