// @module-tag long
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { isEqual } from "#domain/seal/keys.ts";
import { openBadLine, type BadLine } from "#test/support/seal/bad-line.ts";
import { plainBytes } from "#test/support/seal/sealed-files.ts";
import { SealingClient, type SealedLink } from "#test/support/seal/sealed-uploads.ts";
import { prepareServer, type LocalServer } from "../../scripts/local-server.ts";

const OPENER = "build/client/mayfly-open.mjs";
const RECORD = 262_144;
const PLAIN = 262_116;
/** Twelve records, the last one short. */
const SIZE = 11 * PLAIN + 4321;
let server: LocalServer;
let client: SealingClient;
let line: BadLine;
let folder: string;

beforeAll(async () => {
  server = await prepareServer();
  await server.start();
  client = await SealingClient.signUp(server.origin);
}, 240_000);
afterAll(async () => {
  await server.stop();
});
beforeEach(async () => {
  line = await openBadLine(server.origin);
  folder = mkdtempSync(join(tmpdir(), "opener-"));
  return async () => {
    await line.close();
    rmSync(folder, { recursive: true });
  };
});

interface Ended {
  code: number | null;
  out: string;
  error: string;
}

function start(link: string, ...args: string[]) {
  return spawn(process.execPath, [OPENER, link.replace(server.origin, line.origin), "--out", folder, ...args]);
}

async function openLink(link: string, args: string[] = [], input = ""): Promise<Ended> {
  const opener = start(link, ...args);
  opener.stdin.end(input);
  return endOf(opener);
}

async function endOf(program: ChildProcessWithoutNullStreams): Promise<Ended> {
  const [[code], out, error] = await Promise.all([
    once(program, "exit") as Promise<[number | null]>,
    text(program.stdout),
    text(program.stderr),
  ]);
  return { code, out, error };
}

const saved = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
const isSaved = (name: string, bytes: Uint8Array) => isEqual(saved(name), bytes);

it("saves a single file under its own name and date, and leaves it alone the next time", async () => {
  const bytes = plainBytes(SIZE);
  const { link } = await client.sendFile({ name: "Größe.bin", bytes });
  expect(await openLink(link)).toMatchObject({ code: 0, out: `${join(folder, "Größe.bin")}\n` });
  expect(isSaved("Größe.bin", bytes)).toBe(true);
  expect(statSync(join(folder, "Größe.bin")).mtimeMs).toBe(Date.UTC(2026, 0, 31, 12));
  expect(await openLink(link)).toMatchObject({ code: 0, out: `${join(folder, "Größe.bin")} is there already\n` });
  expect(readdirSync(folder)).toEqual(["Größe.bin"]);
  expect(line.ranges).toEqual(["bytes=0-"]);
});

it("lists a transfer, saves all its files in their folders, and single ones by number", async () => {
  const files = [
    { name: "a/one.txt", bytes: plainBytes(700) },
    { name: "a/b/two.bin", bytes: plainBytes(PLAIN + 1, 2) },
    { name: "empty.txt", bytes: new Uint8Array() },
    { name: "folder/", bytes: new Uint8Array() },
  ];
  const { link } = await client.sendTransfer(files, { title: "Holiday" });
  const list = await openLink(link, ["--list"]);
  expect(list).toMatchObject({ code: 0, error: "" });
  expect(list.out.split("\n")).toEqual([
    "Holiday",
    "    1    700 Bytes  2026-01-31  a/one.txt",
    "    2    255.97 KB  2026-01-31  a/b/two.bin",
    "    3      0 Bytes  2026-01-31  empty.txt",
    "    4      0 Bytes  2026-01-31  folder/",
    "",
  ]);
  expect(readdirSync(folder)).toEqual([]);
  expect((await openLink(link, ["--file", "2"])).code).toBe(0);
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(["a", "a/b", "a/b/two.bin"]);
  expect((await openLink(link)).code).toBe(0);
  for (const { name, bytes } of files.slice(0, 3)) expect(isSaved(name, bytes)).toBe(true);
  expect(statSync(join(folder, "folder")).isDirectory()).toBe(true);
  expect(await openLink(link, ["--file", "5"])).toMatchObject({
    code: 2,
    error: "There is no file 5: the list ends at 4.\n",
  });
});

