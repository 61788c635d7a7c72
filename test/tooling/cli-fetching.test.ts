// @module-tag long
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { serverWithKey, Shell, type Ended } from "#test/support/cli/program.ts";
import { openBadLine, type BadLine } from "#test/support/seal/bad-line.ts";
import type { LocalServer } from "../../scripts/local-server.ts";

const BYTES = randomBytes(3_000_000);

let server: LocalServer;
let account: { key: string };
let shell: Shell;
let line: BadLine;
/** Of a file `a.bin` with `BYTES`. */
let link: string;

beforeAll(async () => {
  ({ server, account } = await serverWithKey());
  const sender = openShell();
  link = await send(sender, "a.bin");
  sender.remove();
}, 240_000);
afterAll(async () => {
  await server.stop();
});
beforeEach(async () => {
  line = await openBadLine(server.origin);
  shell = openShell();
  return async () => {
    await line.close();
    shell.remove();
  };
});

/** Of the sender, with `a.bin`. */
function openShell(): Shell {
  const opened = new Shell({ MAYFLY_URL: server.origin, MAYFLY_KEY: account.key });
  writeFileSync(join(opened.work, "a.bin"), BYTES);
  return opened;
}

async function send(by: Shell, ...args: string[]): Promise<string> {
  const { code, out, error } = await by.run("send", ...args);
  expect({ code, error }).toMatchObject({ code: 0 });
  return out.trim();
}

function get(to: string, ...args: string[]): Promise<Ended> {
  return shell.run("get", overLine(to), "--out", "out", ...args);
}

const overLine = (to: string) => to.replace(server.origin, line.origin);
const out = (path: string) => join(shell.work, "out", path);
const isSaved = (path: string) => readFileSync(out(path)).equals(BYTES);

it("asks for the rest of what broke off, and gives up with 6 after four answers that brought nothing", async () => {
  line.faults = [{ cutAfter: 1_000_000 }, { cutAfter: 0 }];
  expect(await get(link)).toMatchObject({ code: 0, out: "out/a.bin\n" });
  expect(isSaved("a.bin")).toBe(true);
  const [first, second = "", third] = line.ranges;
  expect([first, third]).toEqual(["", second]);
  expect(second).toMatch(/^bytes=\d+-$/);
  rmSync(out("a.bin"));
  line.faults = Array.from({ length: 4 }, () => ({ cutAfter: 0 }));
  expect(await get(link)).toMatchObject({ code: 6, out: "" });
});

it("goes on after it was killed [CLI-6]", async () => {
  line.faults = [{ stallAfter: 2_000_000 }];
  const program = shell.start("get", overLine(link), "--out", "out");
  const part = () => out(join(`.mayfly-${link.split("/").at(-1) ?? ""}`, "0-0"));
  await expect.poll(() => (existsSync(part()) ? statSync(part()).size : 0)).toBeGreaterThan(0);
  program.kill("SIGKILL");
  await once(program, "exit");
  const there = statSync(part()).size;
  expect(await get(link)).toMatchObject({ code: 0 });
  expect(line.ranges).toEqual(["", `bytes=${there}-`]);
  expect(isSaved("a.bin")).toBe(true);
  expect(readdirSync(join(shell.work, "out"))).toEqual(["a.bin"]);
});

it("ends with 7 and keeps nothing of a file whose bytes are not those that were sent [CLI-6]", async () => {
  line.faults = [{ flipAt: 1_234_567 }];
  expect(await get(link)).toEqual({
    code: 7,
    out: "",
    error: expect.stringContaining('"a.bin" is not what the sender sent. Nothing of it was kept.\n') as string,
  });
  expect(readdirSync(join(shell.work, "out"))).toEqual([]);
});

it("never overwrites a file without --force, and tells of one that is there already [CLI-6]", async () => {
  expect((await get(link)).code).toBe(0);
  expect(await get(link)).toMatchObject({ code: 0, out: "out/a.bin\n", error: "out/a.bin is there already\n" });
  writeFileSync(out("a.bin"), "mine");
  expect(await get(link)).toMatchObject({ code: 0, out: "out/a (1).bin\n" });
  expect(readFileSync(out("a.bin"), "utf8")).toBe("mine");
  expect(await get(link, "--force")).toMatchObject({ code: 0, out: "out/a.bin\n" });
  expect(isSaved("a.bin")).toBe(true);
});

