import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { productionConfig, readProject } from "../../scripts/deploy/config.ts";
import { confirmPlan, type Survey } from "../../scripts/deploy/plan.ts";
import { askForSecrets } from "../../scripts/deploy/secrets.ts";
import { collectSettings, varsOf } from "../../scripts/deploy/settings.ts";
import type { Terminal } from "../../scripts/deploy/terminal.ts";
import { newBucket } from "#test/support/cloudflare-double/account.ts";
import { changes, startDeployments, type Deployments } from "#test/support/cloudflare-double/deploying.ts";
import { STORAGE_KEYS } from "#test/support/cloudflare-double/server.ts";

const KEPT = [
  "APP_ORIGIN=https://files.example.com",
  "DATA_LOCATION=weur",
  "CONTACT_EMAIL=hello@example.com",
  "MAIL_TRANSPORT=cloudflare",
  "MAIL_FROM=Files <no-reply@files.example.com>",
];
const NOTHING: Survey = { databaseId: null, lifecycle: null, missingQueues: [], secrets: new Set() };
const BUCKET_ALONE: Survey = { ...NOTHING, lifecycle: "" };

let deployments: Deployments;
let folder: string;
beforeAll(async () => {
  deployments = await startDeployments();
  folder = mkdtempSync(join(tmpdir(), "confirmations-"));
});
afterAll(async () => {
  await deployments.close();
  rmSync(folder, { recursive: true });
});

/** A terminal with answers by setting; without a person if answers is null. */
function terminalOf(answers: Record<string, string> | null) {
  const asked: string[] = [];
  const printed: string[] = [];
  const terminal: Terminal = {
    isInteractive: answers !== null,
    print: (line) => printed.push(line),
    read: (prompt) => {
      const name = /^(\w+)(?: \[.*\])?: $/m.exec(prompt)?.[1] ?? "";
      asked.push(name);
      const typed = answers?.[name];
      return typed === undefined ? Promise.reject(new Error(`${name} was asked for`)) : Promise.resolve(typed);
    },
  };
  return { terminal, asked, printed };
}

interface Situation {
  kept?: string[];
  env?: Record<string, string>;
  answers: Record<string, string> | null;
  survey?: Survey;
  newDatabase?: boolean;
}

/** Runs the plan's confirmations. @returns questions, output, and the error message or null */
async function plan({ kept = [], env = {}, answers, survey = NOTHING, newDatabase = false }: Situation) {
  const own = mkdtempSync(join(folder, "own-"));
  writeFileSync(join(own, ".deploy.vars"), `${[...KEPT, ...kept].join("\n")}\n`);
  const { terminal, asked, printed } = terminalOf(answers);
  const project = readProject();
  const context = { terminal, env, project, folder: own, survey, newDatabase, missing: new Set(["STRIPE_SECRET_KEY"]) };
  const settings = await collectSettings(context, { project, accountId: "account", hasDatabase: false });
  const error = await confirmPlan({ ...context, settings }).then(
    () => null,
    (error: unknown) => (error as Error).message,
  );
  return { asked, printed: printed.join("\n"), error, kept: readFileSync(join(own, ".deploy.vars"), "utf8") };
}

describe("a bucket without its database", () => {
  const DANGER =
    'There is an R2 bucket "mayfly", but no D1 database "mayfly". A new database does not list the files in the ' +
    "bucket: their links stop working, and the files are deleted as leftovers.\n" +
    "If the bucket holds files, correct database_name in wrangler.toml, or restore the database first " +
    '(docs/operations.md, "Back up and restore").';

  it("gets a new database only after a yes", async () => {
    for (const answer of ["no", "n", "create it"]) {
      const { asked, error } = await plan({ survey: BUCKET_ALONE, answers: { CONFIRM: answer } });
      expect([asked, error]).toEqual([["CONFIRM"], "Nothing was done."]);
    }
    const { asked, error } = await plan({ survey: BUCKET_ALONE, answers: { CONFIRM: "yes", DEPLOY: "" } });
    expect([asked, error]).toEqual([["CONFIRM", "DEPLOY"], null]);
  });

  it("gets none without a terminal unless a flag confirms it", async () => {
    const rejected = await plan({ survey: BUCKET_ALONE, answers: null });
    const advice =
      "If the bucket is empty or its files may be deleted, confirm with `npm run deploy -- --new-database`.";
    expect(rejected.error).toBe(`${DANGER} ${advice}`);
    const confirmed = await plan({ survey: BUCKET_ALONE, answers: null, newDatabase: true });
    expect(confirmed.error).toBeNull();
  });

  it("needs no confirmation if both exist, or neither", async () => {
    for (const survey of [NOTHING, { ...BUCKET_ALONE, databaseId: "id" }, { ...NOTHING, databaseId: "id" }]) {
      expect(await plan({ survey, answers: null })).toMatchObject({ asked: [], error: null });
    }
  });

  it("is noticed before anything is changed", async () => {
    deployments.cloudflare.account.buckets.set("mayfly", newBucket({}));
    const env = {
      APP_ORIGIN: "https://files.example.com",
      CONTACT_EMAIL: "hello@example.com",
      DATA_LOCATION: "oc",
    };
    const { failure, calls } = await deployments.run({ isInteractive: false, env });
    expect(String(failure)).toContain(DANGER);
    expect(changes(calls)).toEqual([]);
  }, 120_000);
});

