import { expect, it } from "vitest";
import { Concurrency, CONNECTIONS_TO_A_HOST } from "#engine/concurrency.ts";

it("a file begins with six parts at the same time, a transfer with four", () => {
  expect(new Concurrency(CONNECTIONS_TO_A_HOST).limit).toBe(6);
  expect(new Concurrency().limit).toBe(4);
});

it("one failure leaves the number, and a second within ten seconds halves it [UP-29]", () => {
  const concurrency = new Concurrency(6);
  concurrency.recordFailure(0);
  expect(concurrency.limit).toBe(6);
  concurrency.recordFailure(10_000);
  expect(concurrency.limit).toBe(3);
});

it("failures with more than ten seconds between them leave the number", () => {
  const concurrency = new Concurrency(6);
  for (const now of [0, 10_001, 20_002, 30_003]) concurrency.recordFailure(now);
  expect(concurrency.limit).toBe(6);
});

it("the number never falls below one", () => {
  const concurrency = new Concurrency(6);
  for (let now = 0; now < 10; now += 1) concurrency.recordFailure(now);
  expect(concurrency.limit).toBe(1);
});

it("the number rises while throughput does, up to eight", () => {
  const concurrency = new Concurrency(6);
  let now = 0;
  for (let window = 1; window <= 12; window += 1) {
    for (let part = 0; part < 9; part += 1) {
      now += 250;
      concurrency.recordSuccess(1_000_000 * 2 ** window, now);
    }
  }
  expect(concurrency.limit).toBe(8);
});

/** Twelve windows of throughput that does not rise. */
function fullLine(concurrency: Concurrency, from = 0): void {
  let now = from;
  for (let part = 0; part < 12 * 9; part += 1) {
    now += 250;
    concurrency.recordSuccess(1_000_000, now);
  }
}

it("a full line does not lower the number", () => {
  const concurrency = new Concurrency(6);
  const limits = new Set<number>();
  for (let round = 0; round < 10; round += 1) {
    fullLine(concurrency, round * 100_000);
    limits.add(concurrency.limit);
  }
  expect(Math.min(...limits)).toBe(6);
});

it("after failures the number comes back to where it began", () => {
  const concurrency = new Concurrency(6);
  for (const now of [0, 1, 2, 3]) concurrency.recordFailure(now);
  expect(concurrency.limit).toBe(1);
  fullLine(concurrency, 4);
  expect(concurrency.limit).toBeGreaterThanOrEqual(6);
});
