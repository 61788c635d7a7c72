// @module-tag long
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../scripts/free-port.ts";
import { postAsPage, START_TIMEOUT_MS, startWranglerDev, type WranglerDev } from "../support/wrangler-dev.ts";

const run = promisify(execFile);

/** The page's blocks of code, in order. */
const BLOCKS = [...readFileSync("docs/programs.md", "utf8").matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(
  ([, language = "", code = ""]) => ({ language, code }),
);
const commands = BLOCKS.filter(({ language }) => language === "sh").map(({ code }) => code);

let server: WranglerDev;
let folder: string;
let cookie: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  server = await startWranglerDev();
  folder = mkdtempSync(join(tmpdir(), "mayfly-programs-"));
  const person = { email: "somebody@example.com", password: "a good password" };
  const registered = await postAsPage(server.origin, "/api/auth/register", person);
  cookie = registered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const request = { name: "programs", scopes: ["upload"], expiresIn: "7d" };
  const { key } = (await (await postAsPage(server.origin, "/api/keys", request, cookie)).json()) as { key: string };
  env = {
    ...process.env,
    PATH: `${join(folder, "bin")}:${process.env.PATH ?? ""}`,
    HOME: folder,
    npm_config_prefix: folder,
    MAYFLY_URL: server.origin,
    MAYFLY_KEY: key,
  };
  // What the page tells to install with npm.
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  for (const { language, code } of BLOCKS) {
    const [, name] = /^\/\/ (\w+\.mjs)$/m.exec(code) ?? [];
    if (language === "js" && name) writeFileSync(join(folder, name), code);
  }
}, START_TIMEOUT_MS);

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const ran = new Set<string>();

/** @returns the command of the page that contains these words */
function commandWith(words: string): string {
  const command = commands.find((code) => code.includes(words));
  if (command === undefined) throw new Error(`The page has no command with: ${words}`);
  ran.add(command);
  return command;
}

/** Runs the command of the page that contains these words. @returns what it wrote to standard output */
async function runCommand(words: string): Promise<string> {
  return (await run("sh", ["-ec", commandWith(words)], { cwd: folder, env })).stdout;
}

const LINK = /^http:\/\/localhost:\d+\/download\/[\w-]{22}\n$/;

it("names the variables that its commands read", () => {
  const exported = commands.flatMap((code) => [...code.matchAll(/^export (\w+)=/gm)].map(([, name]) => name));
  expect(exported).toEqual(["MAYFLY_URL", "MAYFLY_KEY", "WEBHOOK_SECRET"]);
});

it("tells whose key it is [DEV-5]", async () => {
  expect(JSON.parse(await runCommand("/api/v1/me"))).toMatchObject({
    email: "somebody@example.com",
    key: { scopes: ["upload"] },
  });
});

it("sends with curl [DEV-5]", async () => {
  const link = await runCommand('echo "hello"');
  expect(link).toMatch(LINK);
  env.LINK = link.trim();
  expect(await runCommand("Mayfly-Expires")).toMatch(LINK);
  expect(await runCommand("backup.tar.gz")).toMatch(LINK);
  expect(await runCommand("cmp report.txt")).toBe("");
  expect(readFileSync(join(folder, "copy.txt"), "utf8")).toBe("hello\n");
  // A download that broke off after two bytes; the rest comes from the link.
  writeFileSync(join(folder, "copy.txt"), "HE");
  await runCommand("curl -sSL -C -");
  expect(readFileSync(join(folder, "copy.txt"), "utf8")).toBe("HEllo\n");
  expect(await runCommand("send.sh")).toMatch(LINK);
});

it("sends with the command line [DEV-5]", async () => {
  expect((await runCommand("npm install --global")).split("\n").at(-2)).toMatch(/\/download\/[\w-]{22}$/);
  await runCommand("mayfly get");
  expect(readFileSync(join(folder, "fetched/report.txt"), "utf8")).toBe("hello\n");
}, 120_000);

it("sends with tus [DEV-5]", async () => {
  expect(await runCommand("node send.mjs")).toMatch(LINK);
});

it("is told of an upload by a webhook [DEV-5, HOOK-5]", async () => {
  const port = String(await freePort());
  const webhook = { url: `http://127.0.0.1:${port}/`, events: ["transfer.uploaded"] };
  const { secret } = (await (await postAsPage(server.origin, "/api/webhooks", webhook, cookie)).json()) as {
    secret: string;
  };
  const receiver = spawn("sh", ["-ec", `exec ${commandWith("node receive.mjs")}`], {
    cwd: folder,
    env: { ...env, PORT: port, WEBHOOK_SECRET: secret },
  });
  const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
  expect(await lines.next()).toEqual({ value: "listening", done: false });
  await runCommand('echo "hello"');
  expect(await lines.next()).toEqual({ value: "transfer.uploaded report.txt", done: false });
  receiver.kill();
  await once(receiver, "exit");
});

it("shows no other command [DEV-5]", () => {
  const rest = commands.filter((command) => !command.startsWith("export ") && !ran.has(command));
  expect(rest).toEqual([]);
});
