// @module-tag long
import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { newKey, newPerson, Shell } from "#test/support/cli/program.ts";
import { prepareServer, type LocalServer } from "../../scripts/local-server.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const unpacked = mkdtempSync(join(tmpdir(), "mayfly-package-"));
const program = join(unpacked, "package/mayfly.js");

let server: LocalServer;
let person: { email: string; cookie: string };
let shell: Shell;

beforeAll(async () => {
  execFileSync("tar", ["-xzf", resolve(`build/client/cli/mayfly-${version}.tgz`), "-C", unpacked]);
  server = await prepareServer();
  await server.start();
  person = await newPerson(server.origin);
}, 240_000);
afterAll(async () => {
  await server.stop();
  rmSync(unpacked, { recursive: true });
});
beforeEach(() => {
  shell = new Shell();
  return () => {
    shell.remove();
  };
});

const kept = () =>
  JSON.parse(readFileSync(join(shell.folder, "config/mayfly/account.json"), "utf8")) as { key: string };

/** Runs the packed program on a terminal of its own. */
function onTerminal(command: string): ChildProcessWithoutNullStreams {
  const line = `exec '${process.execPath}' '${program}' ${command}`;
  return spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], { cwd: shell.work, env: shell.env });
}

/** The terminal's text, in which the program's code is waited for. */
class Screen {
  readonly #terminal: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<number>;
  #text = "";

  constructor(terminal: ChildProcessWithoutNullStreams) {
    this.#terminal = terminal;
    this.#ended = once(terminal, "close").then(([code]) => Number(code));
    terminal.stdout.on("data", (piece) => (this.#text += String(piece)));
  }

  async code(): Promise<string> {
    for (;;) {
      const [code] = /[B-Z]{4}-[B-Z]{4}/.exec(this.#text) ?? [];
      if (code !== undefined && this.#text.includes("Waiting")) return code;
      await once(this.#terminal.stdout, "data");
    }
  }

  async end(): Promise<{ exitCode: number; text: string }> {
    return { exitCode: await this.#ended, text: this.#text.replaceAll("\r", "") };
  }
}

async function answerOnPage(call: "approve" | "refuse", userCode: string): Promise<void> {
  const response = await fetch(`${server.origin}/api/auth/device/${call}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: server.origin, cookie: person.cookie },
    body: JSON.stringify({ userCode }),
  });
  expect(response.status).toBe(200);
}

async function signIn(options = ""): Promise<{ exitCode: number; text: string }> {
  const screen = new Screen(onTerminal(`login ${server.origin} ${options}`));
  await answerOnPage("approve", await screen.code());
  return screen.end();
}

const statusOf = async (key: string) =>
  (await fetch(`${server.origin}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status;

it("shows a code on the terminal, waits for the page, and keeps the key for its owner alone [DVC-7]", async () => {
  const { exitCode, text } = await signIn("--quiet --json > out.json");
  expect([exitCode, text]).toEqual([0, expect.stringContaining(`${server.origin}/device\n`)]);
  expect(text).toContain("The code works for 10 minutes.");
  expect(JSON.parse(readFileSync(join(shell.work, "out.json"), "utf8"))).toMatchObject({
    origin: server.origin,
    email: person.email,
    key: { scopes: ["upload", "files:read", "files:write", "requests"] },
  });
  const path = join(shell.folder, "config/mayfly/account.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const { key } = kept();
  expect(text).not.toContain(key);
  expect(JSON.parse((await shell.run("whoami", "--json")).out)).toMatchObject({
    origin: server.origin,
    email: person.email,
    keyFrom: "login",
  });
  expect(await shell.run("logout")).toEqual({
    code: 0,
    out: "",
    error: `Signed out of ${server.origin}: the key is revoked.\n`,
  });
  expect(await statusOf(key)).toBe(401);
  expect((await shell.run("whoami")).code).toBe(3);
});

it("goes to the same site again without an address", async () => {
  await signIn();
  const screen = new Screen(onTerminal("login"));
  await answerOnPage("approve", await screen.code());
  expect(await screen.end()).toMatchObject({
    exitCode: 0,
    text: expect.stringContaining(`Signed in to ${server.origin} as ${person.email}.\n`) as string,
  });
});

it("ends with 3 when it is refused [DVC-7]", async () => {
  const screen = new Screen(onTerminal(`login ${server.origin}`));
  await answerOnPage("refuse", await screen.code());
  expect(await screen.end()).toMatchObject({
    exitCode: 3,
    text: expect.stringContaining("This sign-in was refused on the page.\n") as string,
  });
  expect((await shell.run("whoami")).code).toBe(3);
});

it("says without a terminal, and in CI, what to do instead [DVC-7]", async () => {
  const words = `Nobody can be asked here. Make an API key on ${server.origin}/account, and set MAYFLY_URL and MAYFLY_KEY, or run: mayfly login ${server.origin} --key-stdin < FILE.`;
  const plain = await shell.run("login", server.origin);
  expect([plain.code, plain.out, plain.error]).toEqual([2, "", expect.stringContaining(words)]);
  shell.env.CI = "1";
  const inCi = await new Screen(onTerminal(`login ${server.origin}`)).end();
  expect([inCi.exitCode, inCi.text]).toEqual([2, expect.stringContaining(words)]);
  const nowhere = await shell.run("login");
  expect([nowhere.code, nowhere.error]).toEqual([2, expect.stringContaining("Give the address of the site")]);
});

it("says which key is used where the environment has another one [DVC-7]", async () => {
  const { key, email } = await newKey(server.origin);
  await shell.runWith(`${key}\n`, "login", server.origin, "--key-stdin");
  const other = await newKey(server.origin);
  const note = `MAYFLY_KEY is set, so its key for ${server.origin} is used, not the one that login kept for ${server.origin}.\n`;
  Object.assign(shell.env, { MAYFLY_URL: server.origin, MAYFLY_KEY: other.key });
  const named = await shell.run("whoami");
  expect([named.code, named.error]).toEqual([0, note]);
  expect(named.out).toContain(`${other.email} at ${server.origin}\n`);
  expect(named.out).toContain('Key of MAYFLY_KEY "Command line"');
  expect((await shell.run("ls", "--quiet")).error).toBe("");
  delete shell.env.MAYFLY_KEY;
  shell.env.MAYFLY_URL = "http://localhost:1";
  const elsewhere = await shell.run("whoami");
  expect([elsewhere.code, elsewhere.error]).toEqual([
    3,
    expect.stringContaining(`MAYFLY_URL is http://localhost:1, and wins over ${server.origin}`),
  ]);
  delete shell.env.MAYFLY_URL;
  expect((await shell.run("whoami")).out).toContain(`${email} at ${server.origin}\n`);
  // It was made on the account page, so other programs may use it.
  const left = await shell.run("logout", "--json");
  expect([left.code, JSON.parse(left.out)]).toEqual([0, { revoked: false }]);
  expect(left.error).toContain(`Revoke it on ${server.origin}/account to end it everywhere.`);
  expect(await statusOf(key)).toBe(200);
});
