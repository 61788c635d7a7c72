import type { PartPlan } from "./parts.ts";
import { MIB } from "./units.ts";

/**
 * A file that is stored as several objects, in run lengths: so many objects of so many bytes each, in the order of the
 * file (decision 055).
 */
export type ObjectLayout = readonly (readonly [count: number, bytes: number])[];

/**
 * Files from this size on are stored in segments. Of a smaller one nothing could be read much earlier, because six of its
 * parts are sent at the same time.
 */
export const SEGMENTED_FROM_BYTES = 64 * MIB;

/** No segment holds more than this share of the parts, rounded up. */
const LARGEST_SHARE = 1 / 100;

/**
 * The segments of a file as numbers of parts. They grow from one part at both ends: the first bytes can be read early, and
 * little is left to join after the last ones. None is large, because a reader lags behind by the largest one.
 */
export function planSegments(partCount: number): number[] {
  const most = Math.ceil(partCount * LARGEST_SHARE);
  const ramp: number[] = [];
  let left = partCount;
  for (let size = 1; size < most && left >= 4 * size + most; size *= 2) {
    ramp.push(size, size);
    left -= 4 * size;
  }
  const middle = Math.ceil(left / most);
  const smaller = Math.floor(left / middle);
  const larger = left - middle * smaller;
  return [
    ...ramp,
    ...Array.from({ length: middle }, (_, index) => smaller + (index < larger ? 1 : 0)),
    ...ramp.toReversed(),
  ];
}

/** The layout of a file in parts. */
export function layOutSegments(sizeBytes: number, { partSizeBytes, partCount }: PartPlan): ObjectLayout {
  const lengths = planSegments(partCount).map((parts) => parts * partSizeBytes);
  const last = lengths.length - 1;
  lengths[last] = (lengths[last] ?? 0) - (partCount * partSizeBytes - sizeBytes);
  return toLayout(lengths);
}

/** @param lengths of the objects, in bytes */
function toLayout(lengths: Iterable<number>): ObjectLayout {
  const runs: [number, number][] = [];
  for (const bytes of lengths) {
    const run = runs.at(-1);
    if (run?.[1] === bytes) run[0] += 1;
    else runs.push([1, bytes]);
  }
  return runs;
}

/** @returns the bytes of each object */
export function objectSizes(layout: ObjectLayout): number[] {
  return layout.flatMap(([count, bytes]) => Array.from({ length: count }, () => bytes));
}

/** A stretch of one object. */
export interface ObjectStretch {
  /** From 0. */
  object: number;
  offset: number;
  length: number;
}

/** Where the bytes of a file are that shares its numbered objects with other files. */
export interface Placed {
  /** The object that has the file's first byte; null for a file without bytes. */
  object: number | null;
  /** The position of that byte in the object. */
  offset: number;
  /** Of a file in segments, whose first object is `object`. Absent for a file that is in one object. */
  layout?: ObjectLayout;
}

/** As `stretchesIn`, of a placed file. */
export function* stretchesOf({ object, offset, layout }: Placed, from: number, to: number): Generator<ObjectStretch> {
  if (object === null || from >= to) return;
  if (!layout) yield { object, offset: offset + from, length: to - from };
  else for (const stretch of stretchesIn(layout, from, to)) yield { ...stretch, object: object + stretch.object };
}

/** @returns the numbers of the objects that have bytes of a placed file */
export function objectsOf({ object, layout }: Placed): number[] {
  if (object === null) return [];
  return layout ? objectSizes(layout).map((_, segment) => object + segment) : [object];
}

/** @param from and `to`: positions in the file, `to` exclusive @returns where these bytes are, in their order */
export function* stretchesIn(layout: ObjectLayout, from: number, to: number): Generator<ObjectStretch> {
  let start = 0;
  for (const [object, bytes] of objectSizes(layout).entries()) {
    const end = start + bytes;
    const [first, last] = [Math.max(from, start), Math.min(to, end)];
    if (first < last) yield { object, offset: first - start, length: last - first };
    if (end >= to) return;
    start = end;
  }
}
