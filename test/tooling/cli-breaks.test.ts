// @module-tag long
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endOf, serverWithKey, Shell, untilError } from "#test/support/cli/program.ts";
import { isPartToStorage, openProxy, type Proxy } from "#test/support/cli/proxy.ts";
import type { LocalServer } from "../../scripts/local-server.ts";

/** Three parts: 8 MiB, 8 MiB and the rest. */
const BYTES = randomBytes(17_000_000);

/** Epoch seconds. */
const MODIFIED_S = 1_700_000_000;

/** Of a terminal: nothing is left to the right (ECMA-48, EL). */
const CLEAR_LINE = "\u001b[K";

let server: LocalServer;
let account: { key: string };
let shell: Shell;
let proxy: Proxy;

beforeAll(async () => {
  ({ server, account } = await serverWithKey());
}, 240_000);
afterAll(async () => {
  await server.stop();
});
beforeEach(async () => {
  proxy = await openProxy();
  shell = new Shell({ MAYFLY_URL: server.origin, MAYFLY_KEY: account.key, HTTP_PROXY: proxy.address, NO_PROXY: "" });
  mkdirSync(join(shell.work, "folder"));
  for (const path of ["a.bin", "folder/b.bin"]) {
    writeFileSync(join(shell.work, path), BYTES);
    utimesSync(join(shell.work, path), MODIFIED_S, MODIFIED_S);
  }
  return async () => {
    await proxy.close();
    shell.remove();
  };
});

const sentParts = () => proxy.asked.filter((line) => isPartToStorage(...split(line)));
const split = (line: string): [string, string] => [line.split(" ")[0] ?? "", line.split(" ")[1] ?? ""];
const linkIn = (seen: string) => /The link works already: (\S+)/.exec(seen)?.[1] ?? "";

/** Lets the given number of parts pass, and holds the others. */
function holdAfter(parts: number): void {
  let left = parts;
  proxy.fateOf = (method, url) => (isPartToStorage(method, url) && left-- <= 0 ? "is held" : "passes");
}

function letPass(): void {
  proxy.asked = [];
  proxy.fateOf = () => "passes";
}

/** Starts the program, and ends it by a signal once a part is held. @returns what it wrote, and how it ended */
async function endInMidUpload(signal: NodeJS.Signals, ...args: string[]) {
  holdAfter(2);
  const held = proxy.untilHeld();
  const program = shell.start(...args);
  program.stdin.end();
  const [error, out, exit] = [text(program.stderr), text(program.stdout), once(program, "exit")];
  await held;
  if (args.includes("a.bin")) await untilStored(2);
  program.kill(signal);
  const [code] = (await exit) as [number | null];
  return { code, out: await out, error: await error };
}

/** Waits until the server knows of so many parts of the upload of a file. */
async function untilStored(parts: number): Promise<void> {
  const [id = ""] = /(?<=\/files\/)[\w-]+/.exec(sentParts()[0] ?? "") ?? [];
  const read = async () => {
    const answer = await fetch(`${server.origin}/api/v1/uploads/${id}`, {
      headers: { authorization: `Bearer ${account.key}` },
    });
    const { received }: { received: number[] } = await answer.json();
    return received.length;
  };
  await expect.poll(read).toBe(parts);
}

/** @returns the bytes that a stranger gets */
async function fetchBytes(link: string, path: string): Promise<Buffer> {
  expect(await shell.run("get", link, "--out", "out")).toMatchObject({ code: 0 });
  return readFileSync(join(shell.work, "out", path));
}