describe("the plan", () => {
  it("lists each setting that differs from wrangler.toml, and each secret, with its source", async () => {
    const { printed } = await plan({
      kept: ["ANONYMOUS_UPLOADS=on", "EMAIL_VERIFICATION=off", "STRIPE_API_URL=http://localhost:2"],
      env: {
        STRIPE_API_URL: "http://localhost:1",
        RATE_LIMITS: "on",
        APP_ENV: "development",
        CONTACT_EMAIL: "other@example.com",
        STRIPE_SECRET_KEY: "sk_test_exported",
      },
      answers: { DEPLOY: "no" },
    });
    const [, list = ""] = printed.split("Settings that differ from wrangler.toml:\n");
    expect(list.split("\n").sort()).toEqual([
      "  - ANONYMOUS_UPLOADS = on (from .deploy.vars)",
      "  - APP_ORIGIN = https://files.example.com (from .deploy.vars)",
      "  - CONTACT_EMAIL = other@example.com (from the environment)",
      "  - DATA_LOCATION = weur (from .deploy.vars)",
      "  - EMAIL_VERIFICATION = off (from .deploy.vars)",
      "  - MAIL_FROM = Files <no-reply@files.example.com> (from .deploy.vars)",
      "  - S3_ENDPOINT = https://account.r2.cloudflarestorage.com (from this account)",
      "  - STRIPE_API_URL = http://localhost:1 (from the environment)",
    ]);
    expect(printed).toContain("STRIPE_SECRET_KEY (from the environment)");
    expect(printed).not.toContain("sk_test_exported");
  });

  it.each([
    ["BILLING", "manual", "While Stripe has no key, anybody can choose any plan without paying."],
    ["EMAIL_VERIFICATION", "off", "Anybody can register with an address that is not theirs."],
  ])("takes %s=%s from the environment only when it is confirmed", async (name, value, effect) => {
    const line = `${name}=${value}`;
    const env = { [name]: value };
    const unattended = await plan({ env, answers: null });
    expect(unattended.error).toBe(
      `${line} comes from the environment. ${effect} ` +
        `To confirm it, add the line ${line} to .deploy.vars. Otherwise unset it.`,
    );
    const declined = await plan({ env, answers: { CONFIRM: "no" } });
    expect(declined).toMatchObject({ asked: ["CONFIRM"], error: "Nothing was done." });
    expect(declined.kept).not.toContain(line);
    const accepted = await plan({ env, answers: { CONFIRM: "yes", DEPLOY: "yes" } });
    expect(accepted).toMatchObject({ asked: ["CONFIRM", "DEPLOY"], error: null });
    expect(accepted.kept).toContain(`\n${line}\n`);
    for (const exported of [env, {}]) {
      expect(await plan({ kept: [line], env: exported, answers: null })).toMatchObject({ asked: [], error: null });
    }
  });

  it("asks for no confirmation of production values", async () => {
    const env = { BILLING: "stripe", EMAIL_VERIFICATION: "required" };
    expect(await plan({ env, answers: null })).toMatchObject({ asked: [], error: null });
  });
});

