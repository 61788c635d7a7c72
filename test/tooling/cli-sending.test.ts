// @module-tag long
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { newKey, serverWithKey, Shell, untilError, type Ended } from "#test/support/cli/program.ts";
import type { LocalServer } from "../../scripts/local-server.ts";

/** Three parts of 8 MiB, the last one short. */
const LARGE = randomBytes(17_000_000);

let server: LocalServer;
let account: { key: string; email: string };
let shell: Shell;

beforeAll(async () => {
  ({ server, account } = await serverWithKey());
}, 240_000);
afterAll(async () => {
  await server.stop();
});
beforeEach(() => {
  shell = new Shell({ MAYFLY_URL: server.origin, MAYFLY_KEY: account.key });
  return () => {
    shell.remove();
  };
});

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(join(shell.work, path, ".."), { recursive: true });
  writeFileSync(join(shell.work, path), content);
}

const saved = (path: string) => readFileSync(join(shell.work, "out", path));

/** @returns the link, which is all of standard output */
function linkOf(ended: Ended): string {
  expect(ended).toMatchObject({ code: 0 });
  const [link = "", ...rest] = ended.out.split("\n");
  expect(rest).toEqual([""]);
  expect(link.startsWith(`${server.origin}/download/`)).toBe(true);
  return link;
}

/** A stranger's, who has no key. */
function get(link: string, ...args: string[]): Promise<Ended> {
  delete shell.env.MAYFLY_KEY;
  return shell.run("get", link, "--out", "out", ...args);
}

it("sends a file, whose link is all that standard output gets, and fetches it without a key [CLI-3]", async () => {
  write("a.bin", LARGE);
  const sent = await shell.run("send", "a.bin", "--expires", "1d");
  const link = linkOf(sent);
  expect(sent.error).toContain(`The link works already: ${link}\n`);
  expect(sent.error).not.toContain("\u001b");
  expect(await get(link)).toMatchObject({ code: 0, out: "out/a.bin\n" });
  expect(saved("a.bin").equals(LARGE)).toBe(true);
  expect(readdirSync(join(shell.work, "out"))).toEqual(["a.bin"]);
});

it("tells the result as JSON, and is quiet when it is told so [CLI-3]", async () => {
  write("a.txt", "hello");
  const { code, out, error } = await shell.run("send", "a.txt", "--name", "b.txt", "--json", "--quiet");
  expect({ code, error }).toEqual({ code: 0, error: "" });
  expect(JSON.parse(out)).toMatchObject({ name: "b.txt", size: 5 });
});

it("ends a link at the time that --until says, in the time zone of the computer, and changes it [END-7]", async () => {
  write("offer.txt", "hello");
  const endsAt = (ended: Ended) => (JSON.parse(ended.out) as { expiresAt: string }).expiresAt;
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  shell.env.TZ = "Asia/Tokyo";
  const sent = await shell.run("send", "offer.txt", "--until", `${tomorrow} 18:00`, "--json");
  expect(endsAt(sent)).toBe(`${tomorrow}T09:00:00.000Z`);
  const { id } = JSON.parse(sent.out) as { id: string };
  const edited = await shell.run("edit", id, "--until", `${tomorrow}T18:00+01:00`, "--json");
  expect(endsAt(edited)).toBe(`${tomorrow}T17:00:00.000Z`);
  const streamed = await shell.runWith("hello", "send", "-", "--until", `${tomorrow} 12:00`, "--json");
  expect(endsAt(streamed)).toBe(`${tomorrow}T03:00:00.000Z`);
  expect(await shell.run("send", "offer.txt", "--until", "2020-01-01 00:00")).toMatchObject({ code: 2 });
});

