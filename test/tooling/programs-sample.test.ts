import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { endOf, serverWithKey, Shell, type Ended } from "#test/support/cli/program.ts";
import { plainBytes } from "#test/support/seal/sealed-files.ts";
import { SealingClient } from "#test/support/seal/sealed-uploads.ts";
import type { LocalServer } from "../../scripts/local-server.ts";

/** Two parts of 8 MiB, the last one short. */
const LARGE = randomBytes(9_000_000);

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

/** Runs any program in the shell's folder. */
function run(command: string, args: string[]): Promise<Ended> {
  return endOf(spawn(command, args, { cwd: shell.work, env: shell.env }));
}

const saved = (...path: string[]) => readFileSync(join(shell.work, ...path));

it("the command line sends a folder and fetches it unchanged", async () => {
  mkdirSync(join(shell.work, "trip"));
  writeFileSync(join(shell.work, "trip/large.bin"), LARGE);
  writeFileSync(join(shell.work, "trip/note.txt"), "hello");
  const sent = await shell.run("send", "trip");
  expect(sent.code).toBe(0);
  expect(await shell.run("get", sent.out.trim(), "--out", "out")).toMatchObject({ code: 0 });
  expect(saved("out/trip/large.bin").equals(LARGE)).toBe(true);
  expect(saved("out/trip/note.txt").toString()).toBe("hello");
});

it("curl sends a file with a key, and anybody fetches it unchanged", async () => {
  writeFileSync(join(shell.work, "a.bin"), LARGE);
  const sent = await run("curl", ["-sS", "-u", `:${account.key}`, "-T", "a.bin", `${server.origin}/`]);
  expect(sent).toMatchObject({ code: 0, error: "" });
  expect(await run("curl", ["-sSL", "-o", "b.bin", sent.out.trim()])).toMatchObject({ code: 0 });
  expect(saved("b.bin").equals(LARGE)).toBe(true);
});

it("the opener saves an encrypted file", async () => {
  const client = await SealingClient.signUp(server.origin);
  const bytes = plainBytes(300_000);
  const { link } = await client.sendFile({ name: "Größe.bin", bytes });
  const opener = resolve("build/client/mayfly-open.mjs");
  expect(await run(process.execPath, [opener, link, "--out", "."])).toMatchObject({ code: 0 });
  expect(saved("Größe.bin").equals(bytes)).toBe(true);
});
