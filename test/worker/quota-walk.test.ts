import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { MIB } from "#domain/units.ts";
import { QuotaWalk, type QuotaStep } from "../support/quota-walk.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- how generated Env types are extended
  namespace Cloudflare {
    interface Env {
      QUOTA_WALKS: string;
    }
  }
}

const WALKS = Number(env.QUOTA_WALKS);

const which = fc.nat(9);
/** A few bytes are really sent. Half a gigabyte is announced, so that a few starts fill the free plan's two. */
const sizeBytes = fc.constantFrom(1, 7, 10, 10, 300 * MIB, 500 * MIB);
const where = fc.constantFrom("file", "transfer", "request", "request", "request");
const bytesOrAny = fc.constantFrom(null, 5, 20, 30, 600 * MIB, 1000 * MIB);
const start = fc.record({
  do: fc.constant("start" as const),
  where,
  sizeBytes,
  atOnce: fc.constantFrom(1, 1, 1, 2, 4),
});
const step: fc.Arbitrary<QuotaStep> = fc.oneof(
  { weight: 10, arbitrary: start },
  {
    weight: 1,
    // Calls to storage are repeated before they fail, which takes a second.
    arbitrary: fc.record({ do: fc.constant("startWithoutStorage" as const), where, sizeBytes }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("grow" as const), which, addedBytes: sizeBytes }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("finish" as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("fail" as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("cancel" as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("delete" as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("refuse" as const), which, closes: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("endMonth" as const), withCron: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ do: "cron" as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("change" as const), closed: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      mostBytes: bytesOrAny,
      mostTransfers: fc.constantFrom(null, null, 1, 3, 8),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "replaceRequest" as const }) },
);

/** Comes to every outcome, whatever the random ones come to. */
const EVERYTHING: QuotaStep[] = [
  { do: "start", where: "transfer", sizeBytes: 10, atOnce: 1 },
  { do: "grow", which: 0, addedBytes: 7 },
  { do: "finish", which: 0 },
  { do: "start", where: "request", sizeBytes: 500 * MIB, atOnce: 1 },
  { do: "change", mostBytes: null, mostTransfers: null },
  { do: "start", where: "request", sizeBytes: 500 * MIB, atOnce: 4 },
  { do: "start", where: "file", sizeBytes: 300 * MIB, atOnce: 1 },
  { do: "cancel", which: 0 },
  { do: "finish", which: 0 },
  { do: "refuse", which: 0, closes: false },
  { do: "change", mostBytes: 1000 * MIB, mostTransfers: null },
  { do: "grow", which: 0, addedBytes: 500 * MIB },
  { do: "cancel", which: 0 },
  { do: "start", where: "file", sizeBytes: 10, atOnce: 1 },
  { do: "fail", which: 0 },
  { do: "start", where: "file", sizeBytes: 10, atOnce: 1 },
  { do: "finish", which: 1 },
  { do: "delete", which: 0 },
  { do: "change", closed: true },
  { do: "start", where: "request", sizeBytes: 1, atOnce: 1 },
  { do: "change", closed: false },
  { do: "start", where: "request", sizeBytes: 1, atOnce: 1 },
  { do: "endMonth", withCron: false },
  { do: "grow", which: 0, addedBytes: 1 },
  { do: "start", where: "request", sizeBytes: 1, atOnce: 2 },
  { do: "endMonth", withCron: true },
];

it("months and requests have what their rows say, and start what fits, in random walks [REQ-2]", async () => {
  const spies = (["log", "warn", "error"] as const).map((level) => vi.spyOn(console, level).mockReturnValue());
  const steps = fc.array(step, { minLength: 25, maxLength: 40, size: "max" });
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const walk = await QuotaWalk.begin();
      for (const one of taken) for (const outcome of await walk.take(one)) seen.add(outcome);
    }),
    { numRuns: WALKS, seed: 1, examples: [[EVERYTHING]] },
  );
  for (const spy of spies) spy.mockRestore();
  expect([...seen].sort()).toEqual([
    "cancelled",
    "deleted",
    "failed",
    "finished",
    "grown",
    "month ended",
    "not grown",
    "refused",
    "request closed",
    "request full",
    "started",
  ]);
}, 3_600_000);
