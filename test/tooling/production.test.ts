import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSettings } from "../../scripts/deploy/check.ts";
import { CONFIG_FILE, productionConfig, readProject } from "../../scripts/deploy/config.ts";
import { SECRETS } from "../../scripts/deploy/secrets.ts";
import { collectSettings, varsOf } from "../../scripts/deploy/settings.ts";
import { writeConfig } from "../../scripts/wrangler-config.ts";
import { wranglerEnv } from "../../scripts/wrangler-env.ts";

const ANSWERS = {
  APP_ORIGIN: "https://files.example.com",
  CONTACT_EMAIL: "hello@example.com",
  MAIL_FROM: "Files <no-reply@example.com>",
};
const project = readProject();

let folder: string;
beforeAll(() => {
  mkdirSync(".tmp", { recursive: true });
  // Inside the project, where the bundle finds its packages.
  folder = mkdtempSync(resolve(".tmp", "production-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function settle(env: Record<string, string>) {
  const terminal = { isInteractive: false, print: () => undefined, read: () => Promise.reject(new Error("asked")) };
  const own = mkdtempSync(join(folder, "settings-"));
  return varsOf(
    await collectSettings({ terminal, env, folder: own }, { project, accountId: "account", hasDatabase: true }),
  );
}

describe("production", () => {
  it("builds with every binding, cron and Durable Object, and without development settings", async () => {
    const config = writeConfig(folder, CONFIG_FILE, productionConfig(project, "database-id", await settle(ANSWERS)));
    const output = join(folder, "bundle");
    // `npm run deploy` has already run the build.
    expect(project.config.build?.command).toBe("npm run --silent build");
    const args = ["deploy", "--dry-run", "--outdir", output, "--config", config];
    const { stdout } = await promisify(execFile)("wrangler", args, { env: { ...wranglerEnv, NO_COLOR: "1" } });
    const bindings = [
      "UPLOADS",
      "TRANSFERS",
      "LIMITERS",
      "SOCKETS",
      "GATES",
      "FEEDS",
      "PER_MINUTE_60",
      "PER_MINUTE_120",
      "PER_MINUTE_300",
      "PER_MINUTE_900",
      "SEND_EMAIL",
      "DB",
      "BUCKET",
      "ASSETS",
    ];
    for (const binding of bindings) {
      expect(stdout).toMatch(new RegExp(`env\\.${binding}\\b`));
    }

    const written = JSON.parse(readFileSync(config, "utf8")) as typeof project.config;
    expect(written).not.toHaveProperty("build");
    expect(written.triggers?.crons).toEqual(["* * * * *"]);
    expect(written.d1_databases).toMatchObject([{ binding: "DB", database_id: "database-id" }]);
    expect(written.routes).toEqual([{ pattern: "files.example.com", custom_domain: true }]);
    expect([written.workers_dev, written.preview_urls]).toEqual([false, false]);
    const bundle = globSync(join(output, "*.js")).map((file) => readFileSync(file, "utf8"));
    expect(bundle).toHaveLength(1);
    for (const { class_name } of written.durable_objects?.bindings ?? []) {
      expect(written.migrations?.flatMap((migration) => migration.new_sqlite_classes)).toContain(class_name);
      expect(bundle[0]).toContain(class_name);
    }

    const local = project.config.r2_buckets?.[0]?.local_dev?.experimental_s3_credentials;
    expect(local?.secretAccessKey).toBeTruthy();
    for (const text of [bundle[0] ?? "", JSON.stringify(written)]) {
      expect(text.indexOf(local?.accessKeyId ?? "")).toBe(-1);
      expect(text.search(/\b(sk_test_|sk_live_|whsec_|re_)\w{8}/)).toBe(-1);
    }
    for (const name of SECRETS) expect(written.vars).not.toHaveProperty(name);
  }, 120_000);

  it("counts the limits of a minute apart from those of every other Worker of the account", async () => {
    const vars = await settle(ANSWERS);
    const countersOf = (worker: string) =>
      productionConfig({ ...project, worker }, "database-id", vars).ratelimits ?? [];
    const [mayfly, other] = [countersOf("mayfly"), countersOf("mayfly-2")];
    expect(mayfly.map(({ name, simple }) => [name, simple])).toEqual([
      ["PER_MINUTE_60", { limit: 60, period: 60 }],
      ["PER_MINUTE_120", { limit: 120, period: 60 }],
      ["PER_MINUTE_300", { limit: 300, period: 60 }],
      ["PER_MINUTE_900", { limit: 900, period: 60 }],
    ]);
    const ids = [...mayfly, ...other].map(({ namespace_id }) => namespace_id);
    expect(new Set(ids).size).toBe(8);
    for (const id of ids) expect(id).toMatch(/^[1-9]\d{3,9}$/);
    for (const id of ids) expect(Number(id)).toBeLessThan(2 ** 31);
    expect(countersOf("mayfly")).toEqual(mayfly);
  });

  it("stores log lines without Cloudflare's request lines and without queries of addresses", async () => {
    const observability = {
      redact_query_string: true,
      logs: { enabled: true, invocation_logs: false },
      traces: { enabled: false },
    };
    expect(project.config.observability).toEqual(observability);
    const path = writeConfig(folder, CONFIG_FILE, productionConfig(project, "database-id", await settle(ANSWERS)));
    const written = JSON.parse(readFileSync(path, "utf8")) as typeof project.config;
    expect(written.observability).toEqual(observability);
  });

  it("has settings that the Worker accepts, with strict defaults [DEC-20]", async () => {
    const vars = await settle({ ...ANSWERS, APP_ENV: "development" });
    expect(vars).toMatchObject({
      APP_ENV: "production",
      EMAIL_VERIFICATION: "required",
      ANONYMOUS_UPLOADS: "off",
      RATE_LIMITS: "on",
      MAIL_TRANSPORT: "cloudflare",
      BILLING: "stripe",
      S3_ENDPOINT: "https://account.r2.cloudflarestorage.com",
      S3_BUCKET: "mayfly",
    });
    // Turnstile's key is refused without the key of its site.
    const stored = new Set(SECRETS.filter((name) => name !== "TURNSTILE_SECRET_KEY"));
    expect(() => {
      checkSettings(vars, {}, stored);
    }).not.toThrow();
    expect(() => {
      checkSettings({ ...vars, RATE_LIMITS: "off" }, {}, stored);
    }).toThrow(/RATE_LIMITS/);
    expect(() => {
      checkSettings(vars, {}, new Set());
    }).toThrow(/BETTER_AUTH_SECRET.*S3_ACCESS_KEY_ID/);
  });

  it("rejects an address that cannot be this Worker's, and mail settings that cannot deliver", async () => {
    for (const [wrong, words] of [
      [{ APP_ORIGIN: "http://files.example.com" }, /begin with https/],
      [{ APP_ORIGIN: "https://files.example.com/files" }, /must not have a path: use https:\/\/files\.example\.com/],
      [{ APP_ORIGIN: "https://other.somebody.workers.dev" }, /https:\/\/mayfly\.SUBDOMAIN\.workers\.dev/],
      [{ MAIL_TRANSPORT: "local" }, /cloudflare or resend/],
      [{ MAIL_FROM: "somebody" }, /MAIL_FROM/],
    ] as const) {
      await expect(settle({ ...ANSWERS, ...wrong })).rejects.toThrow(words);
    }
    const { APP_ORIGIN } = await settle({ ...ANSWERS, APP_ORIGIN: "https://mayfly.somebody.workers.dev" });
    const config = productionConfig(project, "database-id", { APP_ORIGIN: APP_ORIGIN ?? "" });
    expect([config.workers_dev, config.routes]).toEqual([true, []]);
  });
});
