import { toNumbers } from "#domain/transfers/runs.ts";
import type { DescribedEntry, EntryRange } from "./described-entry.ts";
import type { AnnouncedEntry } from "./entry-store.ts";
import type { Placed } from "#domain/segments.ts";
import { placeOf, type EntrySum } from "./object.ts";
import type { TransferStore } from "./store.ts";

/** Where the bytes of an entry of an object are. */
interface Place {
  placed: Placed;
  crcSource: DescribedEntry["crcSource"];
  /** Undefined until the object is stored. */
  sum: EntrySum | undefined;
}

/** Lists entries in ascending order. `total` is the number of entries in the whole transfer. */
export function listEntries(
  store: TransferStore,
  { from, count, withRemoved }: EntryRange,
): { entries: DescribedEntry[]; total: number } {
  const { index } = store;
  const numbers = withRemoved ? Array.from({ length: index.count }, (_, n) => n) : [...index.present()];
  const listed = numbers.filter((n) => n >= from).slice(0, count);
  return { entries: describeEntries(store, listed), total: numbers.length };
}

/**
 * Describes entries by number.
 * @param numbers ascending
 * @returns the announced entries among these numbers, including removed entries
 */
export function describeEntries(store: TransferStore, numbers: number[]): DescribedEntry[] {
  const [first = 0] = numbers;
  const wanted = new Set(numbers);
  const described: DescribedEntry[] = [];
  const removed = store.entries.removed();
  const places = new Map<number, Map<number, Place>>();
  let n = first;
  for (const entry of store.entries.list(first)) {
    if (described.length === wanted.size) break;
    if (wanted.has(n)) described.push(describe(store, places, { n, entry, removedAt: removed.get(n) ?? null }));
    n += 1;
  }
  return described;
}

function describe(
  store: TransferStore,
  places: Map<number, Map<number, Place>>,
  { n, entry, removedAt }: { n: number; entry: AnnouncedEntry; removedAt: number | null },
): DescribedEntry {
  const described = {
    ...entry,
    n,
    object: null,
    offset: 0,
    crc32: 0,
    sha256: null,
    removedAt,
    crcSource: "browser" as const,
  };
  if (removedAt !== null) return { ...described, state: "removed" };
  if (entry.sizeBytes === 0) return { ...described, state: "stored" };
  const object = store.index.objectOf(n);
  if (object === null) return { ...described, state: "waiting" };
  const inObject = places.get(object) ?? placesIn(store, object);
  places.set(object, inObject);
  const place = inObject.get(n);
  if (!place) return { ...described, state: "arriving" };
  if (!place.sum) return { ...described, ...(place.placed.layout && place.placed), state: "arriving" };
  return { ...described, ...place.sum, ...place.placed, state: "stored", crcSource: place.crcSource };
}

function placesIn(store: TransferStore, number: number): Map<number, Place> {
  const places = new Map<number, Place>();
  const object = store.objects.find(number);
  if (!object) return places;
  const placed = placeOf(object);
  let offset = 0;
  const crcSource = object.partCount === 1 ? "server" : "browser";
  for (const [at, n] of toNumbers(object.runs).entries()) {
    const sum = object.phase === "stored" ? object.sums?.[at] : undefined;
    places.set(n, { placed: { ...placed, offset }, crcSource, sum });
    offset += store.index.sizeOf(n);
  }
  return places;
}