it("sends a text, alone or beside files [TEXT-8]", async () => {
  const alone = linkOf(await shell.run("send", "--text", "Grüße"));
  const content = async (link: string) => fetch(link.replace("/download/", "/api/files/download/") + "/content");
  const note = await content(alone);
  expect(note.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await note.text()).toBe("Grüße");
  write("a.bin", randomBytes(10));
  const both = linkOf(await shell.run("send", "a.bin", "--text", "read me", "--name", "Two", "--encrypt"));
  const named = await shell.run("send", "--text", "x", "--name", "secret.md", "--json");
  expect(JSON.parse(named.out)).toMatchObject({ name: "secret.md", size: 1 });
  expect(await shell.run("send", "--text", "")).toMatchObject({ code: 2 });
  expect(await shell.run("send", "-", "--text", "x")).toMatchObject({ code: 2 });
  expect(await get(both)).toMatchObject({ code: 0 });
  expect(saved("note.txt").toString()).toBe("read me");
});

it("sends a folder without what it names in .mayflyignore and without symbolic links, and keeps empty folders [CLI-4, CLI-23]", async () => {
  write("photos/sea.jpg", randomBytes(3000));
  write("photos/deep/hill.jpg", LARGE);
  write("photos/deep/note.tmp", "left out");
  write("photos/cache/x", "left out");
  write("photos/.mayflyignore", "*.tmp\ncache/\n");
  mkdirSync(join(shell.work, "photos/empty"));
  symlinkSync("/etc/hostname", join(shell.work, "photos/host"));
  write("more.txt", "more");
  const sent = await shell.run("send", "photos", "more.txt", "--name", "Holiday", "--message", "From last week");
  expect(sent.error).toMatch(
    /^Symbolic links, devices and pipes are not sent: 1\. The first is "photos\/host"\.\nThe link works already: /,
  );
  expect(await get(linkOf(sent))).toMatchObject({ code: 0 });
  const names = readdirSync(join(shell.work, "out"), { recursive: true }).map(String).sort();
  expect(names).toEqual([
    "more.txt",
    "photos",
    "photos/deep",
    "photos/deep/hill.jpg",
    "photos/empty",
    "photos/sea.jpg",
  ]);
  expect(saved("photos/deep/hill.jpg").equals(LARGE)).toBe(true);
});

it("takes a password from standard input, and asks recipients for it [CLI-20]", async () => {
  write("a.txt", "hello");
  const link = linkOf(await shell.runWith("a good one\nnot this\n", "send", "a.txt", "--password-stdin"));
  expect(await get(link)).toMatchObject({ code: 3, out: "" });
  const opened = await shell.runWith("a good one\n", "get", link, "--out", "out", "--password-stdin");
  expect(opened).toMatchObject({ code: 0, out: "out/a.txt\n" });
});

it("mails the link with a message to everybody who is named [CLI-20]", async () => {
  write("a.txt", "hello");
  const readers = [`${crypto.randomUUID()}@example.com`, `${crypto.randomUUID()}@example.com`];
  const to = readers.flatMap((address) => ["--to", address]);
  const link = linkOf(await shell.run("send", "a.txt", ...to, "--message", "The figures of May"));
  for (const address of readers) {
    const find = `select text from local_mailbox where "to" = '${address}'`;
    const mails = () => server.execute<{ text: string }>(find);
    // A queue brings it a moment after the command has ended.
    await expect.poll(mails).not.toEqual([]);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain(link);
    expect(mail?.text).toContain("The figures of May");
  }
});

it("does not follow a symbolic link that it is given [CLI-4]", async () => {
  write("a.txt", "hello");
  symlinkSync("a.txt", join(shell.work, "link.txt"));
  expect(await shell.run("send", "link.txt")).toEqual({
    code: 2,
    out: "",
    error: '"link.txt" is a symbolic link, and those are not followed.\n',
  });
});

it("sends files of no bytes", async () => {
  write("empty.txt", "");
  expect(await get(linkOf(await shell.run("send", "empty.txt")))).toMatchObject({ code: 0 });
  expect(saved("empty.txt").length).toBe(0);
});

