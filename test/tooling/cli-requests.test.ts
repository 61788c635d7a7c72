// @module-tag long
import { createHash, randomBytes } from "node:crypto";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { endOf, newKey, Shell } from "#test/support/cli/program.ts";
import { isPartToStorage, openProxy, type Proxy } from "#test/support/cli/proxy.ts";
import type { ListedUploadRequest, ReceivedTransfer } from "#domain/wire.ts";
import { prepareServer, type LocalServer } from "../../scripts/local-server.ts";

const HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
/** Three parts of 8 MiB, the last one short. */
const LARGE = randomBytes(17_000_000);

let server: LocalServer;
/** Of the request. */
let owner: Shell;
/** Has no key. */
let stranger: Shell;
let proxy: Proxy | null = null;

beforeAll(async () => {
  server = await prepareServer();
  await server.start();
}, 240_000);
afterAll(async () => {
  await server.stop();
});
beforeEach(async () => {
  const { key } = await newKey(server.origin, ["requests"]);
  owner = new Shell({ MAYFLY_URL: server.origin, MAYFLY_KEY: key });
  stranger = new Shell();
  return () => {
    for (const { folder } of [owner, stranger]) rmSync(folder, { recursive: true });
  };
});
afterEach(async () => {
  await proxy?.close();
  proxy = null;
});

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(join(stranger.work, path, ".."), { recursive: true });
  writeFileSync(join(stranger.work, path), content);
}

/** @returns its link, which is all of standard output */
async function ask(...args: string[]): Promise<string> {
  const made = await owner.run("request", "--title", "Photos", ...args);
  expect(made).toMatchObject({ code: 0, error: "" });
  const [link = "", ...rest] = made.out.split("\n");
  expect(rest).toEqual([""]);
  expect(link).toMatch(new RegExp(`^${server.origin}/r/[\\w-]{22}$`));
  return link;
}

async function listed(): Promise<ListedUploadRequest[]> {
  const { out } = await owner.run("request", "list", "--json");
  return (JSON.parse(out) as { items: ListedUploadRequest[] }).items;
}

async function received(...args: string[]): Promise<ReceivedTransfer[]> {
  const { out } = await owner.run("request", "received", ...args, "--json");
  return (JSON.parse(out) as { items: ReceivedTransfer[] }).items;
}

const send = (link: string, ...args: string[]) => stranger.run("send", "--to-request", link, ...args);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

it("makes a request with every bound, lists, changes, closes, opens and deletes it [CLI-21]", async () => {
  const sizes = ["--most", "1.5GB", "--most-file", "100 MB", "--times", "3", "--kinds", "JPG, .png"];
  const people = ["--note", "Of Saturday", "--ask", "name,email", "--password", "a good one", "--notify", "daily"];
  const link = await ask("--expires", "30d", "--keep", "1d", ...sizes, ...people);
  const [made] = await listed();
  expect(made).toMatchObject({
    link,
    title: "Photos",
    note: "Of Saturday",
    state: "open",
    keepFor: "1d",
    mostBytes: 1_610_612_736,
    mostFileBytes: 104_857_600,
    mostTransfers: 3,
    kinds: ["jpg", "png"],
    asksName: true,
    asksEmail: true,
    hasPassword: true,
    notify: "daily",
  });
  const days = (Date.parse(made?.expiresAt ?? "") - Date.parse(made?.createdAt ?? "")) / 86_400_000;
  expect(days).toBe(30);
  expect((await owner.run("request", "list")).out).toMatch(
    new RegExp(`^${link}  open       \\d{4}-\\d\\d-\\d\\d +0 Bytes     0 ↑  Photos\n$`),
  );
  const changes = ["--title", "Films", "--most", "any", "--kinds", "any", "--ask", "nothing", "--no-password"];
  const changed = await owner.run("request", "edit", link, ...changes);
  expect(changed.out).toContain("Title:     Films\n");
  expect(await listed()).toMatchObject([
    { title: "Films", mostBytes: null, mostTransfers: 3, kinds: null, asksName: false, hasPassword: false },
  ]);
  const id = made?.id ?? "";
  expect(await owner.run("request", "close", id)).toEqual({ code: 0, out: "", error: "Films: closed\n" });
  expect(await owner.run("request", "open", link)).toEqual({ code: 0, out: "", error: "Films: open\n" });
  expect(await owner.run("request", "rm", link)).toEqual({ code: 0, out: "", error: `Deleted ${id}\n` });
  expect(await owner.run("request", "list")).toEqual({ code: 0, out: "", error: "" });
  expect(await owner.run("request", "close", id)).toMatchObject({ code: 5, out: "" });
});

