import { SECOND_MS } from "#domain/units.ts";
import { Seeded } from "../../soak/seeded.ts";
import type { LineShape } from "./shapes.ts";

/** A fault with its moment, milliseconds after the first byte of a body. */
export interface PlannedFault {
  kind: "resets" | "stall" | "outage";
  atMs: number;
  /** How long the fault lasts; 0 for a reset. */
  lastsMs: number;
}

/** How long faults are planned for. */
const PLANNED_MS = 300 * SECOND_MS;
/** A fault's moment differs from the time that its line names by at most this share. */
const SCATTER = 0.25;

/** @returns the faults of a line in their order. The same seed gives the same faults */
export function planFaults({ faults }: Pick<LineShape, "faults">, seed: string): PlannedFault[] {
  const random = new Seeded(seed);
  const near = (ms: number, rangeMs: number) => random.between(Math.round(ms - rangeMs), Math.round(ms + rangeMs));
  const planned = faults.flatMap((fault): PlannedFault[] => {
    if (fault.kind !== "resets") {
      const { kind, aboutMs, lastsMs } = fault;
      return [{ kind, lastsMs, atMs: near(aboutMs, aboutMs * SCATTER) }];
    }
    const { kind, everyMs } = fault;
    const count = Math.floor(PLANNED_MS / everyMs);
    return Array.from({ length: count }, (_, index) => ({
      kind,
      lastsMs: 0,
      // The first reset comes half a period after the beginning, so that short transfers have one, too.
      atMs: near((index + 0.5) * everyMs, everyMs * SCATTER),
    }));
  });
  return planned.sort((a, b) => a.atMs - b.atMs);
}

/** @returns the rate in megabits a second, `elapsedMs` after the first byte */
export function rateAt({ rates }: Pick<LineShape, "rates">, elapsedMs: number): number {
  return rates.findLast(({ fromMs }) => fromMs <= elapsedMs)?.megabits ?? rates[0]?.megabits ?? 0;
}

/**
 * What a line could have carried in one direction.
 * @param fromMs and `toMs`: after the first byte
 * @returns bytes
 */
export function capacityBytes(
  shape: Pick<LineShape, "rates">,
  outages: readonly Pick<PlannedFault, "atMs" | "lastsMs">[],
  fromMs: number,
  toMs: number,
): number {
  const edges = [
    fromMs,
    toMs,
    ...shape.rates.map((rate) => rate.fromMs),
    ...outages.flatMap(({ atMs, lastsMs }) => [atMs, atMs + lastsMs]),
  ]
    .filter((edge) => edge >= fromMs && edge <= toMs)
    .sort((a, b) => a - b);
  let bytes = 0;
  for (const [index, edge] of edges.entries()) {
    const next = edges[index + 1] ?? edge;
    const isOut = outages.some(({ atMs, lastsMs }) => edge >= atMs && edge < atMs + lastsMs);
    if (!isOut) bytes += ((next - edge) / SECOND_MS) * bytesPerSecond(rateAt(shape, edge));
  }
  return bytes;
}

/** @param megabits base 1000 */
export function bytesPerSecond(megabits: number): number {
  return (megabits * 1_000_000) / 8;
}