describe("after kill -9 in mid-upload", () => {
  it.each([
    ["a.bin", "a.bin", 1],
    ["folder", "folder/b.bin", 3],
  ])("the same command goes on with %s: one link, and the same bytes [CLI-5]", async (path, file, mostParts) => {
    const killed = await endInMidUpload("SIGKILL", "send", path);
    expect(killed).toMatchObject({ code: null, out: "" });
    letPass();
    const { code, out } = await shell.run("send", path);
    expect({ code, out }).toEqual({ code: 0, out: `${linkIn(killed.error)}\n` });
    expect(sentParts().length).toBeLessThanOrEqual(mostParts);
    expect((await fetchBytes(out.trim(), file)).equals(BYTES)).toBe(true);
    const listed = await shell.run("ls");
    expect(listed.out.split("\n").filter((row) => row.includes(out.trim()))).toHaveLength(1);
  });

  it("a folder whose file has changed ends with 8, and names the file [CLI-5]", async () => {
    await endInMidUpload("SIGKILL", "send", "folder");
    letPass();
    appendFileSync(join(shell.work, "folder/b.bin"), "more");
    expect(await shell.run("send", "folder", "--quiet")).toEqual({
      code: 8,
      out: "",
      error: '"folder/b.bin" changed since its upload began. --fresh sends everything anew.\n',
    });
  });
});

describe("a file that changes, and whose date is set back", () => {
  /** The bytes with others at a place that no sample of the file covers. */
  function edit(path: string, at: number): Uint8Array {
    const full = join(shell.work, path);
    const edited = new Uint8Array(BYTES);
    edited.set(new TextEncoder().encode("edited"), at);
    writeFileSync(full, edited, { flag: "r+" });
    utimesSync(full, MODIFIED_S, MODIFIED_S);
    return edited;
  }

  it("between two runs is sent anew in the part that differs", async () => {
    const killed = await endInMidUpload("SIGKILL", "send", "a.bin");
    const edited = edit("a.bin", 3_000_000);
    letPass();
    const { code, out } = await shell.run("send", "a.bin");
    expect({ code, out }).toEqual({ code: 0, out: `${linkIn(killed.error)}\n` });
    expect(sentParts()).toHaveLength(2);
    expect((await fetchBytes(out.trim(), "a.bin")).equals(edited)).toBe(true);
  });

  it("between two runs of a folder is never mixed with its former bytes", async () => {
    await endInMidUpload("SIGKILL", "send", "folder");
    const edited = edit("folder/b.bin", 3_000_000);
    letPass();
    const { code, out } = await shell.run("send", "folder");
    expect(code).toBe(0);
    expect((await fetchBytes(out.trim(), "folder/b.bin")).equals(edited)).toBe(true);
  });

  it("while the line stands still is sent anew in the part that was sent before", async () => {
    holdAfter(2);
    const held = proxy.untilHeld();
    const program = shell.start("send", "a.bin");
    program.stdin.end();
    const ended = endOf(program);
    await held;
    await untilStored(2);
    const edited = edit("a.bin", 3_000_000);
    letPass();
    proxy.breakHeld();
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect((await fetchBytes(out.trim(), "a.bin")).equals(edited)).toBe(true);
  });
});

it("ends with 8 when a file changes while it is sent [CLI-5]", async () => {
  holdAfter(0);
  const held = proxy.untilHeld();
  const program = shell.start("send", "a.bin");
  const [error, exit] = [text(program.stderr), once(program, "exit")];
  await held;
  appendFileSync(join(shell.work, "a.bin"), "more");
  letPass();
  proxy.breakHeld();
  expect(await exit).toEqual([8, null]);
  expect(await error).toContain("The file changed while it was sent.\n");
});

describe("an interruption ends with 130, and tells", () => {
  it("the command that goes on [CLI-14]", async () => {
    const ended = await endInMidUpload("SIGINT", "send", "a.bin", "--expires", "1d");
    expect(ended).toMatchObject({ code: 130, out: "" });
    expect(ended.error).toMatch(/\nInterrupted\. This goes on: mayfly send a\.bin --expires 1d\n$/);
    letPass();
    expect(await shell.run("send", "a.bin", "--expires", "1d")).toMatchObject({
      code: 0,
      out: `${linkIn(ended.error)}\n`,
    });
  });

  it("that an upload with --fresh cannot go on [CLI-14]", async () => {
    const ended = await endInMidUpload("SIGINT", "send", "a.bin", "--fresh");
    expect(ended).toMatchObject({ code: 130, out: "" });
    expect(ended.error).toContain("\nInterrupted. An upload with --fresh cannot go on.\n");
  });
});

