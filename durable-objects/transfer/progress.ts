import { MAX_PARTS_PER_SIGNING, partLength, PARTS_SIGNED_AT_START } from "#domain/parts.ts";
import { toNumbers } from "#domain/transfers/runs.ts";
import { isSegmented, type TransferObject } from "./object.ts";
import type { TransferState } from "./results.ts";
import type { TransferRecord } from "./state.ts";
import type { TransferStore } from "./store.ts";

/** As many parts as a browser sends at once over HTTP/1.1. */
const FIRST_SEGMENTS = 6;

/** The state of a transfer for its sender: what has arrived, and what has to be sent again. */
export function describeTransfer(
  { index, objects }: TransferStore,
  { nextEntry, announcedBytes }: TransferRecord,
): TransferState {
  const { stored, rejected } = objects.overview;
  const again = [...rejected].filter(([, runs]) =>
    toNumbers(runs).some((n) => index.objectOf(n) === null && !index.isRemoved(n)),
  );
  return {
    entries: nextEntry,
    stored: index.runsIn(stored),
    received: objects.overview.incomplete().map(({ object, runs, received }) => ({ object, runs, parts: received })),
    again: again.map(([object]) => object),
    announcedBytes,
    next: { entry: nextEntry, object: objects.count() },
  };
}

/**
 * How many percent of the announced bytes are in stored objects or in completed parts. 100 only when the transfer is
 * ready.
 */
export function transferPercent(
  { index, objects }: TransferStore,
  { phase, plan }: TransferRecord,
  { stored }: Pick<TransferState, "stored">,
): number {
  const total = plan.lifetime.sizeBytes;
  if (phase === "ready") return 100;
  if (total === 0) return 0;
  let bytes = toNumbers(stored).reduce((sum, n) => sum + index.sizeOf(n), 0);
  for (const { sizeBytes, partSizeBytes, received } of objects.overview.incomplete()) {
    for (const part of toNumbers(received)) bytes += partLength(sizeBytes, part, partSizeBytes);
  }
  return Math.min(99, Math.floor((100 * bytes) / total));
}

/**
 * The parts whose URLs the Worker signs: first those that the sender asked for by number, then the first parts of newly
 * opened objects. @returns at most a hundred parts, by object
 */
export function partsToSign(
  opened: TransferObject[],
  asked: ReadonlyMap<number, ReadonlySet<number>>,
): Map<number, number[]> {
  const wanted = new Map<number, number[]>();
  let left = MAX_PARTS_PER_SIGNING;
  const add = (object: number, parts: number[]) => {
    const taken = parts.slice(0, left);
    left -= taken.length;
    wanted.set(object, [...(wanted.get(object) ?? []), ...taken]);
  };
  for (const [object, parts] of asked) add(object, [...parts]);
  // Each segment costs a call to storage, so six are opened in advance, and of each large file at least one.
  let segments = FIRST_SEGMENTS;
  for (const object of opened) {
    let count = Math.min(object.partCount, PARTS_SIGNED_AT_START);
    if (isSegmented(object)) {
      count = Math.max(1, segments);
      segments -= count;
    }
    add(object.object, firstNumbers(count));
  }
  return wanted;
}

function firstNumbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