it("goes on after it was killed, from the last whole record", async () => {
  const bytes = plainBytes(SIZE, 3);
  const { link, downloadId } = await client.sendFile({ name: "killed.bin", bytes });
  line.faults = [{ stallAfter: 8 * RECORD + 1000 }];
  const opener = start(link);
  await expect.poll(() => partSize(downloadId), { timeout: 30_000 }).toBe(8 * PLAIN);
  opener.kill("SIGKILL");
  await once(opener, "exit");
  writeFileSync(partPath(downloadId), "half a record", { flag: "a" });
  expect(await openLink(link)).toMatchObject({ code: 0 });
  expect(isSaved("killed.bin", bytes)).toBe(true);
  expect(line.ranges).toEqual(["bytes=0-", `bytes=${8 * RECORD}-`]);
  expect(readdirSync(folder)).toEqual(["killed.bin"]);
});

it("starts anew when the unfinished file was changed", async () => {
  const bytes = plainBytes(SIZE, 4);
  const { link, downloadId } = await client.sendFile({ name: "other.bin", bytes });
  mkdirSync(join(folder, `.mayfly-${downloadId}`));
  writeFileSync(partPath(downloadId), plainBytes(5 * PLAIN, 99));
  expect(await openLink(link)).toMatchObject({ code: 0 });
  expect(isSaved("other.bin", bytes)).toBe(true);
  expect(line.ranges).toEqual([`bytes=${5 * RECORD}-`, "bytes=0-"]);
});

it("asks for the rest of a shortened answer, and gives up with 7 after four that brought nothing", async () => {
  const bytes = plainBytes(SIZE, 5);
  const { link, downloadId } = await client.sendFile({ name: "cut.bin", bytes });
  line.faults = [{ cutAfter: 3 * RECORD + 10 }, { cutAfter: 5 }, { cutAfter: RECORD }];
  expect(await openLink(link)).toMatchObject({ code: 0 });
  expect(isSaved("cut.bin", bytes)).toBe(true);
  const [third, fourth] = [3 * RECORD, 4 * RECORD];
  expect(line.ranges).toEqual(["bytes=0-", `bytes=${third}-`, `bytes=${third}-`, `bytes=${fourth}-`]);
  rmSync(join(folder, "cut.bin"));
  line.faults = Array.from({ length: 4 }, () => ({ cutAfter: 100 }));
  expect(await openLink(link)).toMatchObject({ code: 7 });
  expect(readdirSync(folder)).toEqual([`.mayfly-${downloadId}`]);
  expect(partSize(downloadId)).toBe(0);
});

it("ends with 8 and keeps nothing of a file when one bit is not the sender's", async () => {
  const { link } = await client.sendFile({ name: "damaged.bin", bytes: plainBytes(SIZE, 6) });
  for (const flipAt of [0, 5 * RECORD + 77, 11 * RECORD + 4321 + 27]) {
    line.faults = [{ flipAt }];
    const ended = await openLink(link);
    expect(ended).toMatchObject({ code: 8, error: "Part of this file is not what the sender encrypted.\n" });
    expect(readdirSync(folder)).toEqual([]);
  }
});

it("never overwrites what has the file's name: another file, or a symbolic link, even one to nothing", async () => {
  const bytes = plainBytes(500, 7);
  const { link } = await client.sendFile({ name: "mine.txt", bytes });
  writeFileSync(join(folder, "mine.txt"), "mine");
  symlinkSync("nothing", join(folder, "mine (1).txt"));
  expect((await openLink(link)).code).toBe(0);
  expect(readFileSync(join(folder, "mine.txt"), "utf8")).toBe("mine");
  expect(isSaved("mine (2).txt", bytes)).toBe(true);
});

