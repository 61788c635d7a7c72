import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { withLocalAddress } from "#worker/local-address.ts";

/** The environment with neither address set. */
function unset(changes: Partial<Env> = {}): Env {
  return { ...env, APP_ENV: "development", APP_ORIGIN: "", S3_ENDPOINT: "", ...changes };
}

function addressesAt(given: Env, url: string): [string, string] {
  const { APP_ORIGIN, S3_ENDPOINT } = withLocalAddress(given, new Request(url));
  return [APP_ORIGIN, S3_ENDPOINT];
}

describe("in local development", () => {
  it.each([
    "http://localhost:8787",
    "http://127.0.0.1:9000",
    "http://[::1]:8787",
    "http://mayfly.localhost:8787",
    "https://localhost",
  ])("addresses that are empty follow from %s", (origin) => {
    expect(addressesAt(unset(), `${origin}/pricing?plan=1`)).toEqual([origin, `${origin}/cdn-cgi/local/r2/s3`]);
  });

  it("an address that is set stays as it is", () => {
    const [own, store] = ["http://localhost:1", "http://localhost:2"];
    const at = "http://localhost:8787";
    expect(addressesAt(unset({ APP_ORIGIN: own }), at)).toEqual([own, `${at}/cdn-cgi/local/r2/s3`]);
    expect(addressesAt(unset({ S3_ENDPOINT: store }), at)).toEqual([at, store]);
    expect(addressesAt(unset({ APP_ORIGIN: own, S3_ENDPOINT: store }), at)).toEqual([own, store]);
  });

  it("the environment stays the same object while the address does", () => {
    const given = unset();
    const first = withLocalAddress(given, new Request("http://localhost:8787/a"));
    expect(withLocalAddress(given, new Request("http://localhost:8787/b"))).toBe(first);
    expect(withLocalAddress(given, new Request("http://localhost:8788/b"))).not.toBe(first);
  });

  it("the cron takes the address that was opened last", () => {
    const given = unset();
    expect(withLocalAddress(given, null)).toBe(given);
    withLocalAddress(given, new Request("http://localhost:8787"));
    expect(withLocalAddress(given, null).APP_ORIGIN).toBe("http://localhost:8787");
  });
});

describe("elsewhere", () => {
  it.each(["production", "test", ""])("nothing follows from a request where APP_ENV is %j", (appEnv) => {
    const given = unset({ APP_ENV: appEnv });
    expect(withLocalAddress(given, new Request("http://localhost:8787"))).toBe(given);
  });

  it.each([
    "https://files.example.com",
    "http://192.168.0.2:8787",
    "https://localhost.example.com",
    "https://notlocalhost",
    "http://127.0.0.1.example.com",
  ])("nothing follows from %s, even in development", (origin) => {
    const given = unset();
    expect(withLocalAddress(given, new Request(origin))).toBe(given);
  });
});
