/** The name that the server gets in place of a sealed file's name. */
export const SEALED_NAME = "sealed";
export const SEALED_TYPE = "application/octet-stream";

/** The path that the server gets in place of a sealed entry's path. @param n the entry's number */
export function sealedEntryName(n: number): string {
  return `${SEALED_NAME}-${String(n).padStart(5, "0")}`;
}
