import { isExpired } from "#domain/expiry.ts";
import { objectSizes, stretchesOf } from "#domain/segments.ts";
import { decodePlaces } from "#domain/transfers/pages.ts";
import { ORPHAN_MIN_AGE_MS } from "#domain/upload-lifetime.ts";
import type { ReconciliationFinding } from "#domain/wire.ts";
import { transferSessionOf } from "../callers/sessions.ts";
import type { Services } from "../services.ts";
import { listFilesByKeys, type ReconciledFile } from "../db/reconciliation.ts";
import { hasNumberedObjects, numberedPrefix, objectKey, parseNumberedKey, parsePictureKey } from "../storage/keys.ts";
import { listFileObjects, type ListedObject } from "../storage/objects.ts";

interface Mismatch {
  /** The key of the object, or of the row whose bytes are missing. */
  key: string;
  object: ListedObject | null;
  /**
   * The size in the row when it was compared. If the size has changed since then, the row's list of entries has
   * changed, too.
   */
  rowBytes: number | null;
}

/**
 * The differences between objects and rows in one range of keys.
 * @param end the last key of the range; undefined for a range without an end
 * @returns null when too many lists of entries would have to be read: the caller takes a smaller range
 */
export async function findMismatches(
  services: Services,
  { rows, objects }: { rows: ReconciledFile[]; objects: ListedObject[] },
  end: string | undefined,
  now: number,
): Promise<Mismatch[] | null> {
  const rowOf = new Map(rows.map((row) => [row.s3Key, row]));
  const objectOf = new Map(objects.map((object) => [object.key, object]));
  const found = objects
    .filter((object) => classify(findRow(rowOf, object.key), object, now) !== null)
    .map((object) => ({ key: object.key, object, rowBytes: rowOf.get(object.key)?.size ?? null }));
  const missing = rows
    .filter((row) => !hasNumberedObjects(row) && !objectOf.has(row.s3Key) && classify(row, null, now) !== null)
    .map((row) => ({ key: row.s3Key, object: null, rowBytes: row.size }));
  const numbered = rows.filter((row) => hasNumberedObjects(row) && isAvailable(row, now));
  const lost = await findLostOfMany(services, numbered, objects, end);
  if (!lost) return null;
  return [...found, ...missing, ...lost.map((row) => ({ key: row.s3Key, object: null, rowBytes: row.size }))];
}

/** The most objects that a list call of R2 returns (platform limit). */
const LIST_LIMIT = 1000;
/** The most lists of entries that are read for one range of keys. */
export const MAX_LISTS_READ = 50;

/**
 * Finds transfers and files in segments that miss bytes. A row says the sizes of a file's segments. A transfer's
 * objects hold exactly the bytes of its files, until a file is removed. After a removal, zeros may replace the bytes of
 * the file, so the size of each object is compared with the list of entries.
 */
async function findLostOfMany(
  services: Services,
  rows: ReconciledFile[],
  objects: ListedObject[],
  end: string | undefined,
): Promise<ReconciledFile[] | null> {
  const stored = new Map<string, Map<number, number>>();
  const add = ({ key, sizeBytes }: ListedObject) => {
    const part = parseNumberedKey(key);
    if (!part) return;
    const sizes = stored.get(part.s3Key) ?? new Map<number, number>();
    stored.set(part.s3Key, sizes.set(part.object, sizeBytes));
  };
  objects.forEach(add);
  // Finds the row whose objects the end of the range splits; there is at most one.
  const split = rows.find(({ s3Key }) => end?.startsWith(s3Key));
  for (let after = end; split && after !== undefined;) {
    const page = await listFileObjects(services.bucket, after, LIST_LIMIT);
    const own = page.objects.filter(({ key }) => key.startsWith(split.s3Key));
    own.forEach(add);
    after = page.hasMore && own.length === page.objects.length ? own.at(-1)?.key : undefined;
  }
  const sizesOf = ({ s3Key }: ReconciledFile) => stored.get(s3Key) ?? new Map<number, number>();
  const bytesOf = (row: ReconciledFile) => [...sizesOf(row).values()].reduce((sum, size) => sum + size, 0);
  const lacks = (row: ReconciledFile, expected: Iterable<[number, number]>) =>
    [...expected].some(([object, size]) => sizesOf(row).get(object) !== size);
  const files = rows.filter(({ layout }) => layout !== null);
  const transfers = rows.filter(({ layout }) => layout === null);
  const mismatches = [
    ...files.filter((row) => lacks(row, objectSizes(row.layout ?? []).entries())),
    ...transfers.filter((row) => bytesOf(row) < row.size),
  ];
  const unclear = transfers.filter((row) => bytesOf(row) > row.size || (bytesOf(row) === row.size && hasChanged(row)));
  if (unclear.length > MAX_LISTS_READ) return null;
  // One list at a time, because a list may take megabytes of memory.
  for (const row of unclear) {
    if (lacks(row, expectedSizes(await transferSessionOf(services, row).pages(row.id)))) mismatches.push(row);
  }
  return mismatches;
}

