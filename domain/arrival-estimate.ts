import { SECOND_MS } from "./units.ts";

/** A percentage of an upload, and when it was heard of, milliseconds of any clock. */
export interface ProgressSample {
  at: number;
  percent: number;
}

/** Speed is judged by what arrived in this stretch: long enough that whole percents of a large file move. */
const WINDOW_MS = 30 * SECOND_MS;
/** Less than this says more about the network's hiccups than about the upload. */
const LEAST_MS = 2 * SECOND_MS;

/** Adds what was just heard, and forgets what no longer tells the speed. Percentages that do not grow are not kept. */
export function addProgressSample(seen: readonly ProgressSample[], heard: ProgressSample): readonly ProgressSample[] {
  const last = seen.at(-1);
  if (last && heard.percent <= last.percent) return seen;
  const recent = seen.filter(({ at }) => heard.at - at <= WINDOW_MS);
  // However slow, the last two tell something.
  return [...(recent.length > 0 ? recent : seen.slice(-1)), heard];
}

/**
 * How long an upload that others are watching will still take.
 * @param seen what `addProgressSample` kept
 * @param now the same clock's time
 * @returns milliseconds; null while nothing can be said, and once nothing has been heard for as long as it should have taken
 */
export function estimateTimeLeftMs(seen: readonly ProgressSample[], now: number): number | null {
  const [first] = seen;
  const last = seen.at(-1);
  if (!first || !last || last.at - first.at < LEAST_MS || last.percent >= 100) return null;
  const msPerPercent = (last.at - first.at) / (last.percent - first.percent);
  const leftMs = (100 - last.percent) * msPerPercent - (now - last.at);
  return leftMs > 0 ? leftMs : null;
}
