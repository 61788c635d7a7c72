import { describe, expect, it } from "vitest";
import { EXPIRATIONS, type Expiration } from "#domain/expiry.ts";
import { MAX_FILE_BYTES, planParts, SERVER_PART_BYTES } from "#domain/parts.ts";
import {
  allowsExpiration,
  expirationOptions,
  LARGEST_FILE_BYTES,
  limitFor,
  planOf,
  PLANS,
  cheapestPlanAllowing,
  type PlanId,
} from "#domain/plans.ts";
import { MAX_ENTRIES } from "#domain/transfers/limits.ts";

const MB = 1024 ** 2;
const GB = 1024 ** 3;
const TB = 1024 ** 4;

/** Decision 007: price in cents, file size, month, transfers, files in a transfer, longest expiry, stored bytes, API keys, open requests, recipients of a link. */
const TABLE: [PlanId, number, number, number, number, number, Expiration, number | null, number, number, number][] = [
  ["free", 0, 500 * MB, 2 * GB, 20, 1000, "3d", null, 5, 1, 20],
  ["professional", 999, 10 * GB, 100 * GB, 200, 10_000, "60d", null, 25, 20, 50],
  ["ultimate", 1999, 50 * GB, TB, 2000, 10_000, "never", 2 * TB, 25, 200, 50],
];

describe("the plans", () => {
  it("are three, cheapest first", () => {
    expect(PLANS.map(({ id }) => id)).toEqual(["free", "professional", "ultimate"]);
  });

  it.each(TABLE)(
    "%s has the decided numbers [CONST-1, CONST-2, CONST-3]",
    (id, priceUsdCents, fileSizeBytes, monthBytes, monthTransfers, ...rest) => {
      const [entries, longestExpiration, storedBytes, apiKeys, openRequests, recipients] = rest;
      expect(planOf(id)).toMatchObject({ id, priceUsdCents });
      expect(limitFor(id)).toEqual({
        fileSizeBytes,
        monthBytes,
        monthTransfers,
        entries,
        longestExpiration,
        storedBytes,
        apiKeys,
        openRequests,
        recipients,
      });
    },
  );

  it.each(PLANS)("$id takes no file that is too large for R2's number of parts with any transport", ({ limits }) => {
    expect(limits.fileSizeBytes).toBeLessThanOrEqual(MAX_FILE_BYTES);
    expect(planParts(limits.fileSizeBytes).partCount).toBeLessThanOrEqual(10_000);
    expect(limits.fileSizeBytes / SERVER_PART_BYTES).toBeLessThanOrEqual(10_000);
  });

  it.each(PLANS)("$id allows no transfer that is too large for its Durable Object", ({ limits }) => {
    expect(limits.entries).toBeLessThanOrEqual(MAX_ENTRIES);
  });

  it("take no file above 50 GB", () => {
    expect(LARGEST_FILE_BYTES).toBe(50 * GB);
  });
});

describe("the longest expiry of a plan", () => {
  it.each<[PlanId, number]>([
    ["free", 4],
    ["professional", 7],
    ["ultimate", 9],
  ])("%s allows the first %d expirations", (plan, open) => {
    expect(EXPIRATIONS.filter((expiration) => allowsExpiration(plan, expiration))).toEqual(EXPIRATIONS.slice(0, open));
  });

  it.each<[Expiration, PlanId]>([
    ["3d", "free"],
    ["7d", "professional"],
    ["60d", "professional"],
    ["1y", "ultimate"],
    ["never", "ultimate"],
  ])("the cheapest plan for %s is %s", (expiration, plan) => {
    expect(cheapestPlanAllowing(expiration).id).toBe(plan);
  });

  it("the dropdown shows every expiration, and locked ones with the plan they require [CONST-12, UP-5]", () => {
    const shown = expirationOptions("free").map(({ value, requiredPlan }) => [value, requiredPlan?.name ?? null]);
    expect(shown).toEqual([
      ["3m", null],
      ["6h", null],
      ["1d", null],
      ["3d", null],
      ["7d", "Professional"],
      ["30d", "Professional"],
      ["60d", "Professional"],
      ["1y", "Ultimate"],
      ["never", "Ultimate"],
    ]);
    expect(expirationOptions("ultimate").every(({ requiredPlan }) => requiredPlan === null)).toBe(true);
  });
});
