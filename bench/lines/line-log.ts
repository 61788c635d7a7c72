import type { PlannedFault } from "./plan.ts";

export type Direction = "up" | "down";

/** What one target's connections carried in one direction, since the log was begun. Moments are milliseconds of `performance.timeOrigin`'s clock. */
export interface Carried {
  /** In bodies: requests and answers of a few kilobytes are left out. */
  bodyBytes: number;
  firstAt: number | null;
  lastAt: number | null;
  /** Bytes of everything, by ten milliseconds since the Unix epoch. */
  bins: [number, number][];
}

export interface LineLog {
  /** By target, then direction. */
  carried: Record<string, Record<Direction, Carried>>;
  /** When the clock of faults and rates began: the first byte of a body. */
  beganAt: number | null;
  /** What happened, milliseconds after it. */
  faults: PlannedFault[];
}

/** A log in which nothing has happened. */
export function emptyLog(): LineLog {
  return { carried: {}, beganAt: null, faults: [] };
}

/** What a door has carried before its first byte. */
export function nothingCarried(): Carried {
  return { bodyBytes: 0, firstAt: null, lastAt: null, bins: [] };
}
