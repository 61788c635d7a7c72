import { MIB, SECOND_MS } from "#domain/units.ts";

/** The number of measurements for a figure. Their median is the figure. */
const DEFAULT_ROUNDS = 3;

/** Prepares some work, which is not measured, and returns the work and its cleanup. */
export type Setup = () => Promise<{ run(): Promise<void>; clear(): Promise<void> }>;

export function withoutSetup(run: () => Promise<void>): Setup {
  return () => Promise.resolve({ run, clear: () => Promise.resolve() });
}

export function inParallel(count: number, way: Setup): Setup {
  return async () => {
    const prepared = await Promise.all(Array.from({ length: count }, way));
    return {
      run: async () => {
        await Promise.all(prepared.map(({ run }) => run()));
      },
      clear: async () => {
        await Promise.all(prepared.map(({ clear }) => clear()));
      },
    };
  };
}

/**
 * Measures alternatives in turns, so that other load of the machine affects all of them.
 * @returns the median of each alternative, in milliseconds
 */
export async function measureInTurns<Name extends string>(
  ways: Record<Name, Setup>,
  rounds = DEFAULT_ROUNDS,
): Promise<Record<Name, number>> {
  const names = Object.keys(ways) as Name[];
  const durations = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const { run, clear } = await ways[name]();
      const started = performance.now();
      await run();
      durations.get(name)?.push(performance.now() - started);
      await clear();
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(durations.get(name) ?? [])])) as Record<Name, number>;
}

/** @returns the median; for an even number of values, the upper of the two in the middle */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** A line of the table. `floorMs` is null if there is no floor. */
export interface Row {
  what: string;
  /** The bytes that were moved; absent if the time itself is the figure. */
  sizeBytes?: number;
  productMs: number;
  floorMs: number | null;
}

/** A line of the table that is not a time. A larger figure is better, so the ratio is inverted. */
export interface Count {
  what: string;
  unit: string;
  product: number;
  floor: number | null;
}

/** Formats the lines, with the share of the floor's speed. MB/s are base 1024. */
export function table(lines: (Row | Count)[]): string {
  return align([["", "product", "floor", "ratio"], ...lines.map((line) => cellsOf(line))]);
}

function cellsOf(line: Row | Count): string[] {
  const isCount = "unit" in line;
  const [product, floor] = isCount ? [line.product, line.floor] : [line.productMs, line.floorMs];
  const format = (value: number) => (isCount ? `${value.toFixed(0)} ${line.unit}` : figure(value, line.sizeBytes));
  if (floor === null) return [line.what, format(product), "", ""];
  return [line.what, format(product), format(floor), (isCount ? product / floor : floor / product).toFixed(2)];
}

function figure(durationMs: number, sizeBytes?: number): string {
  if (sizeBytes === undefined) return `${durationMs.toFixed(1)} ms`;
  return `${(sizeBytes / MIB / (durationMs / SECOND_MS)).toFixed(0)} MB/s`;
}

/** Columns of one width; the first is flush left. */
export function align(lines: string[][]): string {
  const width = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(width(column)) : cell.padStart(width(column));
  return lines.map((line) => line.map(pad).join("   ")).join("\n");
}
