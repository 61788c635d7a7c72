import { toHex } from "../hex.ts";

export interface FingerprintedEntry {
  path: string;
  sizeBytes: number;
  /** Epoch milliseconds. */
  modifiedMs: number;
}

/**
 * Tells one list from another, to resume an unfinished transfer of it on any device.
 * @param entries in any order
 * @returns the SHA-256, in 64 hexadecimal digits, of a line `path NUL size NUL date LF` for each entry in the order of
 * the paths' UTF-16 units
 */
export async function fingerprintOf(entries: readonly FingerprintedEntry[]): Promise<string> {
  const lines = entries
    .toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)))
    .map(({ path, sizeBytes, modifiedMs }) => `${path}\0${sizeBytes}\0${modifiedMs}\n`);
  return toHex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines.join(""))));
}