/**
 * Whether a file was removed from a transfer. Zeros may replace a removed file in its object, so the total can be right
 * although bytes are lost.
 */
function hasChanged({ zipChangedAt, uploadedAt }: ReconciledFile): boolean {
  return zipChangedAt?.getTime() !== uploadedAt?.getTime();
}

/** The expected sizes of objects that have at least one entry which was not removed. */
function expectedSizes(pages: string[]): Map<number, number> {
  const sizes = new Map<number, number>();
  const living = new Set<number>();
  for (const entry of pages.flatMap(decodePlaces)) {
    for (const { object, offset, length } of stretchesOf(entry, 0, entry.sizeBytes)) {
      sizes.set(object, Math.max(sizes.get(object) ?? 0, offset + length));
      if (entry.removedAt === null) living.add(object);
    }
  }
  return new Map([...sizes].filter(([object]) => living.has(object)));
}

/** Compares mismatches with the rows again, because uploads and files may have changed while R2 was listed. */
export async function confirmMismatches(
  db: Services["db"],
  mismatches: Mismatch[],
  now: number,
): Promise<ReconciliationFinding[]> {
  const rows = await listFilesByKeys(
    db,
    mismatches.flatMap(({ key }) => rowKeysOf(key)),
  );
  const rowOf = new Map(rows.map((row) => [row.s3Key, row]));
  return mismatches.flatMap(({ key, object, rowBytes }) => {
    const row = findRow(rowOf, key);
    const kind = row?.size === rowBytes || object ? classify(row, object, now) : null;
    const size = (kind === "orphan" ? object?.sizeBytes : row?.size) ?? 0;
    return kind ? [{ kind, s3Key: key, fileId: row?.id ?? null, size }] : [];
  });
}

/** The keys that the row of an object may have: a link with pictures has one object, or numbered objects. */
function rowKeysOf(key: string): string[] {
  const picture = parsePictureKey(key);
  if (picture) return [objectKey(picture.fileId), numberedPrefix(picture.fileId)];
  return [parseNumberedKey(key)?.s3Key ?? key];
}

function findRow(rowOf: ReadonlyMap<string, ReconciledFile>, key: string): ReconciledFile | null {
  return rowKeysOf(key).flatMap((rowKey) => rowOf.get(rowKey) ?? [])[0] ?? null;
}

function isAvailable(row: ReconciledFile, now: number): boolean {
  return row.status === "ready" && !row.s3DeletedAt && !isExpired(row.expiresAt?.getTime() ?? null, now);
}

/** @param object null if the object is missing, or numbered objects miss bytes */
function classify(
  row: ReconciledFile | null,
  object: ListedObject | null,
  now: number,
): ReconciliationFinding["kind"] | null {
  const isStored = row?.status === "ready" && !row.s3DeletedAt;
  if (row && isAvailable(row, now)) {
    if (!object) return "lost";
    const picture = parsePictureKey(object.key);
    const part = picture ?? parseNumberedKey(object.key);
    if (!part) return object.sizeBytes === row.size ? null : "lost";
    if (part.object < (picture ? row.pictureObjects : row.objectCount)) return null;
  } else if (!object || isStored || row?.status === "uploading") {
    // The sessions of unfinished uploads delete their own objects; the sweep deletes the objects of expired files.
    return null;
  }
  return object.uploadedAt <= now - ORPHAN_MIN_AGE_MS ? "orphan" : null;
}
