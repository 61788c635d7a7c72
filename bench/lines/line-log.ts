import type { PlannedFault } from "./plan.ts";

export type Direction = "up" | "down";

/**
 * What one target's connections carried in one direction, since the log was begun. Moments are milliseconds of the
 * clock of `performance.timeOrigin`.
 */
export interface Carried {
  /** Bytes in bodies: requests and answers of a few kilobytes are left out. */
  bodyBytes: number;
  firstAt: number | null;
  lastAt: number | null;
  /** All bytes, counted for each ten milliseconds since the Unix epoch. */
  bins: [number, number][];
}

export interface LineLog {
  /** The log of each target, in each direction. */
  carried: Record<string, Record<Direction, Carried>>;
  /** When the first byte of a body came, with which the clock of faults and rates begins. */
  beganAt: number | null;
  /** The faults that happened, in milliseconds after `beganAt`. */
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