it("leaves .part files alone, those of other programs and those of the transfer", async () => {
  const files = [
    { name: "a.part", bytes: plainBytes(70, 11) },
    { name: "a", bytes: plainBytes(80, 12) },
  ];
  const { link } = await client.sendTransfer(files);
  writeFileSync(join(folder, "b.part"), "of another program");
  expect((await openLink(link)).code).toBe(0);
  for (const { name, bytes } of files) expect(isSaved(name, bytes)).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(["a", "a.part", "b.part"]);
  expect(readFileSync(join(folder, "b.part"), "utf8")).toBe("of another program");
});

it("writes through no symbolic link, neither of a folder nor of an unfinished file", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"));
  const victim = join(elsewhere, "victim");
  writeFileSync(victim, "untouched");
  const files = [{ name: "sub/x.txt", bytes: plainBytes(60) }];
  const { link, downloadId } = await client.sendTransfer(files);
  symlinkSync(elsewhere, join(folder, "sub"));
  const ended = await openLink(link);
  expect(ended).toMatchObject({ code: 1, error: `"${join(folder, "sub")}" is not a folder.\n` });
  rmSync(join(folder, "sub"));
  mkdirSync(join(folder, `.mayfly-${downloadId}`));
  symlinkSync(victim, partPath(downloadId));
  expect((await openLink(link)).code).toBe(1);
  rmSync(join(folder, `.mayfly-${downloadId}`), { recursive: true });
  symlinkSync(elsewhere, join(folder, `.mayfly-${downloadId}`));
  expect((await openLink(link)).code).toBe(1);
  expect(readdirSync(elsewhere)).toEqual(["victim"]);
  expect(readFileSync(victim, "utf8")).toBe("untouched");
  rmSync(elsewhere, { recursive: true });
});

it("saves names with a dot at their start only into a folder that was chosen", async () => {
  const files = ["a.txt", ".config/b"].map((name) => ({ name, bytes: plainBytes(7) }));
  const { link } = await client.sendTransfer(files);
  const refused = await openHere(link);
  expect(refused.code).toBe(2);
  expect(refused.error).toContain('".config/b" begins with a dot');
  expect(readdirSync(folder)).toEqual([]);
  expect((await openHere(link, "--file", "1")).code).toBe(0);
  expect((await openHere(link, "--out", ".")).code).toBe(0);
  expect(isSaved(".config/b", plainBytes(7))).toBe(true);
  const own = await client.sendFile({ name: ".Mayfly-x", bytes: plainBytes(5) });
  expect((await openLink(own.link)).code).toBe(8);
});

/** In the folder, without --out. */
function openHere(link: string, ...args: string[]): Promise<Ended> {
  return endOf(spawn(process.execPath, [resolve(OPENER), link, ...args], { cwd: folder }));
}

it("goes on past a removed file, also one that is removed meanwhile, and ends with 5 when none is left", async () => {
  const files = ["a", "b", "c", "d"].map((name, seed) => ({ name, bytes: plainBytes(300, seed) }));
  const sent = await client.sendTransfer(files);
  await client.removeFile(sent, 1);
  expect((await openLink(sent.link, ["--list"])).out.split("\n")).toEqual([
    "    1    300 Bytes  2026-01-31  a",
    "    2    300 Bytes  removed     b",
    "    3    300 Bytes  2026-01-31  c",
    "    4    300 Bytes  2026-01-31  d",
    "",
  ]);
  line.faults = [{}, { before: () => client.removeFile(sent, 2) }];
  expect(await openLink(sent.link)).toEqual({
    code: 0,
    out: `${join(folder, "a")}\n${join(folder, "d")}\n`,
    error: "b was removed by the sender\nc was removed by the sender\n",
  });
  expect(readdirSync(folder)).toEqual(["a", "d"]);
  expect(line.ranges).toHaveLength(3);
  expect((await openLink(sent.link, ["--file", "2"])).code).toBe(5);
  rmSync(join(folder, "a"));
  line.faults = [{ before: () => removeAll(sent, 0, 3) }];
  expect((await openLink(sent.link)).code).toBe(5);
});

