import { describe, expect, it } from "vitest";
import { longestExpirationWithin } from "#domain/expiry.ts";
import { chosenExpiration, collectChoices, sendChoices } from "#domain/wire.ts";

const DAY_MS = 86_400_000;
const collect = (headers: Record<string, string>, query = {}, fields = {}) =>
  collectChoices((name) => headers[name.toLowerCase()], query, fields);

describe("the choices of a program", () => {
  it("come from headers, before the query, before fields", () => {
    const all = { expires: "6h", name: "field.txt", to: "a@b.example" };
    expect(collect({ "mayfly-expires": "1d" }, { expires: "3d", name: "query.txt" }, all)).toEqual({
      expires: "1d",
      name: "query.txt",
      to: "a@b.example",
    });
    expect(collect({}, {}, {})).toEqual({});
  });

  it("have an exact end, whose header has a hyphen [END-1]", () => {
    const [expiresAt, other] = ["2026-12-04T17:00:00Z", "2026-12-05T17:00:00Z"];
    expect(collect({ "mayfly-expires-at": expiresAt }, { expiresAt: other })).toEqual({ expiresAt });
    expect(collect({ "mayfly-expiresat": other }, { expiresAt }, { expiresAt: other })).toEqual({ expiresAt });
    expect(collect({}, {}, { expiresAt })).toEqual({ expiresAt });
    expect(sendChoices.safeParse({ expiresAt: "tomorrow" }).success).toBe(false);
  });

  it("ignore what nobody can choose", () => {
    expect(collect({ authorization: "Bearer x", "mayfly-max-days": "3" }, { page: "1", "mayfly-name": "x" })).toEqual(
      {},
    );
  });

  it.each([
    ["añejo.txt", "añejo.txt"],
    ["a\u00c3\u00b1ejo.txt", "añejo.txt"],
    ["\u00f0\u009f\u00a5\u0083", "🥃"],
    ["caf\u00e9", "café"],
    ["plain", "plain"],
    ["日本.txt", "日本.txt"],
  ])("in a header %j read %j", (header, text) => {
    expect(collect({ "mayfly-name": header })).toEqual({ name: text });
  });

  it.each([
    [{ expires: "2d" }],
    [{ "max-days": "0" }],
    [{ "max-days": "-1" }],
    [{ "max-days": "1.5" }],
    [{ downloads: "0" }],
    [{ downloads: "1001" }],
    [{ "max-downloads": "many" }],
    [{ password: "12345" }],
    [{ name: "a/b" }],
    [{ to: "nobody" }],
  ])("are refused when they are %j", (choices) => {
    expect(sendChoices.safeParse(choices).success).toBe(false);
  });

  it("name an expiry or a number of days", () => {
    expect(chosenExpiration({})).toBeNull();
    expect(chosenExpiration({ "max-days": 14 })).toBe("7d");
    expect(chosenExpiration({ "max-days": 14, expires: "1d" })).toBe("1d");
  });
});

describe("the longest expiry within a time", () => {
  it.each([
    [1, "1d"],
    [2, "1d"],
    [3, "3d"],
    [7, "7d"],
    [29, "7d"],
    [364, "60d"],
    [365, "1y"],
    [100_000, "1y"],
    [0, "3m"],
  ])("of %i days is %s", (days, expiration) => {
    expect(longestExpirationWithin(days * DAY_MS)).toBe(expiration);
  });
});