it("encrypts a file and a folder; their keys are in the links alone [CLI-4]", async () => {
  write("a.bin", LARGE);
  write("folder/b.txt", "secret");
  const one = linkOf(await shell.run("send", "a.bin", "--encrypt"));
  const many = linkOf(await shell.run("send", "folder", "--encrypt", "--password", "a good one"));
  expect(one).toMatch(/#1[\w-]{43}$/);
  expect(await get(one)).toMatchObject({ code: 0, out: "out/a.bin\n" });
  expect(saved("a.bin").equals(LARGE)).toBe(true);
  expect(await get(one.replace(/#.*/, ""))).toMatchObject({ code: 3 });
  const opened = await shell.runWith("a good one\n", "get", many, "--out", "out", "--password-stdin");
  expect(opened).toMatchObject({ code: 0, out: "out/folder/b.txt\n" });
  expect(saved("folder/b.txt").toString()).toBe("secret");
  expect(readdirSync(join(shell.folder, "state/mayfly/links"))).toEqual([]);
});

it("goes on with a file after it was killed: the link is the same [CLI-5]", async () => {
  write("a.bin", randomBytes(60_000_000));
  const first = await killOnceStarted("a.bin");
  expect(linkOf(await shell.run("send", "a.bin"))).toBe(first);
});

it("goes on with a folder after it was killed, and adds a file that came since [CLI-5]", async () => {
  // So large that the program cannot be done before it is killed.
  write("folder/a.bin", new Uint8Array(250_000_000));
  const first = await killOnceStarted("folder");
  write("folder/later.txt", "later");
  const link = linkOf(await shell.run("send", "folder"));
  expect(link).toBe(first);
  expect(await get(link)).toMatchObject({ code: 0, out: "out/folder/a.bin\nout/folder/later.txt\n" });
});

it("ends with 8 when a file has changed since it was interrupted, and sends it anew with --fresh [CLI-5]", async () => {
  write("a.bin", randomBytes(60_000_000));
  const first = await killOnceStarted("a.bin");
  utimesSync(join(shell.work, "a.bin"), 1_700_000_000, 1_700_000_000);
  expect(await shell.run("send", "a.bin")).toEqual({
    code: 8,
    out: "",
    error: '"a.bin" changed since its upload began. --fresh sends everything anew.\n',
  });
  expect(linkOf(await shell.run("send", "a.bin", "--fresh"))).not.toBe(first);
});

it("ends with 130 when it is interrupted", async () => {
  write("a.bin", randomBytes(60_000_000));
  const program = shell.start("send", "a.bin");
  await untilError(program, "The link works already");
  program.kill("SIGINT");
  expect(await once(program, "exit")).toEqual([130, null]);
});

/** @returns the link that it told before it was killed */
async function killOnceStarted(path: string): Promise<string> {
  const program = shell.start("send", path);
  const seen = await untilError(program, " %  ");
  program.kill("SIGKILL");
  expect(await once(program, "exit")).toEqual([null, "SIGKILL"]);
  return /The link works already: (\S+)/.exec(seen)?.[1] ?? "";
}

it.each([
  [2, "nothing", ["send"]],
  [2, "a file that is not there", ["send", "missing.txt"]],
  [2, "an expiry that nobody knows", ["send", "a.txt", "--expires", "2h"]],
  [2, "two passwords", ["send", "a.txt", "--password", "one", "--password-stdin"]],
  [2, "an unknown option", ["send", "a.txt", "--colour"]],
  [2, "an unknown command", ["fly"]],
  [4, "an expiry of a larger plan", ["send", "a.txt", "--expires", "1y"]],
])("ends with %i for %s [CLI-11]", async (code, _, args) => {
  write("a.txt", "hello");
  const ended = await shell.run(...args);
  expect(ended).toMatchObject({ code, out: "" });
  expect(ended.error.split("\n")).toHaveLength(2);
});

it("ends with 3 without a key, with a wrong one, and with one that may not send", async () => {
  write("a.txt", "hello");
  const { key } = await newKey(server.origin, ["files:read"]);
  for (const MAYFLY_KEY of [undefined, "mayfly_wrong", `mayfly_${"0".repeat(38)}`, key]) {
    Object.assign(shell.env, { MAYFLY_KEY });
    expect([MAYFLY_KEY, await shell.run("send", "a.txt")]).toMatchObject([MAYFLY_KEY, { code: 3, out: "" }]);
  }
});
