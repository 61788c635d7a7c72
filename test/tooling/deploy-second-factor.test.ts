import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkSettings } from "../../scripts/deploy/check.ts";
import { readProject } from "../../scripts/deploy/config.ts";
import { chooseTotpSecret, decideSecondFactor } from "../../scripts/deploy/second-factor.ts";
import { collectSettings } from "../../scripts/deploy/settings.ts";
import type { Terminal } from "../../scripts/deploy/terminal.ts";

const KEPT = [
  "APP_ORIGIN=https://files.example.com",
  "CONTACT_EMAIL=hello@example.com",
  "MAIL_TRANSPORT=cloudflare",
  "MAIL_FROM=Files <no-reply@files.example.com>",
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "second-factor-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** @param typed the person's answers, in order; null without a person */
function terminalOf(typed: string[] | null) {
  const printed: string[] = [];
  const terminal: Terminal = {
    isInteractive: typed !== null,
    print: (line) => printed.push(line),
    read: () => {
      const next = typed?.shift();
      return next === undefined ? Promise.reject(new Error("asked")) : Promise.resolve(next);
    },
  };
  return { terminal, printed };
}

interface Situation {
  typed: string[] | null;
  /** Names of the secrets that Cloudflare has. */
  stored?: string[];
  kept?: string[];
  env?: Record<string, string>;
}

/** @returns the setting, and the line that is kept about it, if any */
async function decide({ typed, stored = [], kept = [], env = {} }: Situation) {
  const file = join(folder, ".deploy.vars");
  writeFileSync(file, `${[...KEPT, ...kept].join("\n")}\n`);
  const { terminal } = terminalOf(typed);
  const context = { terminal, env, folder, stored: new Set(stored) };
  const collected = await collectSettings(context, { project: readProject(), accountId: "account", hasDatabase: true });
  const settings = await decideSecondFactor(context, collected);
  const setting = settings.find(({ name }) => name === "ADMIN_SECOND_FACTOR");
  const line = /^ADMIN_SECOND_FACTOR=.*$/m.exec(readFileSync(file, "utf8"))?.[0] ?? null;
  return { value: setting?.value, line };
}

const OLD = ["BETTER_AUTH_SECRET"];

describe("whether administrators need a second factor", () => {
  it("they do in a new deployment, and nobody is asked [ADM-46]", async () => {
    for (const typed of [[], null]) {
      expect(await decide({ typed })).toEqual({ value: "required", line: "ADMIN_SECOND_FACTOR=required" });
    }
  });

  it("the person is asked at the upgrade of an older one, once [ADM-46]", async () => {
    expect(await decide({ typed: ["no", "off"], stored: OLD })).toEqual({
      value: "off",
      line: "ADMIN_SECOND_FACTOR=off",
    });
    expect((await decide({ typed: [""], stored: OLD })).value).toBe("required");
    const again = await decide({ typed: [], stored: OLD, kept: ["ADMIN_SECOND_FACTOR=off"] });
    expect(again.value).toBe("off");
  });

  it("an upgrade without a terminal locks nobody out, and decides nothing for the next one [ADM-46]", async () => {
    expect(await decide({ typed: null, stored: OLD })).toEqual({ value: "off", line: null });
  });

  it("stays required without a terminal where the secret is stored", async () => {
    const stored = [...OLD, "ADMIN_TOTP_SECRET"];
    expect((await decide({ typed: null, stored })).value).toBe("required");
  });

  it("the environment decides, also in a new deployment", async () => {
    const env = { ADMIN_SECOND_FACTOR: "off" };
    // The value of wrangler.toml, but from the environment.
    expect((await decide({ typed: null, env })).value).toBe("off");
    expect((await decide({ typed: null, stored: OLD, env: { ADMIN_SECOND_FACTOR: "required" } })).value).toBe(
      "required",
    );
  });
});

describe("ADMIN_TOTP_SECRET", () => {
  it("is made and shown once as a QR code at a terminal [ADM-46]", async () => {
    const { terminal, printed } = terminalOf([]);
    const secret = await chooseTotpSecret(terminal, {}, "root");
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(printed.join("\n")).toContain(`(root): ${secret}`);
    expect(await chooseTotpSecret(terminal, {}, "root")).not.toBe(secret);
  });

  it("comes from the environment elsewhere, and is not printed [ADM-46]", async () => {
    const { terminal, printed } = terminalOf(null);
    const given = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    expect(await chooseTotpSecret(terminal, { ADMIN_TOTP_SECRET: given }, "root")).toBe(given);
    expect(printed).toEqual([]);
    await expect(chooseTotpSecret(terminal, {}, "root")).rejects.toThrow(
      "ADMIN_TOTP_SECRET is not set, and there is no terminal to ask for it. The secret of the first administrator's " +
        "authenticator app, 32 characters of base32. ADMIN_SECOND_FACTOR=off does without.",
    );
    await expect(chooseTotpSecret(terminal, { ADMIN_TOTP_SECRET: "short" }, "root")).rejects.toThrow(
      "ADMIN_TOTP_SECRET in the environment is not valid: it must be 32 to 128 characters of base32.",
    );
  });

  it("is no obstacle to the next deployment once it is stored, nor are providers", () => {
    const { vars } = readProject();
    const stored = ["BETTER_AUTH_SECRET", "DATA_KEY", "ADMIN_USERNAME", "ADMIN_PASSWORD", "ADMIN_TOTP_SECRET"];
    const all = new Set([...stored, "LOGIN_PROVIDERS", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"]);
    const production = { ...vars, APP_ORIGIN: "https://files.example.com", S3_ENDPOINT: "https://s3.example.com" };
    expect(() => {
      checkSettings(production, {}, all);
    }).not.toThrow();
    expect(() => {
      checkSettings({ ...production, ADMIN_SECOND_FACTOR: "sometimes" }, {}, all);
    }).toThrow(/ADMIN_SECOND_FACTOR must be required or off/);
  });
});