describe("where data is", () => {
  const locate = async (kept: string[], { env = {}, hasDatabase = false, answers = null }: Partial<Located> = {}) => {
    const own = mkdtempSync(join(folder, "place-"));
    writeFileSync(join(own, ".deploy.vars"), [...KEPT.filter((line) => !line.startsWith("DATA_")), ...kept].join("\n"));
    const { terminal, asked } = terminalOf(answers);
    const project = readProject();
    const settings = await collectSettings({ terminal, env, folder: own }, { project, accountId: "acc", hasDatabase });
    const { DATA_LOCATION, S3_ENDPOINT } = varsOf(settings);
    const [bucket] = productionConfig(project, "id", varsOf(settings)).r2_buckets ?? [];
    return { asked, DATA_LOCATION, S3_ENDPOINT, jurisdiction: bucket?.jurisdiction };
  };
  interface Located {
    env: Record<string, string>;
    hasDatabase: boolean;
    answers: Record<string, string> | null;
  }

  it("in the EU has a jurisdiction, with its own S3 host", async () => {
    const answers = { DATA_LOCATION: "eu" };
    expect(await locate([], { answers })).toEqual({
      asked: ["DATA_LOCATION"],
      DATA_LOCATION: "eu",
      S3_ENDPOINT: "https://acc.eu.r2.cloudflarestorage.com",
      jurisdiction: "eu",
    });
  });

  it("near people is a hint alone", async () => {
    expect(await locate(["DATA_LOCATION=apac"])).toEqual({
      asked: [],
      DATA_LOCATION: "apac",
      S3_ENDPOINT: "https://acc.r2.cloudflarestorage.com",
      jurisdiction: undefined,
    });
  });

  it("is never chosen in silence, and must be a place", async () => {
    await expect(locate([])).rejects.toThrow(/^DATA_LOCATION is not set, and there is no terminal to ask for it/);
    await expect(locate([], { env: { DATA_LOCATION: "mars" } })).rejects.toThrow(
      "DATA_LOCATION in the environment is not valid: it must be eu, weur, eeur, apac, oc, wnam, enam.",
    );
  });

  it("stays where it was chosen once there is a database, and is taken from the environment in a fresh folder", async () => {
    const env = { DATA_LOCATION: "eu" };
    const inEu = { S3_ENDPOINT: "https://acc.eu.r2.cloudflarestorage.com", jurisdiction: "eu" };
    expect(await locate([], { hasDatabase: true, env })).toMatchObject({ asked: [], DATA_LOCATION: "eu", ...inEu });
    expect(await locate([], { hasDatabase: true })).toMatchObject({ asked: [], DATA_LOCATION: "" });
    expect(await locate(["DATA_LOCATION=weur"], { hasDatabase: true, env })).toMatchObject({ DATA_LOCATION: "weur" });
  });
});

describe("secrets without a terminal", () => {
  const KEYS = {
    S3_ACCESS_KEY_ID: STORAGE_KEYS.accessKeyId,
    S3_SECRET_ACCESS_KEY: STORAGE_KEYS.secretAccessKey,
    STRIPE_SECRET_KEY: "sk_test_unattended",
  };

  const EVERY = ["BETTER_AUTH_SECRET", "DATA_KEY", "ADMIN_USERNAME", "ADMIN_PASSWORD", ...Object.keys(KEYS)];

  /** @returns the values or the error message, and the output */
  async function ask(env: Record<string, string>, missing = EVERY) {
    const { terminal, printed } = terminalOf(null);
    const vars = { S3_ENDPOINT: deployments.cloudflare.s3Url, S3_BUCKET: "mayfly" };
    deployments.cloudflare.account.buckets.set("mayfly", newBucket({}));
    const context = { terminal, env, accountId: "account", vars, setUpStripe: () => Promise.resolve("whsec_made") };
    const values = await askForSecrets(context, new Set(missing)).catch((error: unknown) => (error as Error).message);
    return { values, printed: printed.join("\n") };
  }

  it("the data key may be given, and the one before is stored beside it [HOOK-10]", async () => {
    const env = {
      DATA_KEY: "a new data key of at least 32 characters",
      DATA_KEY_FORMER: "the data key until now, also long",
    };
    expect(await ask(env, ["DATA_KEY", "DATA_KEY_FORMER"])).toEqual({ values: env, printed: "" });
    expect((await ask({ DATA_KEY: "short" }, ["DATA_KEY"])).values).toBe(
      "DATA_KEY in the environment is not valid: it is shorter than 32 characters.",
    );
    const { values } = await ask({}, ["DATA_KEY", "DATA_KEY_FORMER"]);
    expect(values).toEqual({ DATA_KEY: expect.stringMatching(/^[\w-]{43}$/) as string });
  });

  it("no administrator's password is generated, and the error says what to set", async () => {
    const { values, printed } = await ask(KEYS);
    expect(values).toBe(
      "ADMIN_PASSWORD is not set, and there is no terminal to ask for it. " +
        "The first administrator's password, at least 8 characters.",
    );
    expect(printed).toBe("");
  });

  it("none is printed, whether given or generated", async () => {
    const { values, printed } = await ask({ ...KEYS, ADMIN_PASSWORD: "chosen by somebody" });
    expect(values).toEqual({
      ...KEYS,
      BETTER_AUTH_SECRET: expect.stringMatching(/^[\w-]{43}$/) as string,
      DATA_KEY: expect.stringMatching(/^[\w-]{43}$/) as string,
      ADMIN_USERNAME: "admin",
      ADMIN_PASSWORD: "chosen by somebody",
      STRIPE_WEBHOOK_SECRET: "whsec_made",
    });
    const { ADMIN_USERNAME, ...secrets } = values as Record<string, string>;
    expect(ADMIN_USERNAME).toBe("admin");
    expect(Object.values(secrets).filter((secret) => printed.includes(secret))).toEqual([]);
  });
});