it("sends a folder into a request without a key, and gives a receipt that sha256sum checks, without a link [CLI-22]", async () => {
  const link = await ask();
  write("photos/sea.jpg", LARGE);
  write("photos/deep/hello.txt", "hello");
  mkdirSync(join(stranger.work, "photos/empty"));
  const sent = await send(link, "photos", "--name", "Ada", "--email", "ada@example.com", "--note", "There are more.");
  expect(sent.code).toBe(0);
  expect(sent.out.split("\n")).toEqual([
    expect.stringMatching(/^# Photos: 3 files, 16\.21 MB, arrived \d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    "# 5 Bytes",
    `${HELLO}  photos/deep/hello.txt`,
    "# photos/empty/",
    "# 16.21 MB",
    `${sha256(LARGE)}  photos/sea.jpg`,
    "",
  ]);
  expect(sent.out + sent.error).not.toContain(server.origin);
  execFileSync("sha256sum", ["--check", "--strict"], { cwd: stranger.work, input: sent.out });
  const [came] = await received();
  expect(came).toMatchObject({
    requestTitle: "Photos",
    size: 17_000_005,
    entries: 3,
    senderName: "Ada",
    senderEmail: "ada@example.com",
    senderNote: "There are more.",
    link: null,
  });
  expect(came).not.toHaveProperty("downloadId");
  expect((await owner.run("request", "received", link)).out).toMatch(
    /16\.21 MB {2}\S.* {2}Photos {2}Ada, ada@example\.com\n$/,
  );
  expect(readdirSync(join(stranger.folder, "state/mayfly/uploads"))).toEqual([]);
});

it("tells the receipt as JSON, and is quiet when it is told so", async () => {
  write("a.txt", "hello");
  const { code, out, error } = await send(await ask(), "a.txt", "--json", "--quiet");
  expect({ code, error }).toEqual({ code: 0, error: "" });
  expect(JSON.parse(out)).toEqual({
    title: "Photos",
    arrivedAt: expect.stringMatching(/Z$/) as string,
    size: 5,
    files: [{ name: "a.txt", size: 5, sha256: HELLO }],
  });
});

/** Starts to send, and ends the program by a signal once a part is on its way and another one is held. */
async function endInMidUpload(signal: NodeJS.Signals, ...args: string[]) {
  proxy = await openProxy();
  let passes = 1;
  proxy.fateOf = (method, url) => (isPartToStorage(method, url) && passes-- <= 0 ? "is held" : "passes");
  Object.assign(stranger.env, { HTTP_PROXY: proxy.address, NO_PROXY: "" });
  const held = proxy.untilHeld();
  const program = stranger.start("send", "--to-request", ...args);
  const ended = endOf(program);
  await held;
  program.kill(signal);
  proxy.fateOf = () => "passes";
  return ended;
}

it("goes on with an upload into a request that was killed [CLI-22]", async () => {
  const link = await ask("--times", "1");
  write("a.bin", LARGE);
  expect(await endInMidUpload("SIGKILL", link, "a.bin")).toMatchObject({ code: null, out: "" });
  // A second transfer would be one too many.
  const sent = await send(link, "a.bin");
  expect(sent).toMatchObject({ code: 0 });
  expect(sent.out).toContain(`${sha256(LARGE)}  a.bin\n`);
  expect(await received()).toMatchObject([{ size: 17_000_000 }]);
});

it("says which command goes on, ends with 8 when a file has changed since, and sends it anew with --fresh", async () => {
  const link = await ask();
  write("a.bin", LARGE);
  const ended = await endInMidUpload("SIGINT", link, "a.bin");
  expect(ended).toMatchObject({ code: 130, out: "" });
  expect(ended.error).toContain(`Interrupted. This goes on: mayfly send --to-request ${link} a.bin\n`);
  appendFileSync(join(stranger.work, "a.bin"), "more");
  expect(await send(link, "a.bin", "--quiet")).toEqual({
    code: 8,
    out: "",
    error: '"a.bin" changed since its upload began. --fresh sends everything anew.\n',
  });
  expect(await send(link, "a.bin", "--fresh")).toMatchObject({ code: 0 });
  expect(await received()).toMatchObject([{ size: 17_000_004 }]);
});

it("sends through the server where storage is out of reach", async () => {
  proxy = await openProxy();
  proxy.fateOf = (method, url) => (isPartToStorage(method, url) ? "breaks" : "passes");
  Object.assign(stranger.env, { HTTP_PROXY: proxy.address, NO_PROXY: "" });
  write("a.bin", LARGE);
  const sent = await send(await ask(), "a.bin");
  expect(sent).toMatchObject({ code: 0 });
  expect(sent.out).toContain(`${sha256(LARGE)}  a.bin\n`);
  expect(sent.error).toContain("Sending through the server.\n");
});

it("says that everything has arrived when the receipt fails, so that nobody sends it again", async () => {
  proxy = await openProxy();
  proxy.fateOf = (_, url) => (url.includes("/entries?") ? "is refused" : "passes");
  Object.assign(stranger.env, { HTTP_PROXY: proxy.address, NO_PROXY: "" });
  write("a.txt", "hello");
  const words = "Everything has arrived, so do not send it again. The receipt failed: The server answered 404.\n";
  expect(await send(await ask(), "a.txt", "--quiet")).toEqual({ code: 5, out: "", error: words });
  expect(await received()).toMatchObject([{ size: 5 }]);
});

it("opens a request's password from an option and from standard input", async () => {
  const link = await ask("--password", "a good one");
  write("a.txt", "hello");
  expect(await send(link, "a.txt", "--password", "a good one")).toMatchObject({ code: 0 });
  const piped = await stranger.runWith("a good one\n", "send", "--to-request", link, "a.txt", "--password-stdin");
  expect(piped).toMatchObject({ code: 0 });
});

it.each([
  [
    3,
    "of a wrong password",
    ["--password", "right one"],
    ["--password", "wrong one"],
    "This is not the password. Ask whoever sent you the link.",
  ],
  [
    3,
    "of a missing password",
    ["--password", "right one"],
    [],
    "This request needs a password: use a terminal, --password or --password-stdin.",
  ],
  [4, "of a wrong kind", ["--kinds", "jpg,png"], [], 'This request takes jpg, png only, not "a.txt".'],
  [4, "that is too large", ["--most-file", "1KB"], [], '"a.txt" is too large: this request takes files of 1 KB.'],
  [4, "that is more than is left", ["--most", "1KB"], [], "This request takes 1 KB more."],
  [
    2,
    "without a name that is asked for",
    ["--ask", "name"],
    [],
    'This request asks for your name: give it with --name. "mayfly --help" shows how.',
  ],
  [
    2,
    "without an address that is asked for",
    ["--ask", "email"],
    ["--email", " "],
    'This request asks for your email address: give it with --email. "mayfly --help" shows how.',
  ],
  [2, "with an address that is none", [], ["--email", "ada"], "Please enter a valid email address"],
])("ends with %i for a file %s, and sends nothing [CLI-22]", async (code, _, bounds, args, words) => {
  const link = await ask(...bounds);
  write("a.txt", "a".repeat(2000));
  expect(await send(link, "a.txt", ...args)).toEqual({ code, out: "", error: `${words}\n` });
  expect(await listed()).toMatchObject([{ receivedBytes: 0, receivedTransfers: 0 }]);
});

it("says when a request is closed, full or unknown [CLI-22]", async () => {
  write("a.txt", "hello");
  const link = await ask("--times", "1");
  await send(link, "a.txt");
  expect(await send(link, "a.txt")).toEqual({ code: 4, out: "", error: "This request takes no more files.\n" });
  await owner.run("request", "close", link);
  const closed = "This request is closed. Ask whoever sent you the link.\n";
  expect(await send(link, "a.txt")).toEqual({ code: 5, out: "", error: closed });
  const unknown = `${server.origin}/r/${"A".repeat(22)}`;
  const nowhere = "This link for sending files does not exist.\n";
  expect(await send(unknown, "a.txt")).toEqual({ code: 5, out: "", error: nowhere });
});

const WRONG: [string[], string][] = [
  [["request"], "Say with --title what you ask for."],
  [["request", "shut"], 'There is no "request shut": it is one of list, received, edit, close, open, rm.'],
  [["request", "list", "--title", "Films"], '"request list" takes no such options.'],
  [["request", "close"], "Give links or ids."],
  [
    ["request", "close", "https://host.example/download/abc"],
    "This is not a link for sending files: https://…/r/… was expected.",
  ],
  [["request", "edit", crypto.randomUUID()], "Say what is to change."],
  [["request", "--title", "Films", "--expires", "2d"], "--expires takes one of 1d, 7d, 30d, 1y, never."],
  [
    ["request", "--title", "Films", "--most", "much"],
    '--most takes a size with its unit, such as MB or GB, not "much".',
  ],
  [["request", "--title", "Films", "--times", "0"], '--times takes a number, not "0".'],
  [["request", "--title", "Films", "--ask", "age"], "--ask takes name, email, both with a comma, or nothing."],
  [
    ["send", "--to-request", "https://host.example/download/abc", "a.txt"],
    "This is not a link for sending files: https://…/r/… was expected.",
  ],
  [["send", "--to-request", `https://host.example/r/${"A".repeat(22)}`], "Give files or folders to send."],
  [
    ["send", "--to-request", `https://host.example/r/${"A".repeat(22)}`, "-"],
    "Standard input is not sent into a request: write it to a file first.",
  ],
  [
    ["send", "--to-request", `https://host.example/r/${"A".repeat(22)}`, "a.txt", "--encrypt"],
    "Whoever made the request decides about --encrypt.",
  ],
  [["send", "a.txt", "--note", "Hello"], "--email and --note go with --to-request."],
];

it("ends with 2 for wrong use, and says what is wrong [CLI-21]", async () => {
  for (const [args, words] of WRONG) {
    const error = `${words} "mayfly --help" shows how.\n`;
    expect([args, await owner.run(...args)]).toEqual([args, { code: 2, out: "", error }]);
  }
});

it("ends with 2 or 4 for what the server refuses to a request, and with 3 for a key without the scope", async () => {
  expect(await owner.run("request", "--title", " ")).toMatchObject({ code: 2, out: "" });
  expect(await owner.run("request", "--title", "Films", "--kinds", "j/pg")).toMatchObject({ code: 2, out: "" });
  expect(await owner.run("request", "--title", "Films", "--keep", "never")).toMatchObject({ code: 4, out: "" });
  owner.env.MAYFLY_KEY = (await newKey(server.origin)).key;
  const lacking = "This API key may not do that: it lacks requests.\n";
  expect(await owner.run("request", "list")).toEqual({ code: 3, out: "", error: lacking });
});
