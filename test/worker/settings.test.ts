import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { inJurisdiction } from "#worker/storage/jurisdiction.ts";
import { readSettings } from "#worker/settings.ts";
import { withMethod } from "../support/worker-with-env.ts";

function without(name: keyof Env): Env {
  const rest = { ...env, RATE_LIMITS: "on", MAIL_TRANSPORT: "cloudflare" };
  Reflect.deleteProperty(rest, name);
  return rest;
}

describe("settings", () => {
  it("APP_ENV is production by default [DEC-20]", () => {
    expect(readSettings(without("APP_ENV")).appEnv).toBe("production");
    expect(readSettings({ ...env, APP_ENV: "development" }).appEnv).toBe("development");
    expect(() => readSettings({ ...env, APP_ENV: "prod" })).toThrow(/APP_ENV/);
  });

  it("unsafe values for production are rejected", () => {
    const production = { ...env, APP_ENV: "production", RATE_LIMITS: "on", MAIL_TRANSPORT: "cloudflare" };
    expect(readSettings(production).appEnv).toBe("production");
    expect(() => readSettings({ ...production, RATE_LIMITS: "off" })).toThrow(/RATE_LIMITS/);
    expect(() => readSettings({ ...production, MAIL_TRANSPORT: "local" })).toThrow(/MAIL_TRANSPORT/);
  });

  it("an error names the missing or invalid variable", () => {
    expect(() => readSettings(without("S3_ACCESS_KEY_ID"))).toThrow(/S3_ACCESS_KEY_ID is missing/);
    expect(() => readSettings(without("RATE_LIMITS"))).toThrow(/RATE_LIMITS is missing/);
    expect(() => readSettings({ ...env, APP_ORIGIN: "" })).toThrow(/APP_ORIGIN is missing/);
    expect(() => readSettings({ ...env, BETTER_AUTH_SECRET: "short" })).toThrow(/at least 32 characters/);
    expect(() => readSettings(without("DATA_KEY"))).toThrow(/DATA_KEY is missing/);
    expect(() => readSettings({ ...env, DATA_KEY: "short" })).toThrow(/DATA_KEY must hold at least 32 characters/);
    expect(() => readSettings({ ...env, DATA_KEY_FORMER: "short" })).toThrow(
      /DATA_KEY_FORMER must hold at least 32 characters/,
    );
    expect(readSettings({ ...env, DATA_KEY_FORMER: "" }).formerDataKey).toBe("");
  });

  it("the first administrator needs a username and a password of 8 characters, or neither", () => {
    const admin = (username: string, password: string) =>
      readSettings({ ...env, ADMIN_USERNAME: username, ADMIN_PASSWORD: password }).admin;
    expect(admin("root", "eight888")).toMatchObject({ username: "root", password: "eight888" });
    expect(admin("", "")).toBeNull();
    for (const [username, password] of [
      ["root", "seven77"],
      ["root", ""],
      [" ", "eight888"],
    ] as const) {
      expect(() => admin(username, password)).toThrow(/ADMIN_USERNAME and ADMIN_PASSWORD/);
    }
  });

  it("links by mail are on unless they are switched off, and providers are checked", () => {
    expect(readSettings(env).mailLinks).toBe(true);
    expect(readSettings(without("MAIL_LINKS")).mailLinks).toBe(true);
    expect(readSettings({ ...env, MAIL_LINKS: "off" }).mailLinks).toBe(false);
    expect(() => readSettings({ ...env, MAIL_LINKS: "no" })).toThrow(/MAIL_LINKS must be on or off/);
    expect(() => readSettings({ ...env, LOGIN_PROVIDERS: "no" })).toThrow(/LOGIN_PROVIDERS must be a JSON array/);
    expect(readSettings(env).providers).toEqual([]);
  });

  it("billing uses Stripe if a key is set, and manual mode only if configured", () => {
    const mode = (more: Partial<Env>) => readSettings({ ...env, ...more }).billing.mode;
    const keys = { STRIPE_SECRET_KEY: "sk", STRIPE_WEBHOOK_SECRET: "whsec" };
    expect(mode({ BILLING: "manual", ...keys })).toBe("stripe");
    expect(mode({ BILLING: "manual" })).toBe("manual");
    expect(mode({ BILLING: "stripe" })).toBe("off");
    expect(() => mode({ STRIPE_SECRET_KEY: "sk", STRIPE_WEBHOOK_SECRET: "" })).toThrow(/STRIPE_WEBHOOK_SECRET/);
  });

  it("a request carries 17 to 5000 MB, in whole megabytes of a million bytes [SEND-10]", () => {
    expect(readSettings({ ...env, MAX_REQUEST_MB: "100" }).maxRequestBytes).toBe(100_000_000);
    expect(readSettings({ ...env, MAX_REQUEST_MB: "17" }).maxRequestBytes).toBe(17_000_000);
    expect(readSettings({ ...env, MAX_REQUEST_MB: "5000" }).maxRequestBytes).toBe(5_000_000_000);
    for (const wrong of ["16", "5001", "99.5", "1e2", "-100", "100 MB"]) {
      expect(() => readSettings({ ...env, MAX_REQUEST_MB: wrong })).toThrow(/MAX_REQUEST_MB must be a whole number/);
    }
    expect(() => readSettings(without("MAX_REQUEST_MB"))).toThrow(/MAX_REQUEST_MB is missing/);
  });

  it("the log of uploads and rows of ended files are kept for 7 to 3650 whole days", () => {
    const day = 86_400_000;
    expect(readSettings(env)).toMatchObject({ uploadLogMs: 90 * day, endedFileMs: 30 * day });
    expect(readSettings({ ...env, UPLOAD_LOG_DAYS: "7", ENDED_FILE_DAYS: "3650" })).toMatchObject({
      uploadLogMs: 7 * day,
      endedFileMs: 3650 * day,
    });
    for (const name of ["UPLOAD_LOG_DAYS", "ENDED_FILE_DAYS"] as const) {
      for (const wrong of ["6", "3651", "30.5", "1e2", "-30", "30 days"]) {
        expect(() => readSettings({ ...env, [name]: wrong })).toThrow(
          `${name}: ${name} must be a whole number from 7 to 3650`,
        );
      }
      expect(() => readSettings(without(name))).toThrow(`${name} is missing`);
    }
  });

  it("the database is full at 1 to 1000000 MB, in whole megabytes of a million bytes", () => {
    expect(readSettings(env).databaseLimitBytes).toBe(10_000_000_000);
    expect(readSettings({ ...env, DATABASE_LIMIT_MB: "500" }).databaseLimitBytes).toBe(500_000_000);
    for (const wrong of ["0", "1000001", "9.5", "10 GB"]) {
      expect(() => readSettings({ ...env, DATABASE_LIMIT_MB: wrong })).toThrow(
        "DATABASE_LIMIT_MB: DATABASE_LIMIT_MB must be a whole number from 1 to 1000000",
      );
    }
    expect(() => readSettings(without("DATABASE_LIMIT_MB"))).toThrow("DATABASE_LIMIT_MB is missing");
  });

  it("the provider's mails of a day are a whole number, and 0 says that it is not known", () => {
    expect(readSettings(env).mail.mailsADay).toBeNull();
    expect(readSettings({ ...env, MAILS_A_DAY: "3000" }).mail.mailsADay).toBe(3000);
    for (const wrong of ["-1", "1.5", "10000001", "many"]) {
      expect(() => readSettings({ ...env, MAILS_A_DAY: wrong })).toThrow(
        "MAILS_A_DAY: MAILS_A_DAY must be a whole number from 0 to 10000000",
      );
    }
  });

  it("the origin has no path", () => {
    expect(readSettings({ ...env, APP_ORIGIN: "https://files.example.com/" }).origin).toBe("https://files.example.com");
  });
});

it("objects are made in the EU's jurisdiction where the data is, and nowhere else", () => {
  const asked: string[] = [];
  // The local runtime has no jurisdictions.
  const namespace = withMethod(env.SOCKETS, "jurisdiction", (name: string) => {
    asked.push(name);
    return env.SOCKETS;
  });
  for (const DATA_LOCATION of ["", "weur", "enam"])
    expect(inJurisdiction({ DATA_LOCATION }, namespace)).toBe(namespace);
  expect(asked).toEqual([]);
  expect(inJurisdiction({ DATA_LOCATION: "eu" }, namespace)).toBe(env.SOCKETS);
  expect(asked).toEqual(["eu"]);
  expect(() => readSettings({ ...env, DATA_LOCATION: "mars" })).toThrow(
    "DATA_LOCATION: DATA_LOCATION must be eu, weur, eeur, apac, oc, wnam, enam, or empty",
  );
});
