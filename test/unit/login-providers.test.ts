import { describe, expect, it } from "vitest";
import { readProviders } from "#worker/login-providers.ts";

const WORK = { name: "work", label: "Work", issuer: "https://login.example.com/", clientId: "a", clientSecret: "b" };
const read = (...providers: unknown[]) => readProviders(JSON.stringify(providers), "production");

describe("LOGIN_PROVIDERS", () => {
  it("may be empty", () => {
    expect(readProviders("", "production")).toEqual([]);
    expect(read()).toEqual([]);
  });

  it("trusts addresses only where it says so, and of Google", () => {
    const google = { ...WORK, name: "google", issuer: "https://accounts.google.com" };
    const trusted = read(WORK, google, { ...WORK, name: "ours", trustsEmail: true });
    expect(trusted.map(({ name, issuer, kind, trustsEmail }) => [name, issuer, kind, trustsEmail])).toEqual([
      ["work", "https://login.example.com/", "openid", false],
      ["google", "https://accounts.google.com", "openid", true],
      ["ours", "https://login.example.com/", "openid", true],
    ]);
  });

  it.each([
    ["no JSON", "{"],
    ["an object", "{}"],
    ["a name with a slash", JSON.stringify([{ ...WORK, name: "a/b" }])],
    ["no client id", JSON.stringify([{ ...WORK, clientId: "" }])],
    ["an unknown field", JSON.stringify([{ ...WORK, trustEmail: true }])],
    ["two of the same name", JSON.stringify([WORK, WORK])],
    ["the name of passwords", JSON.stringify([{ ...WORK, name: "credential" }])],
    ["an issuer without encryption", JSON.stringify([{ ...WORK, issuer: "http://login.example.com" }])],
  ])("with %s is refused, and the message has no secret", (_what, text) => {
    expect(() => readProviders(text, "production")).toThrow(/^LOGIN_PROVIDERS/);
    expect(() => readProviders(text, "production")).not.toThrow(/clientSecret":/);
  });

  it("takes an issuer without encryption in development", () => {
    const text = JSON.stringify([{ ...WORK, issuer: "http://localhost:4000" }]);
    expect(readProviders(text, "development")).toHaveLength(1);
  });
});
