/** The prefix of objects that links serve. No presigned URL ever writes a whole object under this prefix. */
export const FILES_PREFIX = "files/";

export function objectKey(fileId: string): string {
  return `${FILES_PREFIX}${fileId}`;
}

/** The key of one of several objects. @param object the object's number, from 0 */
export function numberedKey(fileId: string, object: number): string {
  return `${numberedPrefix(fileId)}${String(object).padStart(5, "0")}`;
}

/** The start of the keys of a transfer's objects, or of a single file's segments. The prefix ends with a slash. */
export function numberedPrefix(fileId: string): string {
  return `${objectKey(fileId)}/`;
}

/**
 * Splits the key of one of several objects into the row's key and the object's number.
 * @returns null for any other key
 */
export function parseNumberedKey(key: string): { s3Key: string; object: number } | null {
  const match = /^(files\/[^/]+\/)(\d{5})$/.exec(key);
  return match?.[1] && match[2] ? { s3Key: match[1], object: Number(match[2]) } : null;
}

/** The key of an object with pictures of a link's files. @param object the object's number, from 0 */
export function pictureKey(fileId: string, object: number): string {
  return `${numberedPrefix(fileId)}p${String(object).padStart(5, "0")}`;
}

/** @returns the id of the link's row and the object's number; null for a key of no object with pictures */
export function parsePictureKey(key: string): { fileId: string; object: number } | null {
  const match = /^files\/([^/]+)\/p(\d{5})$/.exec(key);
  return match?.[1] && match[2] ? { fileId: match[1], object: Number(match[2]) } : null;
}

/** All keys of objects with pictures that a link may have. */
export function pictureKeysOf({ id, pictureObjects }: Pick<StoredFile, "id" | "pictureObjects">): string[] {
  return Array.from({ length: pictureObjects }, (_, object) => pictureKey(id, object));
}

/** Whether a row's bytes are in numbered objects: those of a transfer, or of a single file in segments. */
export function hasNumberedObjects({ s3Key }: Pick<StoredFile, "s3Key">): boolean {
  return s3Key.endsWith("/");
}

/** All object keys that a file or a transfer may have, pictures included. Some of the numbered keys have no object. */
export function storedKeysOf(file: StoredFile): string[] {
  const { id, s3Key, objectCount } = file;
  const pictures = pictureKeysOf(file);
  if (!hasNumberedObjects({ s3Key })) return [s3Key, ...pictures];
  return [...Array.from({ length: objectCount }, (_, object) => numberedKey(id, object)), ...pictures];
}

/** The columns of a row that determine its object keys, and which other rows are deleted with the objects. */
export interface StoredFile {
  id: string;
  s3Key: string;
  entryCount: number | null;
  objectCount: number;
  pictureObjects: number;
  /** The revision of a sealed link's list of files; null for a plain link. */
  manifestRevision: number | null;
  /** When the bytes were put aside for the authorities. Such bytes are not deleted with their link. */
  keptAt: Date | null;
}

/**
 * The prefix of single PUTs. `complete` copies such an object to `files/`. The sweep deletes objects that are left
 * under this prefix after a day.
 */
export const INCOMING_PREFIX = "incoming/";

export function incomingKey(fileId: string): string {
  return `${INCOMING_PREFIX}${fileId}`;
}
