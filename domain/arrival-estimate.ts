import { SECOND_MS } from "./units.ts";

/** An upload's percentage and when the server reported it, in milliseconds of any clock. */
export interface ProgressSample {
  at: number;
  percent: number;
}

/** Samples older than this are ignored. The time is long enough for a large file to advance by whole percents. */
const WINDOW_MS = 30 * SECOND_MS;
/** Samples closer together than this reflect network jitter, not upload speed. */
const MIN_SPAN_MS = 2 * SECOND_MS;

/** A sender whose percentage has not grown for this long may be silent. */
const SILENT_MS = 20 * SECOND_MS;
/** The same of a sender whose speed is not known yet: a percent of a large file takes longer. */
const SILENT_AT_FIRST_MS = 60 * SECOND_MS;
/** A silent sender takes this many times as long for a percent as before. */
const SILENT_PERCENTS = 3;

/** Adds a sample and drops samples outside the window. Ignores a percentage that has not grown. */
export function addProgressSample(
  samples: readonly ProgressSample[],
  sample: ProgressSample,
): readonly ProgressSample[] {
  const last = samples.at(-1);
  if (last && sample.percent <= last.percent) return samples;
  const recent = samples.filter(({ at }) => sample.at - at <= WINDOW_MS);
  // A very slow upload may have no sample within the window: then the newest older sample still gives a speed.
  return [...(recent.length > 0 ? recent : samples.slice(-1)), sample];
}

/** @returns milliseconds on the samples' clock; null with too few samples, at 100 percent, or past the estimated end */
export function estimateTimeLeftMs(samples: readonly ProgressSample[], now: number): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < MIN_SPAN_MS || last.percent >= 100) return null;
  const leftMs = (100 - last.percent) * msPerPercent(first, last) - (now - last.at);
  return leftMs > 0 ? leftMs : null;
}

/** @param now on the samples' clock @returns whether the sender seems to have stopped; false before the first sample */
export function isSenderSilent(samples: readonly ProgressSample[], now: number): boolean {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last) return false;
  const longestMs =
    first === last ? SILENT_AT_FIRST_MS : Math.max(SILENT_MS, SILENT_PERCENTS * msPerPercent(first, last));
  return now - last.at > longestMs;
}

function msPerPercent(first: ProgressSample, last: ProgressSample): number {
  return (last.at - first.at) / (last.percent - first.percent);
}
