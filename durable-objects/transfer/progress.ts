import { MAX_PARTS_PER_SIGNING, partLength, PARTS_SIGNED_AT_START } from "#domain/parts.ts";
import { toNumbers } from "#domain/transfers/runs.ts";
import type { TransferObject } from "./object.ts";
import type { PartsToSign, TransferState } from "./results.ts";
import type { TransferRecord } from "./state.ts";
import type { TransferStore } from "./store.ts";

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
 * opened objects.
 */
export function partsToSign(
  store: TransferStore,
  opened: TransferObject[],
  asked: ReadonlyMap<number, Iterable<number>>,
): PartsToSign[] {
  const first = opened.map(
    ({ object, partCount }) =>
      [object, Array.from({ length: Math.min(partCount, PARTS_SIGNED_AT_START) }, (_, index) => index + 1)] as const,
  );
  let left = MAX_PARTS_PER_SIGNING;
  return [...asked, ...first].flatMap(([number, numbers]) => {
    const object = store.objects.find(number);
    if (object?.phase !== "open" || object.r2UploadId === null) return [];
    const parts = [...numbers].filter((part) => part <= object.partCount).slice(0, left);
    left -= parts.length;
    const { r2UploadId, sizeBytes, partSizeBytes } = object;
    return { object: number, r2UploadId, sizeBytes, partSizeBytes, parts };
  });
}
