import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { withLocalOrigin } from "#worker/local-origin.ts";

function unset(changes: Partial<Env> = {}): Env {
  return { ...env, APP_ENV: "development", APP_ORIGIN: "", S3_ENDPOINT: "", ...changes };
}

function addressesAt(unfilled: Env, url: string): [string, string] {
  const { APP_ORIGIN, S3_ENDPOINT } = withLocalOrigin(unfilled, new Request(url));
  return [APP_ORIGIN, S3_ENDPOINT];
}

describe("in local development", () => {
  it.each([
    "http://localhost:8787",
    "http://127.0.0.1:9000",
    "http://[::1]:8787",
    "http://mayfly.localhost:8787",
    "https://localhost",
  ])("empty addresses are filled from %s", (origin) => {
    expect(addressesAt(unset(), `${origin}/pricing?plan=1`)).toEqual([origin, `${origin}/cdn-cgi/local/r2/s3`]);
  });

  it("configured addresses are not changed", () => {
    const [own, store] = ["http://localhost:1", "http://localhost:2"];
    const at = "http://localhost:8787";
    expect(addressesAt(unset({ APP_ORIGIN: own }), at)).toEqual([own, `${at}/cdn-cgi/local/r2/s3`]);
    expect(addressesAt(unset({ S3_ENDPOINT: store }), at)).toEqual([at, store]);
    expect(addressesAt(unset({ APP_ORIGIN: own, S3_ENDPOINT: store }), at)).toEqual([own, store]);
  });

  it("the environment stays the same object for the same origin", () => {
    const unfilled = unset();
    const first = withLocalOrigin(unfilled, new Request("http://localhost:8787/a"));
    expect(withLocalOrigin(unfilled, new Request("http://localhost:8787/b"))).toBe(first);
    expect(withLocalOrigin(unfilled, new Request("http://localhost:8788/b"))).not.toBe(first);
  });

  it("the cron uses the origin of the last request", () => {
    const unfilled = unset();
    expect(withLocalOrigin(unfilled, null)).toBe(unfilled);
    withLocalOrigin(unfilled, new Request("http://localhost:8787"));
    expect(withLocalOrigin(unfilled, null).APP_ORIGIN).toBe("http://localhost:8787");
  });
});

describe("outside local development", () => {
  it.each(["production", "test", ""])("nothing is filled in if APP_ENV is %j", (appEnv) => {
    const unfilled = unset({ APP_ENV: appEnv });
    expect(withLocalOrigin(unfilled, new Request("http://localhost:8787"))).toBe(unfilled);
  });

  it.each([
    "https://files.example.com",
    "http://192.168.0.2:8787",
    "https://localhost.example.com",
    "https://notlocalhost",
    "http://127.0.0.1.example.com",
  ])("nothing is filled from %s, even in development", (origin) => {
    const unfilled = unset();
    expect(withLocalOrigin(unfilled, new Request(origin))).toBe(unfilled);
  });
});
