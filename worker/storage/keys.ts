/** Objects that links serve. No presigned URL ever writes a whole object here. */
export const FILES_PREFIX = "files/";

export function objectKey(fileId: string): string {
  return `${FILES_PREFIX}${fileId}`;
}

/** @param object the number of a transfer's object, from 0 */
export function transferObjectKey(fileId: string, object: number): string {
  return `${transferPrefix(fileId)}${String(object).padStart(5, "0")}`;
}

/** What the keys of a transfer's objects begin with. */
export function transferPrefix(fileId: string): string {
  return `${objectKey(fileId)}/`;
}

/** @returns the row's key of a transfer's object, and its number; null for any other key */
export function parseTransferObjectKey(key: string): { s3Key: string; object: number } | null {
  const match = /^(files\/[^/]+\/)(\d{5})$/.exec(key);
  return match?.[1] && match[2] ? { s3Key: match[1], object: Number(match[2]) } : null;
}

/** Keys of everything that storage may hold of a file or a transfer; numbers of a transfer's objects have gaps. */
export function storedKeysOf({ id, s3Key, entryCount, objectCount }: StoredFile): string[] {
  if (entryCount === null) return [s3Key];
  return Array.from({ length: objectCount }, (_, object) => transferObjectKey(id, object));
}

/** The columns of a row that tell its keys, and what else is deleted with them. */
export interface StoredFile {
  id: string;
  s3Key: string;
  entryCount: number | null;
  objectCount: number;
  /** Null for a plain link. */
  manifestRevision: number | null;
}

/** Single PUTs land here. `complete` copies them to `files/`; after a day the rest is deleted. */
export const INCOMING_PREFIX = "incoming/";

export function incomingKey(fileId: string): string {
  return `${INCOMING_PREFIX}${fileId}`;
}
