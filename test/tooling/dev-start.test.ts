import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, it } from "vitest";
import { parseVars } from "../../scripts/dev-vars.ts";
import { freePort } from "../../scripts/free-port.ts";

const folder = mkdtempSync(join(tmpdir(), "clone-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A fake wrangler: applies nothing, and answers every request. */
const WRANGLER = `
if (process.argv[2] === "dev") {
  const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
  require("node:http").createServer((_, response) => response.end("fine")).listen(port);
}`;

/** A fake build: one page without scripts. */
const REMIX = `
require("node:fs").mkdirSync("build/client/assets", { recursive: true });
require("node:fs").writeFileSync("build/client/assets/manifest-1.js", "window.__remixManifest={}");`;

/** A fake build of the command line. */
const VITE = `require("node:fs").mkdirSync("build/cli", { recursive: true });`;

/** A clone without sources to build, and with fake tools. */
function makeClone(): NodeJS.ProcessEnv {
  const bin = join(folder, "bin");
  for (const path of [
    "app",
    "domain",
    "engine",
    "messages",
    "opener",
    "cli",
    "thunderbird",
    "public",
    "build",
    "scripts",
    "bin",
  ]) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  for (const path of [
    "vite.config.ts",
    "vite.open-worker.config.ts",
    "package-lock.json",
    "package.json",
    "scripts/compile-messages.ts",
    "scripts/thunderbird-build.ts",
  ]) {
    writeFileSync(join(folder, path), path === "package.json" ? "{}" : "");
  }
  for (const path of [".dev.vars.example", "wrangler.toml"]) copyFileSync(path, join(folder, path));
  for (const [tool, script] of [
    ["wrangler", WRANGLER],
    ["remix", REMIX],
    ["vite", VITE],
    ["npm", ""],
  ] as const) {
    writeFileSync(join(bin, tool), `#!${process.execPath}\n${script}\n`, { mode: 0o755 });
  }
  return { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };
}

it("the first start of a clone writes a random administrator into .dev.vars and prints them [ADM-35]", async () => {
  const port = await freePort();
  const dev = spawn(process.execPath, [resolve("scripts/dev.ts"), "--once", "--port", String(port)], {
    cwd: folder,
    env: makeClone(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(dev, "exit");
  const printed: string[] = [];
  for await (const line of createInterface(dev.stdout)) {
    printed.push(line.trim());
    if (line.includes("Admin ")) break;
  }
  dev.kill();
  await ended;

  const vars = parseVars(readFileSync(join(folder, ".dev.vars"), "utf8").split("\n"));
  const password = vars.get("ADMIN_PASSWORD") ?? "";
  expect(vars.get("ADMIN_USERNAME")).toBe("admin");
  expect(password).toMatch(/^[\w-]{12}$/);
  expect(printed).toContain(`Admin    http://localhost:${port}/admin   admin / ${password}`);
});