async function removeAll(sent: SealedLink, ...entries: number[]): Promise<void> {
  for (const n of entries) await client.removeFile(sent, n);
}

it("tells of files that the server holds and the sender's list does not name", async () => {
  const files = ["a", "hidden"].map((name) => ({ name, bytes: plainBytes(30) }));
  const { link } = await client.sendTransfer(files, { unlisted: 1 });
  const warning = "The server holds 1 file that the list does not name.\n";
  expect(await openLink(link, ["--list"])).toMatchObject({ code: 0, error: warning });
  expect(await openLink(link)).toMatchObject({ code: 0, error: warning });
  expect(readdirSync(folder)).toEqual(["a"]);
});

it("shows nothing of the server or the sender that a terminal would obey", async () => {
  const site = createServer((_, response) => {
    response.statusCode = 410;
    response.end(JSON.stringify({ code: "GONE", message: "\u001b]0;title\u0007Gone\u202e\u{e0041}\u200b" }));
  });
  site.listen(0);
  await once(site, "listening");
  const { port } = site.address() as AddressInfo;
  const { link } = await client.sendTransfer([{ name: "a\u200e\u200b\u061c.txt", bytes: plainBytes(3) }]);
  expect(await openHere(link.replace(server.origin, `http://localhost:${port}`))).toEqual({
    code: 5,
    out: "",
    error: " ]0;title Gone\n",
  });
  site.close();
  expect((await openLink(link, ["--list"])).out).toBe("    1      3 Bytes  2026-01-31  a.txt\n");
});

it("takes a password from standard input, in any Unicode form, and ends with 4 for a wrong one or none", async () => {
  const bytes = plainBytes(900, 9);
  const { link } = await client.sendLocked({ name: "locked.txt", bytes });
  expect(await openLink(link, ["--password-stdin"], "pa\u0308ssword\n")).toMatchObject({ code: 0 });
  expect(isSaved("locked.txt", bytes)).toBe(true);
  expect((await openLink(link, ["--password-stdin"], "password\n")).code).toBe(4);
  expect((await openLink(link, ["--password-stdin"], "")).code).toBe(4);
  expect((await openLink(link)).code).toBe(4);
});

it("asks for a password on a terminal, and shows nothing of it", async () => {
  const bytes = plainBytes(900, 9);
  const { link } = await client.sendLocked({ name: "typed.txt", bytes });
  const args = [process.execPath, OPENER, link, "--out", folder];
  const terminal = spawn("python3", [
    "test/support/seal/type_password.py",
    "wrong\u007f\u007f\u007f\u007f\u007fpässword",
    ...args,
  ]);
  const { code, out } = await endOf(terminal);
  expect(code).toBe(0);
  expect(out.startsWith("Password: \r\n")).toBe(true);
  expect(out.endsWith(`${join(folder, "typed.txt")}\r\n`)).toBe(true);
  expect(out).not.toMatch(/wrong|pässword/);
  expect(isSaved("typed.txt", bytes)).toBe(true);
});

it("takes one of a limited link's downloads, goes on with it after a kill, and is counted once", async () => {
  const bytes = plainBytes(SIZE, 10);
  const sent = await client.sendFile({ name: "limited.bin", bytes }, { maxDownloads: 1 });
  const { link, downloadId } = sent;
  line.faults = [{ stallAfter: 4 * RECORD + 1 }];
  const opener = start(link);
  await expect.poll(() => partSize(downloadId), { timeout: 30_000 }).toBe(4 * PLAIN);
  opener.kill("SIGKILL");
  await once(opener, "exit");
  expect((await openLink(link)).code).toBe(0);
  expect(isSaved("limited.bin", bytes)).toBe(true);
  expect(readdirSync(folder)).toEqual(["limited.bin"]);
  await expect.poll(() => downloadsOf(sent), { timeout: 30_000 }).toEqual([{ n: 1 }]);
  rmSync(join(folder, "limited.bin"));
  expect((await openLink(link)).code).toBe(5);
});

