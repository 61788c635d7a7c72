/** Object keys. `files/` holds what a link serves; no URL for writing one whole is ever signed. */

/** Everything under here is a file's object. */
export const FILES_PREFIX = "files/";

/** Where a file lives once its upload has finished. */
export function objectKey(fileId: string): string {
  return `${FILES_PREFIX}${fileId}`;
}

/** Everything under here is older uploads' leftovers after a day (design, One picture). */
export const INCOMING_PREFIX = "incoming/";

/** Where a small file's presigned PUT lands before `complete` copies it to its own key. */
export function incomingKey(fileId: string): string {
  return `${INCOMING_PREFIX}${fileId}`;
}
