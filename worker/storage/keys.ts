/** Objects that links serve. No presigned URL ever writes a whole object here. */
export const FILES_PREFIX = "files/";

export function objectKey(fileId: string): string {
  return `${FILES_PREFIX}${fileId}`;
}

/** Single PUTs land here. `complete` copies them to `files/`; after a day the rest is deleted. */
export const INCOMING_PREFIX = "incoming/";

export function incomingKey(fileId: string): string {
  return `${INCOMING_PREFIX}${fileId}`;
}