describe("while the network is broken", () => {
  it("parts go through the server when storage is away, and the bytes are the same [CLI-13]", async () => {
    proxy.fateOf = (method, url) => (isPartToStorage(method, url) ? "breaks" : "passes");
    const { code, out, error } = await shell.run("send", "a.bin");
    expect({ code, error }).toMatchObject({ code: 0 });
    expect(error).toContain("Sending through the server.\n");
    letPass();
    expect((await fetchBytes(out.trim(), "a.bin")).equals(BYTES)).toBe(true);
  });

  it("an upload waits for the server, and goes on when it is back [CLI-13]", async () => {
    let isAway = false;
    proxy.fateOf = (method, url) => {
      isAway ||= isPartToStorage(method, url);
      return isAway ? "breaks" : "passes";
    };
    const program = shell.start("send", "a.bin");
    const out = text(program.stdout);
    const exit = once(program, "exit");
    const seen = await untilError(program, "The server cannot be reached. Waiting for it…\n");
    letPass();
    expect(await exit).toEqual([0, null]);
    expect(await out).toBe(`${linkIn(seen)}\n`);
    expect((await fetchBytes(linkIn(seen), "a.bin")).equals(BYTES)).toBe(true);
  });

  it("an upload ends with 6 after the time that MAYFLY_PATIENCE gives it, and goes on later [CLI-11]", async () => {
    let isAway = false;
    proxy.fateOf = (method, url) => {
      isAway ||= isPartToStorage(method, url);
      return isAway ? "breaks" : "passes";
    };
    shell.env.MAYFLY_PATIENCE = "2";
    const ended = await shell.run("send", "a.bin");
    expect(ended).toMatchObject({ code: 6, out: "" });
    expect(ended.error).toContain("\nThe server could not be reached for 2 s.\n");
    letPass();
    expect(await shell.run("send", "a.bin")).toMatchObject({ code: 0, out: `${linkIn(ended.error)}\n` });
  });

  it("MAYFLY_PATIENCE takes seconds alone", async () => {
    shell.env.MAYFLY_PATIENCE = "soon";
    expect(await shell.run("send", "a.bin")).toMatchObject({ code: 2, out: "" });
  });

  it("https goes through the tunnel of HTTPS_PROXY [CLI-10]", async () => {
    Object.assign(shell.env, { HTTPS_PROXY: proxy.address, MAYFLY_URL: "https://files.example.com" });
    expect(await shell.run("whoami")).toMatchObject({ code: 6, out: "" });
    expect(proxy.asked).toEqual(["CONNECT files.example.com:443"]);
  });
});

it("ends with 1 for a server that answers with something else [CLI-11]", async () => {
  const site = createServer((_, response) => response.end('{"email": 1}'));
  site.listen(0);
  await once(site, "listening");
  const { port } = site.address() as AddressInfo;
  shell.env.MAYFLY_URL = `http://localhost:${port}`;
  expect(await shell.run("whoami")).toEqual({
    code: 1,
    out: "",
    error: `http://localhost:${port} does not answer like Mayfly.\n`,
  });
  site.close();
});

describe("progress", () => {
  it("is a bar on a terminal, and is gone at the end [CLI-15]", async () => {
    const { code, out } = await shell.runOnTerminal("send", "a.bin");
    expect(code).toBe(0);
    const [bar = "", result] = out.split(`\r${CLEAR_LINE}`).slice(-2);
    expect(bar).toMatch(/\r\[#{3,30}\.*\] +\d+ % {2}[\d.]+ MB of 16\.21 MB/);
    expect(bar.endsWith(CLEAR_LINE)).toBe(true);
    expect(result).toMatch(/^http:\/\/\S+\r\n$/);
  });

  it("is lines without colours when CI is set, even on a terminal [CLI-15]", async () => {
    shell.env.CI = "1";
    const { code, out } = await shell.runOnTerminal("send", "a.bin");
    expect(code).toBe(0);
    expect(out).not.toContain("\u001b");
    expect(out).not.toMatch(/\r(?!\n)/);
    expect(out).toMatch(/^\d+ % {2}[\d.]+ MB of 16\.21 MB/m);
  });
});
