/** The prefix of objects that links serve. No presigned URL ever writes a whole object here. */
export const FILES_PREFIX = "files/";

export function objectKey(fileId: string): string {
  return `${FILES_PREFIX}${fileId}`;
}

/** @param object the number of a transfer's object, from 0 */
export function transferObjectKey(fileId: string, object: number): string {
  return `${transferPrefix(fileId)}${String(object).padStart(5, "0")}`;
}

/** The start of all object keys of a transfer. */
export function transferPrefix(fileId: string): string {
  return `${objectKey(fileId)}/`;
}

/** Splits the key of a transfer's object into the row's key and the object's number. @returns null for any other key */
export function parseTransferObjectKey(key: string): { s3Key: string; object: number } | null {
  const match = /^(files\/[^/]+\/)(\d{5})$/.exec(key);
  return match?.[1] && match[2] ? { s3Key: match[1], object: Number(match[2]) } : null;
}

/** All object keys that a file or a transfer may have. Some of a transfer's keys may have no object. */
export function storedKeysOf({ id, s3Key, entryCount, objectCount }: StoredFile): string[] {
  if (entryCount === null) return [s3Key];
  return Array.from({ length: objectCount }, (_, object) => transferObjectKey(id, object));
}

/** The columns of a row that determine its object keys, and which other rows are deleted with the objects. */
export interface StoredFile {
  id: string;
  s3Key: string;
  entryCount: number | null;
  objectCount: number;
  /** The revision of a sealed link's list of files; null for a plain link. */
  manifestRevision: number | null;
}

/** The prefix of single PUTs. `complete` copies the object to `files/`. The sweep deletes what is left after a day. */
export const INCOMING_PREFIX = "incoming/";

export function incomingKey(fileId: string): string {
  return `${INCOMING_PREFIX}${fileId}`;
}
