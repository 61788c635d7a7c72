/** What the server is told of a sealed file's name and type. */
export const SEALED_NAME = "sealed";
export const SEALED_TYPE = "application/octet-stream";

/** What the server is told of the path of a transfer's entry. @param n its number */
export function sealedEntryName(n: number): string {
  return `${SEALED_NAME}-${String(n).padStart(5, "0")}`;
}
