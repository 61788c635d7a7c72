import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

const FIXTURE = `interface Adapter {
  createSession(userId: string): Promise<void>;
  signInEmail(userId: string): Promise<void>;
}

export async function enter(adapter: Adapter): Promise<void> {
  await adapter.createSession("somebody");
  await adapter.signInEmail("somebody");
}
`;

let folder: string;

/** A copy of the linter's rules over one small file, at a path inside the project. */
async function lint(file: string): Promise<string[]> {
  const target = path.join(folder, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, FIXTURE);
  const output = await new Promise<string>((resolve) => {
    const args = ["--config", path.join(folder, "oxlint.config.ts"), "--no-ignore", "--format", "json", target];
    execFile(path.join(root, "node_modules/.bin/oxlint"), args, { cwd: folder }, (_error, stdout) => {
      resolve(stdout);
    });
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; message: string; help?: string }[] };
  return diagnostics.map(({ code, message, help = "" }) => `${code} ${message} ${help}`);
}

beforeAll(async () => {
  // Inside the project, so that the rules find the linter's package.
  await mkdir(path.join(root, ".tmp"), { recursive: true });
  folder = await mkdtemp(path.join(root, ".tmp/gate-rule-"));
  await cp(path.join(root, "oxlint.config.ts"), path.join(folder, "oxlint.config.ts"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe("the rule of the gate", () => {
  it("refuses a session that better-auth makes [AUTH-24]", async () => {
    for (const file of ["worker/accounts/passkeys.ts", "worker/accounts/sign-in.ts", "worker/admin/sessions.ts"]) {
      const found = await lint(file);
      expect(found).toHaveLength(2);
      for (const problem of found) {
        expect(problem).toContain("no-restricted-properties");
        expect(problem).toContain("worker/accounts/sign-in.ts is the one place where a session begins");
      }
    }
  });
});

it("one statement makes a session, and the gate alone runs it", async () => {
  const folders = ["worker", "durable-objects"].map((name) => path.join(root, name));
  const names = await Promise.all(
    folders.map(async (parent) => (await readdir(parent, { recursive: true })).map((name) => path.join(parent, name))),
  );
  const sources = names.flat().filter((name) => name.endsWith(".ts"));
  expect(sources.length).toBeGreaterThan(100);
  const texts = await Promise.all(sources.map(async (name) => ({ name, text: await readFile(name, "utf8") })));
  const withText = (pattern: RegExp) =>
    texts.filter(({ text }) => pattern.test(text)).map(({ name }) => path.relative(root, name));
  expect(withText(/insert\(sessions\)|insert into "?sessions/i)).toEqual(["worker/db/sign-ins.ts"]);
  expect(withText(/\binsertSession\b/).sort()).toEqual(["worker/accounts/sign-in.ts", "worker/db/sign-ins.ts"]);
});
