import { MAX_PARTS_PER_SIGNING, partLength, PARTS_SIGNED_AT_START } from "#domain/parts.ts";
import { toNumbers, toRuns } from "#domain/transfers/runs.ts";
import type { EntryIndex } from "./entry-index.ts";
import type { PartsToSign, TransferState } from "./transfer-results.ts";
import type { TransferRecord } from "./transfer-state.ts";
import type { TransferObject, TransferStore } from "./transfer-store.ts";

interface Source {
  store: TransferStore;
  index: EntryIndex;
}

/** What has arrived, and what the sender has to send again. */
export function describeTransfer({ store, index }: Source, { nextEntry }: TransferRecord): TransferState {
  const again = store
    .objects("rejected")
    .filter(({ runs }) => toNumbers(runs).some((n) => index.objectOf(n) === null && !index.isRemoved(n)));
  return {
    entries: nextEntry,
    stored: index.storedRuns(store),
    received: store.objects("open", "joining").map(({ object, runs }) => ({
      object,
      runs,
      parts: toRuns(store.receipts(object).map(({ part }) => part)),
    })),
    again: again.map(({ object }) => object),
    next: { entry: nextEntry, object: store.objectCount() },
  };
}

/** Percent of the announced bytes that are stored or have a receipt. 100 only when the transfer is ready. */
export function transferPercent(
  { store, index }: Source,
  { phase, plan }: TransferRecord,
  { stored, received }: TransferState,
): number {
  const total = plan.lifetime.sizeBytes;
  if (phase === "ready") return 100;
  if (total === 0) return 0;
  let bytes = toNumbers(stored).reduce((sum, n) => sum + index.sizeOf(n), 0);
  for (const { object, parts } of received) {
    const found = store.object(object);
    if (!found) continue;
    const { sizeBytes, partSizeBytes } = found;
    for (const part of toNumbers(parts)) bytes += partLength(sizeBytes, part, partSizeBytes);
  }
  return Math.min(99, Math.floor((100 * bytes) / total));
}

/** The parts that were asked for by number, then the first ones of opened objects. */
export function partsToSign(
  store: TransferStore,
  opened: TransferObject[],
  asked: ReadonlyMap<number, number[]>,
): PartsToSign[] {
  const first = opened.map(
    ({ object, partCount }) =>
      [object, Array.from({ length: Math.min(partCount, PARTS_SIGNED_AT_START) }, (_, index) => index + 1)] as const,
  );
  let left = MAX_PARTS_PER_SIGNING;
  return [...asked, ...first].flatMap(([number, numbers]) => {
    const object = store.object(number);
    if (object?.phase !== "open" || object.r2UploadId === null) return [];
    const parts = numbers.filter((part) => part <= object.partCount).slice(0, left);
    left -= parts.length;
    const { r2UploadId, sizeBytes, partSizeBytes } = object;
    return { object: number, r2UploadId, sizeBytes, partSizeBytes, parts };
  });
}
