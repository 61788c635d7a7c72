import { describe, expect, it } from "vitest";
import {
  automaticHours,
  DEFAULT_EXPIRATION,
  EXPIRATIONS,
  expirationLabel,
  expiresAt,
  isExpired,
  isWithin,
  shortestExpirationOf,
  type Expiration,
} from "#domain/expiry.ts";

const MB = 1024 * 1024;
const HOUR = 3_600_000;
const FROM = Date.UTC(2028, 1, 28, 12, 34, 56, 789);

describe("the expirations", () => {
  it.each<[Expiration, string, number | null]>([
    ["3m", "3 minutes", 3 * 60_000],
    ["6h", "6 hours", 6 * HOUR],
    ["1d", "1 day", 24 * HOUR],
    ["3d", "3 days", 72 * HOUR],
    ["7d", "7 days", 7 * 24 * HOUR],
    ["30d", "30 days", 30 * 24 * HOUR],
    ["60d", "60 days", 60 * 24 * HOUR],
    ["1y", "1 year", 365 * 24 * HOUR],
    ["never", "Keep Forever", null],
  ])("%s is shown as '%s' and expires after its time [CONST-12, UP-4]", (expiration, label, ttlMs) => {
    expect(expirationLabel(expiration)).toBe(label);
    const ends = expiresAt({ expiration, expirationChosen: true, sizeBytes: 1 }, FROM);
    expect(ends).toBe(ttlMs === null ? null : FROM + ttlMs);
  });

  it("are nine, shortest first, with three days as the default [CONST-12]", () => {
    expect(EXPIRATIONS).toEqual(["3m", "6h", "1d", "3d", "7d", "30d", "60d", "1y", "never"]);
    expect(DEFAULT_EXPIRATION).toBe("3d");
  });

  it("each include all shorter ones", () => {
    EXPIRATIONS.forEach((longest, most) => {
      EXPIRATIONS.forEach((expiration, index) => {
        expect(isWithin(expiration, longest)).toBe(index <= most);
      });
    });
  });
});

describe("an exact end", () => {
  it.each([0, 500 * MB])("decides for a file of %d bytes, whatever the expiration says [END-1]", (sizeBytes) => {
    const chosenEndMs = FROM + 5 * HOUR + 7;
    for (const expiration of EXPIRATIONS) {
      const lifetime = { expiration, expirationChosen: true, chosenEndMs, sizeBytes };
      expect(expiresAt(lifetime, FROM)).toBe(chosenEndMs);
      expect(expiresAt(lifetime, chosenEndMs + HOUR)).toBe(chosenEndMs);
    }
  });

  it.each<[number, Expiration]>([
    [1, "3m"],
    [3 * 60_000, "3m"],
    [3 * 60_000 + 1, "6h"],
    [24 * HOUR, "1d"],
    [72 * HOUR, "3d"],
    [72 * HOUR + 1, "7d"],
    [60 * 24 * HOUR, "60d"],
    [60 * 24 * HOUR + 1, "1y"],
    [365 * 24 * HOUR, "1y"],
    [365 * 24 * HOUR + 1, "never"],
  ])("%d ms ahead needs a plan with the expiration %s [END-2]", (ms, expiration) => {
    expect(shortestExpirationOf(ms)).toBe(expiration);
  });
});

describe("a large file on the default expiry", () => {
  it.each([
    [0, null],
    [100 * MB - 1, null],
    [100 * MB, null],
    [100 * MB + 1, 2],
    [200 * MB, 2],
    [200 * MB + 1, 3],
    [500 * MB, 5],
    [10 * 1024 * MB, 103],
    [50 * 1024 * MB, 512],
  ])("of %d bytes is kept for %j hours", (sizeBytes, hours) => {
    const lifetime = { expiration: "3d", expirationChosen: false, sizeBytes } as const;
    expect(automaticHours(lifetime)).toBe(hours);
    expect(expiresAt(lifetime, FROM)).toBe(FROM + (hours ?? 72) * HOUR);
  });

  it("is kept for three days when the person chose three days", () => {
    const lifetime = { expiration: "3d", expirationChosen: true, sizeBytes: 500 * MB } as const;
    expect(automaticHours(lifetime)).toBeNull();
    expect(expiresAt(lifetime, FROM)).toBe(FROM + 72 * HOUR);
  });

  it.each(EXPIRATIONS.filter((expiration) => expiration !== "3d"))("has no automatic expiry with %s", (expiration) => {
    for (const expirationChosen of [true, false]) {
      expect(automaticHours({ expiration, expirationChosen, sizeBytes: 500 * MB })).toBeNull();
    }
  });
});

describe("the expiry time", () => {
  it("counts from its very millisecond on", () => {
    expect(isExpired(FROM, FROM - 1)).toBe(false);
    expect(isExpired(FROM, FROM)).toBe(true);
    expect(isExpired(FROM, FROM + 1)).toBe(true);
  });

  it("does not exist for a file that is kept forever", () => {
    expect(isExpired(null, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
