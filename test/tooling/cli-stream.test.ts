// @module-tag long
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newKey, serverWithKey, Shell, untilError, type Ended } from "#test/support/cli/program.ts";
import { openProxy, type Proxy } from "#test/support/cli/proxy.ts";
import { CuttingProxy } from "../support/cutting-proxy.ts";
import type { LocalServer } from "../../scripts/local-server.ts";

/** Of a request: the program keeps as much in memory. */
const PIECE_BYTES = 16_777_216;

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
  shell = new Shell({ MAYFLY_URL: server.origin, MAYFLY_KEY: account.key });
  return () => {
    shell.remove();
  };
});

const sumOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Fetches as a stranger, and expects these bytes. */
async function expectFile({ code, out, error }: Ended, name: string, bytes: Uint8Array): Promise<void> {
  expect([code, error]).toEqual([0, expect.stringContaining(`The link works already: ${out}`)]);
  const got = await new Shell().run("get", out.trim(), "--out", shell.work);
  expect(got).toMatchObject({ code: 0, out: `${join(shell.work, name)}\n` });
  expect(sumOf(readFileSync(join(shell.work, name)))).toBe(sumOf(bytes));
}

describe("standard input is sent as it comes", () => {
  it.each([
    ["nothing", 0],
    ["one request exactly", PIECE_BYTES],
    ["a byte more", PIECE_BYTES + 1],
  ])("%s [CLI-18]", async (_, length) => {
    const bytes = randomBytes(length);
    await expectFile(await shell.runWith(bytes, "send", "-", "--name", "dump.sql"), "dump.sql", bytes);
  });

  it.each(["cut", "half open"] as const)(
    "40 MB over a line that is %s once, with the same SHA-256 [CLI-18]",
    async (kind) => {
      const line = new CuttingProxy(server.origin);
      line.cuts = [{ offset: 20_000_003, kind }];
      shell.env.MAYFLY_URL = await line.listen();
      const bytes = randomBytes(40_000_000);
      const sent = await shell.runWith(bytes, "send", "-");
      line.close();
      expect(line.cuts).toEqual([]);
      await expectFile(sent, "stdin", bytes);
    },
  );

  it("tells the size at the end, and all choices hold [CLI-18]", async () => {
    const args = ["--name", "a.txt", "--password", "a good one", "--downloads", "2", "--expires", "1d", "--json"];
    const { code, out } = await shell.runWith("hello", "send", "-", ...args);
    expect(code).toBe(0);
    const sent = JSON.parse(out) as { id: string; link: string; expiresAt: string };
    expect(sent).toMatchObject({ name: "a.txt", size: 5 });
    expect(Date.parse(sent.expiresAt) - Date.now()).toBeLessThanOrEqual(86_400_000);
    const { out: listed } = await shell.run("info", sent.id, "--json");
    expect(JSON.parse(listed)).toMatchObject({ guards: { password: true, maxDownloads: 2 } });
    expect(await new Shell().run("get", sent.link)).toMatchObject({ code: 3 });
  });

  it("shows on a terminal what has been sent, without a total [CLI-15]", async () => {
    writeFileSync(join(shell.work, "a.bin"), randomBytes(17_000_000));
    const { code, out } = await shell.runOnTerminal("send", "-", "<", "a.bin");
    expect(code).toBe(0);
    expect(out).toMatch(/\r[\d.]+ (?:KB|MB)/);
    expect(out).not.toMatch(/%| of |Infinity/);
  });
});

describe("what has no room ends with 4, and says why", () => {
  const LIMITED = 20_000_000;

  it.each([
    ["month of the key", { monthBytes: LIMITED }, "This API key has used up what it may send this month.\n"],
    [
      "largest file of the key",
      { largestFileBytes: LIMITED },
      "This file is larger than this API key may send (19.07 MB).\n",
    ],
  ])("%s [CLI-19]", async (_, limits, words) => {
    ({ key: shell.env.MAYFLY_KEY } = await newKey(server.origin, ["upload"], limits));
    const ended = await shell.runWith(randomBytes(2 * PIECE_BYTES), "send", "-");
    expect(ended).toMatchObject({ code: 4, out: "" });
    expect(ended.error.endsWith(words)).toBe(true);
    const [, link = ""] = /The link works already: (\S+)/.exec(ended.error) ?? [];
    expect(await new Shell().run("get", link)).toMatchObject({ code: 5 });
  });

  it("month of the plan [CLI-19]", async () => {
    const limited = await newKey(server.origin, ["upload"]);
    shell.env.MAYFLY_KEY = limited.key;
    await server.execute(`update users set monthly_upload_total = 2147483648 where email = '${limited.email}'`);
    const ended = await shell.runWith("hello", "send", "-");
    expect(ended).toMatchObject({ code: 4, out: "" });
    expect(ended.error).toContain("2 GB");
  });
});

it.each([
  [["send", "-", "--encrypt"], "Standard input is not encrypted: that needs a file, whose size is known."],
  [["send", "-", "a.txt"], "Standard input is sent alone."],
  [["send", "-", "--password-stdin"], "Standard input cannot be both file and password."],
  [["send", "-", "--message", "hello"], "A single file's --message goes with --to."],
])("ends with 2 for %j", async (args, words) => {
  const { code, out, error } = await shell.runWith("hello", ...args);
  expect([code, out, error]).toEqual([2, "", `${words} "mayfly --help" shows how.\n`]);
});

describe("an interruption in the middle of a request", () => {
  let proxy: Proxy;

  beforeEach(async () => {
    proxy = await openProxy();
    Object.assign(shell.env, { HTTP_PROXY: proxy.address, NO_PROXY: "" });
    proxy.fateOf = (method) => (method === "PATCH" ? "is held" : "passes");
    return () => proxy.close();
  });

  it("ends with 130, tells that the upload cannot go on, and cancels it [CLI-14]", async () => {
    const held = proxy.untilHeld();
    const program = shell.start("send", "-");
    const out = text(program.stdout);
    const exit = once(program, "exit");
    const seen = untilError(program, "Interrupted");
    program.stdin.write(randomBytes(PIECE_BYTES));
    await held;
    program.kill("SIGINT");
    expect(await exit).toEqual([130, null]);
    expect(await out).toBe("");
    const error = await seen;
    expect(error).toContain("\nInterrupted. Standard input cannot be read again, so this upload cannot go on.\n");
    const [, link = ""] = /The link works already: (\S+)/.exec(error) ?? [];
    expect(await new Shell().run("get", link)).toMatchObject({ code: 5 });
  });
});