it("counts no download when all files are there already, and lets one process at a time save them", async () => {
  const sent = await client.sendFile({ name: "twice.bin", bytes: plainBytes(SIZE, 13) }, { maxDownloads: 3 });
  line.faults = [{ stallAfter: 2 * RECORD }];
  const first = start(sent.link);
  await expect.poll(() => partSize(sent.downloadId), { timeout: 30_000 }).toBe(0);
  const second = await openLink(sent.link);
  expect(second).toMatchObject({
    code: 6,
    error: `Process ${first.pid} is saving this transfer into the same folder.\n`,
  });
  first.kill("SIGKILL");
  await once(first, "exit");
  expect((await openLink(sent.link)).code).toBe(0);
  await expect.poll(() => downloadsOf(sent), { timeout: 30_000 }).toEqual([{ n: 1 }]);
  const again = await openLink(sent.link);
  expect(again).toMatchObject({ code: 0, out: `${join(folder, "twice.bin")} is there already\n` });
  expect(await downloadsOf(sent)).toEqual([{ n: 1 }]);
});

function downloadsOf({ downloadId }: SealedLink): Promise<{ n: number }[]> {
  return server.execute(`select downloads_used as n from files where download_id = '${downloadId}'`);
}

it("ends with 3 for a link whose key is cut or wrong, with 5 for one that leads nowhere, with 2 for no link", async () => {
  const { link } = await client.sendFile({ name: "a.txt", bytes: plainBytes(5) });
  const cut = await openLink(link.slice(0, -5));
  expect(cut.code).toBe(3);
  expect(cut.error).toContain("5 characters are missing");
  expect((await openLink(link.slice(0, -1))).error).toContain("1 character is missing");
  expect((await openLink(link.replace(/#.*/, ""))).code).toBe(3);
  expect((await openLink(link.replace(/#1./, (start) => (start === "#1A" ? "#1B" : "#1A")))).code).toBe(3);
  expect((await openLink(link.replace(/#1/, "#7"))).code).toBe(3);
  expect((await openLink(link.replace("#", "%23"))).code).toBe(0);
  expect((await openLink(link.replace(/download\/.{22}/, "download/AAAAAAAAAAAAAAAAAAAAAA"))).code).toBe(5);
  expect((await openLink("https://example.com/somewhere")).code).toBe(2);
  expect((await openLink(link, ["--unknown"])).code).toBe(2);
});

it("ends with 6 while the transfer is still arriving, and shows what is announced", async () => {
  const file = { name: "later.txt", bytes: plainBytes(5) };
  const { link } = await client.sendTransfer([file], { isUnfinished: true });
  expect((await openLink(link)).code).toBe(6);
  const list = await openLink(link, ["--list"]);
  expect(list.code).toBe(0);
  expect(list.out).toContain("later.txt\nThis transfer is still arriving");
});

it("is served as a download, which no page can load as a script", async () => {
  const answer = await fetch(`${server.origin}/mayfly-open.mjs`);
  expect(await answer.text()).toBe(readFileSync(OPENER, "utf8"));
  expect(answer.headers.get("content-disposition")).toBe("attachment");
  expect(answer.headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
});

/** Of a single file that is not finished. */
function partPath(downloadId: string): string {
  return join(folder, `.mayfly-${downloadId}`, "0-0");
}

function partSize(downloadId: string): number {
  try {
    return statSync(partPath(downloadId)).size;
  } catch {
    return -1;
  }
}
