import { KIB } from "#domain/units.ts";

/** A chart is 11 rem high, and a label needs 28 px. */
const MOST_STEPS = 4;

/** Below a unit of 1,024 smaller ones. The last two lead to it without a fraction: 256, 512, 768, 1 GB. */
const BYTE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 256, 512];
const COUNT_STEPS = [1, 2, 5];

/** Values that are marked beside a chart, from 0 to the first that nothing exceeds. @param most the highest value, bytes */
export function byteTicks(most: number): number[] {
  return ticks(most, BYTE_STEPS, KIB);
}

/** As `byteTicks`, of what is counted. */
export function countTicks(most: number): number[] {
  return ticks(most, COUNT_STEPS, 10);
}

function ticks(most: number, steps: readonly number[], unitFactor: number): number[] {
  for (let unit = 1; ; unit *= unitFactor) {
    const step = steps.map((count) => count * unit).find((size) => most <= MOST_STEPS * size);
    if (step === undefined) continue;
    const count = Math.max(1, Math.ceil(most / step));
    return Array.from({ length: count + 1 }, (_, index) => index * step);
  }
}
