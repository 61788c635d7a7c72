import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { readSettings } from "#worker/settings.ts";

/** The environment without one of its variables. */
function without(name: keyof Env): Env {
  const rest = { ...env, RATE_LIMITS: "on" };
  Reflect.deleteProperty(rest, name);
  return rest;
}

describe("the environment", () => {
  it("is production unless told otherwise", () => {
    expect(readSettings(without("APP_ENV")).appEnv).toBe("production");
    expect(readSettings({ ...env, APP_ENV: "development" }).appEnv).toBe("development");
    expect(() => readSettings({ ...env, APP_ENV: "prod" })).toThrow(/APP_ENV/);
  });

  it("is refused with the name of what is missing or wrong", () => {
    expect(() => readSettings(without("S3_ACCESS_KEY_ID"))).toThrow(/S3_ACCESS_KEY_ID/);
    expect(() => readSettings({ ...env, BETTER_AUTH_SECRET: "short" })).toThrow(/BETTER_AUTH_SECRET/);
    expect(() => readSettings({ ...env, APP_ORIGIN: "" })).toThrow(/APP_ORIGIN/);
  });

  it("chooses how plans are paid for: Stripe with its key, by hand only where that is said", () => {
    const mode = (more: Partial<Env>) => readSettings({ ...env, ...more }).billing.mode;
    const keys = { STRIPE_SECRET_KEY: "sk", STRIPE_WEBHOOK_SECRET: "whsec" };
    expect(mode({ BILLING: "manual", ...keys })).toBe("stripe");
    expect(mode({ BILLING: "manual" })).toBe("manual");
    expect(mode({ BILLING: "stripe" })).toBe("off");
    expect(() => mode({ STRIPE_SECRET_KEY: "sk", STRIPE_WEBHOOK_SECRET: "" })).toThrow(/STRIPE_WEBHOOK_SECRET/);
  });

  it("gives an origin without a path, which links are built on", () => {
    expect(readSettings({ ...env, APP_ORIGIN: "https://files.example.com/" }).origin).toBe("https://files.example.com");
  });
});
