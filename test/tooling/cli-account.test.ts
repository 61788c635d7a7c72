// @module-tag long
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, request as forward } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { Installation, serverWithKey, Shell } from "#test/support/cli/program.ts";
import type { LocalServer } from "../../scripts/local-server.ts";

const run = promisify(execFile);

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
  shell = new Shell();
  return () => {
    shell.remove();
  };
});

it("is small: at most 180 KB, 12 KB of them to start with, and 30 KB for passwords [CLI-1]", () => {
  const names = readdirSync("build/cli").filter((name) => name !== "package.json" && name !== "argon2.js");
  const sizeOf = (name: string) => statSync(join("build/cli", name)).size;
  expect(names.reduce((sum, name) => sum + sizeOf(name), 0)).toBeLessThan(180 * 1024);
  expect(sizeOf("mayfly.js")).toBeLessThan(12 * 1024);
  expect(sizeOf("argon2.js")).toBeLessThan(30 * 1024);
});

it("needs nothing but Node [CLI-1]", () => {
  const described = JSON.parse(readFileSync("build/cli/package.json", "utf8")) as object;
  expect(Object.keys(described)).toEqual(["name", "version", "description", "type", "bin", "files", "engines"]);
});

it("says in one sentence that Node is too old, and ends", async () => {
  const pretend = (version: string) =>
    `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`;
  const start = (version: string) =>
    run(process.execPath, ["--import", pretend(version), "build/cli/mayfly.js", "--version"]);
  await expect(start("22.20.9")).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: "mayfly needs Node 22.21.0 or newer, and this is 22.20.9.\n",
  });
  expect(await start("22.21.0")).toMatchObject({ stdout: "0.1.0\n", stderr: "" });
});

it("is served as a package that npm runs without a registry, and /cli leads to the newest [CLI-1]", async () => {
  const newest = await fetch(`${server.origin}/cli`, { redirect: "manual" });
  expect([newest.status, newest.headers.get("location")]).toEqual([302, "/cli/mayfly-0.1.0.tgz"]);
  const address = `${server.origin}/cli/mayfly-0.1.0.tgz`;
  const options = ["--registry", "http://localhost:1", "--cache", join(shell.folder, "npm")];
  const { stdout } = await run("npx", ["--yes", ...options, address, "--version"], { cwd: shell.work });
  expect(stdout).toBe("0.1.0\n");
});

it("tells once on standard error that there is a newer version, and where, unless it is told to be quiet [CLI-16]", async () => {
  const old = new Installation();
  const path = join(old.files, "mayfly.js");
  writeFileSync(path, readFileSync(path, "utf8").replaceAll('"0.1.0"', '"0.0.9"'));
  const env = { MAYFLY_URL: server.origin, MAYFLY_KEY: account.key };
  const oldShell = new Shell(env, old);
  writeFileSync(join(oldShell.work, "a.txt"), "hello");
  expect((await oldShell.run("--version")).out).toBe("0.0.9\n");
  const news = `Version 0.1.0 of this program is at ${server.origin}/cli/mayfly-0.1.0.tgz. This one is 0.0.9.\n`;
  expect(await oldShell.run("ls")).toEqual({ code: 0, out: "", error: news });
  const sent = await oldShell.run("send", "a.txt");
  expect(sent.error.split(news)).toHaveLength(2);
  expect(sent.out).not.toContain("Version");
  expect(await oldShell.run("info", "unknown", "--quiet")).toMatchObject({
    code: 5,
    error: expect.not.stringContaining("Version") as string,
  });
  Object.assign(shell.env, env);
  expect((await shell.run("whoami")).error).toBe("");
  await oldShell.run("rm", sent.out.trim());
  oldShell.remove();
});

it("keeps a key that the server accepts, for its owner alone, and forgets it [CLI-2]", async () => {
  expect(await shell.run("whoami")).toMatchObject({ code: 3, out: "" });
  const login = await shell.runWith(`${account.key}\n`, "login", server.origin, "--key-stdin");
  expect(login).toEqual({ code: 0, out: `Signed in to ${server.origin} as ${account.email}.\n`, error: "" });
  const path = join(shell.folder, "config/mayfly/account.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ origin: server.origin, key: account.key });
  expect((await shell.run("whoami")).out).toContain(`${account.email} at ${server.origin}\nPlan free:`);
  expect((await shell.run("logout")).code).toBe(0);
  expect((await shell.run("whoami")).code).toBe(3);
  expect((await shell.run("logout")).code).toBe(3);
});

it("keeps no key that the server refuses, and asks for none without a terminal", async () => {
  const unknown = `mayfly_${"0".repeat(32)}2wjyrI`;
  expect((await shell.runWith(`${unknown}\n`, "login", server.origin, "--key-stdin")).code).toBe(3);
  expect((await shell.run("login", server.origin)).code).toBe(2);
  expect((await shell.run("whoami")).code).toBe(3);
});

it("never sends a kept key to another address [CLI-2]", async () => {
  await shell.runWith(`${account.key}\n`, "login", server.origin, "--key-stdin");
  shell.env.MAYFLY_URL = "http://localhost:1";
  expect((await shell.run("whoami")).code).toBe(3);
});

it("lists, shows, changes and deletes what was sent [CLI-9]", async () => {
  await shell.runWith(`${account.key}\n`, "login", server.origin, "--key-stdin");
  writeFileSync(join(shell.work, "a.txt"), "hello");
  const link = (await shell.run("send", "a.txt", "--quiet")).out.trim();
  expect((await shell.run("ls")).out).toMatch(
    new RegExp(`^${link} {2}\\d{4}-\\d\\d-\\d\\d +5 Bytes +0 ↓ {2}a\\.txt\n$`),
  );
  const shown = await shell.run("info", link);
  expect(shown.out).toContain(`Link:      ${link}\n`);
  const changed = await shell.run("edit", link, "--name", "b.txt", "--downloads", "3", "--json");
  expect(JSON.parse(changed.out)).toMatchObject({ link, name: "b.txt", guards: { maxDownloads: 3 } });
  expect((await shell.run("edit", link)).code).toBe(2);
  expect((await shell.run("rm", link)).code).toBe(0);
  expect(await shell.run("ls")).toEqual({ code: 0, out: "", error: "" });
  expect((await shell.run("info", link)).code).toBe(5);
});

it("goes through the proxy of the environment [CLI-10]", async () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? "");
    const { method, headers } = request;
    request.pipe(
      forward(request.url ?? "", { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  proxy.listen(0);
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  Object.assign(shell.env, {
    MAYFLY_URL: server.origin,
    MAYFLY_KEY: account.key,
    HTTP_PROXY: `http://localhost:${port}`,
    NO_PROXY: "",
  });
  writeFileSync(join(shell.work, "a.txt"), "hello");
  expect((await shell.run("send", "a.txt")).code).toBe(0);
  expect(asked).toContain(`${server.origin}/api/v1/uploads`);
  expect(asked.some((url) => url.includes("X-Amz-Signature"))).toBe(true);
  proxy.closeAllConnections();
  proxy.close();
});