it("replaces a symbolic link, and does not write through it [CLI-7]", async () => {
  expect((await get(link)).code).toBe(0);
  rmSync(out("a.bin"));
  writeFileSync(join(shell.work, "victim"), "untouched");
  symlinkSync("../victim", out("a.bin"));
  expect(await get(link, "--force")).toMatchObject({ code: 0 });
  expect(readFileSync(join(shell.work, "victim"), "utf8")).toBe("untouched");
});

it("asks nobody for a password without a terminal, and takes it from standard input [CLI-8]", async () => {
  const locked = await send(shell, "a.bin", "--password", "the right one", "--fresh");
  expect(await get(locked)).toMatchObject({ code: 3, out: "" });
  const fetchWith = (password: string) =>
    shell.runWith(`${password}\n`, "get", overLine(locked), "--out", "out", "--password-stdin");
  expect(await fetchWith("a wrong one")).toMatchObject({ code: 3, out: "" });
  expect(await fetchWith("the right one")).toMatchObject({ code: 0, out: "out/a.bin\n" });
  expect(isSaved("a.bin")).toBe(true);
});

it("takes one of a limited link's downloads, once for all tries, and ends with 5 when none is left [CLI-8]", async () => {
  const limited = await send(shell, "a.bin", "--downloads", "1", "--fresh");
  line.faults = [{ cutAfter: 500_000 }, {}];
  expect(await get(limited)).toMatchObject({ code: 0 });
  rmSync(out("a.bin"));
  expect(await get(limited)).toMatchObject({ code: 5, out: "" });
});

it("lists what is behind a link, and saves single files of it", async () => {
  writeFileSync(join(shell.work, "b.txt"), "hello");
  const both = await send(shell, "a.bin", "b.txt");
  const list = await get(both, "--list");
  expect(list.out).toMatch(
    /^ {4}1 {6}2\.86 MB {2}\d{4}-\d\d-\d\d {2}a\.bin\n {4}2 {6}5 Bytes {2}\d{4}-\d\d-\d\d {2}b\.txt\n$/,
  );
  expect(await get(both, "--file", "2")).toMatchObject({ code: 0, out: "out/b.txt\n" });
  expect(readdirSync(join(shell.work, "out"))).toEqual(["b.txt"]);
  expect(await get(both, "--file", "3")).toMatchObject({ code: 2 });
});

it.each([
  ["../evil.txt", 7],
  ["/etc/evil.txt", 7],
  ["C:\\evil.txt", 7],
  ["a/../../evil.txt", 7],
  ["con.txt", 7],
  [".mayfly-x/lease", 7],
])("refuses the name %j of a hostile server with %i [CLI-7]", async (name, code) => {
  const site = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    const isList = request.url?.includes("/files") ?? false;
    const file = { n: 0, name, size: 4, type: "text/plain", state: "stored" };
    const about = { name: "x.zip", size: 4, type: "application/zip", state: "ready", files: 2, title: "x" };
    response.end(JSON.stringify(isList ? { items: [file], next: null } : { ...about, downloadUrl: null }));
  });
  site.listen(0);
  await once(site, "listening");
  const { port } = site.address() as AddressInfo;
  const ended = await shell.run("get", `http://localhost:${port}/download/${"A".repeat(22)}`, "--out", "out");
  site.close();
  expect(ended).toMatchObject({ code, out: "" });
  expect(existsSync(join(shell.work, "evil.txt"))).toBe(false);
});

it("ends with 2 for no link, 5 for one that leads nowhere and 6 for a server that does not answer [CLI-11]", async () => {
  expect((await shell.run("get", "https://example.com/")).code).toBe(2);
  expect((await get(`${server.origin}/download/${"A".repeat(22)}`)).code).toBe(5);
  expect((await shell.run("get", `http://localhost:1/download/${"A".repeat(22)}`)).code).toBe(6);
});
