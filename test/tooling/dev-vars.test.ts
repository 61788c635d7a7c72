import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder with the example and perhaps a .dev.vars. */
function clone(settings?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "clone-"));
  folders.push(folder);
  copyFileSync(".dev.vars.example", join(folder, ".dev.vars.example"));
  if (settings !== undefined) writeFileSync(join(folder, ".dev.vars"), settings);
  return folder;
}

function setUp(folder: string): { username: string; password: string } {
  const script = `import { ensureDevVars } from ${JSON.stringify(resolve("scripts/dev-vars.ts"))};
    console.log(JSON.stringify(ensureDevVars()));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    encoding: "utf8",
  });
  return JSON.parse(output) as { username: string; password: string };
}

function varsOf(folder: string): Map<string, string> {
  const lines = readFileSync(join(folder, ".dev.vars"), "utf8").split("\n");
  return new Map(lines.flatMap((line) => (/^[A-Z]/.test(line) ? [line.split(/=(.*)/s, 2) as [string, string]] : [])));
}

describe("the local settings", () => {
  it("writes random secrets once, and keeps them [ADM-35]", () => {
    const [one, other] = [clone(), clone()];
    const admin = setUp(one);
    setUp(other);
    const vars = varsOf(one);
    expect(vars.get("BETTER_AUTH_SECRET")?.length).toBeGreaterThanOrEqual(32);
    expect(vars.get("DATA_KEY")?.length).toBeGreaterThanOrEqual(32);
    expect(admin).toEqual({ username: vars.get("ADMIN_USERNAME"), password: vars.get("ADMIN_PASSWORD") });
    expect(admin.password.length).toBeGreaterThanOrEqual(12);
    expect(varsOf(other).get("ADMIN_PASSWORD")).not.toBe(admin.password);
    expect(varsOf(other).get("BETTER_AUTH_SECRET")).not.toBe(vars.get("BETTER_AUTH_SECRET"));
    expect([vars.get("APP_ENV"), vars.get("MAIL_TRANSPORT")]).toEqual(["development", "local"]);
    expect(statSync(join(one, ".dev.vars")).mode & 0o077).toBe(0);

    const before = readFileSync(join(one, ".dev.vars"), "utf8");
    expect(setUp(one)).toEqual(admin);
    expect(readFileSync(join(one, ".dev.vars"), "utf8")).toBe(before);
  });

  it("adds entries of a newer example and changes no existing ones", () => {
    const folder = clone("ADMIN_USERNAME=boss\nADMIN_PASSWORD=mine\nOWN=kept\n");
    expect(setUp(folder)).toEqual({ username: "boss", password: "mine" });
    expect(varsOf(folder).get("OWN")).toBe("kept");
    expect(varsOf(folder).get("BETTER_AUTH_SECRET")?.length).toBeGreaterThanOrEqual(32);
  });
});
