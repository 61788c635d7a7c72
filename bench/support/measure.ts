import { MIB, SECOND_MS } from "#domain/units.ts";

/** Every figure is the median of so many measurements, unless something is too short for that. */
const DEFAULT_ROUNDS = 3;

/** One way to do a piece of work: gets ready off the clock, and says how to do it and how to clear up after it. */
export type Way = () => Promise<{ run(): Promise<void>; clear(): Promise<void> }>;

/** A way that has nothing to get ready and nothing to clear up. */
export function simply(run: () => Promise<void>): Way {
  return () => Promise.resolve({ run, clear: () => Promise.resolve() });
}

/** One way, so many times at once. */
export function together(count: number, way: Way): Way {
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
 * Measures ways of doing one thing in turns, since the machine may be busy for a while and should then be so for all.
 * @returns each way's median, milliseconds
 */
export async function inTurns<Name extends string>(
  ways: Record<Name, Way>,
  rounds = DEFAULT_ROUNDS,
): Promise<Record<Name, number>> {
  const names = Object.keys(ways) as Name[];
  const taken = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const { run, clear } = await ways[name]();
      const started = performance.now();
      await run();
      taken.get(name)?.push(performance.now() - started);
      await clear();
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(taken.get(name) ?? [])])) as Record<Name, number>;
}

/** The middle value; of an even number of values the upper middle one. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** One line of the table: a whole path beside its floor, which is null where there is none. */
export interface Row {
  what: string;
  /** Bytes that were moved; absent where time itself is the figure. */
  sizeBytes?: number;
  wholeMs: number;
  floorMs: number | null;
}

/** A line whose figures are no times. The more the better, so its ratio is the other way round. */
export interface Count {
  what: string;
  unit: string;
  whole: number;
  floor: number | null;
}

/** The lines as text, with the part of the floor's speed that each whole path reaches. MB/s are base 1024. */
export function table(lines: (Row | Count)[]): string {
  return align([["", "whole path", "floor", "ratio"], ...lines.map((line) => cellsOf(line))]);
}

function cellsOf(line: Row | Count): string[] {
  const isCount = "unit" in line;
  const [whole, floor] = isCount ? [line.whole, line.floor] : [line.wholeMs, line.floorMs];
  const format = (value: number) => (isCount ? `${value.toFixed(0)} ${line.unit}` : figure(value, line.sizeBytes));
  if (floor === null) return [line.what, format(whole), "", ""];
  return [line.what, format(whole), format(floor), (isCount ? whole / floor : floor / whole).toFixed(2)];
}

function figure(durationMs: number, sizeBytes?: number): string {
  if (sizeBytes === undefined) return `${durationMs.toFixed(1)} ms`;
  return `${(sizeBytes / MIB / (durationMs / SECOND_MS)).toFixed(0)} MB/s`;
}

/** Words to the left, figures to the right. */
function align(lines: string[][]): string {
  const width = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(width(column)) : cell.padStart(width(column));
  return lines.map((line) => line.map(pad).join("   ")).join("\n");
}
