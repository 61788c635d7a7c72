import { GIB, SECOND_MS } from "#domain/units.ts";
import type { Seen } from "./in-page.ts";
import type { Carried, LineLog } from "./line-log.ts";
import { capacityBytes } from "./plan.ts";
import type { LineShape } from "./shapes.ts";

/** The measurements of one transfer over a line. */
export interface Figures {
  /** The time from the person's choice of a file or link to the end of the transfer. */
  seconds: number;
  /** The share of the bytes that the line could have carried between the first byte and the last. */
  share: number;
  /** The time from the person's choice to the first byte on the line. */
  firstByteSeconds: number;
  /** The time from the last byte on the line to the end of the transfer. */
  readySeconds: number;
  /** Bytes that the line carried more than once. */
  againBytes: number;
  /** The longest time in which the shown progress stood still while bytes moved; null if no progress is shown. */
  stillSeconds: number | null;
  wentBack: boolean;
  cpuSecondsPerGib: number;
  faults: number;
  restarts: number;
}

/** A pause between bytes that is longer than this is time in which nothing moves. */
const MOVING_MS = 100;

export function figuresOf(
  shape: LineShape,
  log: LineLog,
  carried: Carried,
  { seen, cpuSeconds }: { seen: Seen; cpuSeconds: number },
): Figures {
  const { firstAt, lastAt, bodyBytes } = carried;
  const { beganAt } = log;
  if (firstAt === null || lastAt === null || beganAt === null) throw new Error("nothing was on the line");
  const outages = log.faults.filter(({ kind }) => kind === "outage");
  const capacity = capacityBytes(shape, outages, firstAt - beganAt, lastAt - beganAt);
  return {
    seconds: (seen.readyAt - seen.chosenAt) / SECOND_MS,
    share: shape.fileBytes / capacity,
    firstByteSeconds: (firstAt - seen.chosenAt) / SECOND_MS,
    readySeconds: (seen.readyAt - lastAt) / SECOND_MS,
    againBytes: Math.max(0, bodyBytes - shape.fileBytes),
    stillSeconds: stillSeconds(seen.progress, carried),
    wentBack: seen.progress.some(([, value], index) => value < (seen.progress[index - 1]?.[1] ?? 0)),
    cpuSecondsPerGib: cpuSeconds / (shape.fileBytes / GIB),
    faults: log.faults.length,
    restarts: seen.restarts,
  };
}

/** @returns the longest time between two changes, without the time in which the line carried nothing */
function stillSeconds(progress: Seen["progress"], { bins, firstAt, lastAt }: Carried): number | null {
  if (progress.length === 0 || firstAt === null || lastAt === null) return null;
  const moved = bins.map(([bin]) => bin * 10);
  const changes = [firstAt, ...progress.map(([at]) => at).filter((at) => at > firstAt && at < lastAt), lastAt];
  let longest = 0;
  let index = 0;
  for (const [n, to] of changes.entries()) {
    const from = changes[n - 1] ?? to;
    let moving = 0;
    let previous = from;
    while (index < moved.length && (moved[index] ?? 0) < to) {
      const at = moved[index] ?? 0;
      if (at > previous) {
        if (at - previous <= MOVING_MS) moving += at - previous;
        previous = at;
      }
      index += 1;
    }
    longest = Math.max(longest, moving);
  }
  return longest / SECOND_MS;
}
