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

  it("gives an origin without a path, which links are built on", () => {
    expect(readSettings({ ...env, APP_ORIGIN: "https://files.example.com/" }).origin).toBe("https://files.example.com");
  });
});
