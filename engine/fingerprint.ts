import { toHex } from "#domain/bytes-as-text.ts";
import { KIB } from "#domain/units.ts";

const SAMPLE_COUNT = 16;
const SAMPLE_BYTES = 16 * KIB;

/**
 * SHA-256 over a file's size and samples spread evenly over its bytes, to recognise a file whose upload can be resumed.
 * @returns hex, or null where the browser offers no hashing (a page without TLS)
 */
export async function fingerprint(file: Blob): Promise<string | null> {
  if (!("subtle" in crypto)) return null;
  const lastStart = Math.max(0, file.size - SAMPLE_BYTES);
  const samples = Array.from({ length: SAMPLE_COUNT }, (_, index) => {
    const start = Math.floor((lastStart * index) / (SAMPLE_COUNT - 1));
    return file.slice(start, start + SAMPLE_BYTES);
  });
  const bytes = await new Blob([`${file.size}\n`, ...samples]).arrayBuffer();
  return toHex(await crypto.subtle.digest("SHA-256", bytes));
}

interface FingerprintedEntry {
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
    .toSorted((a, b) => compareUnits(a.path, b.path))
    .map(({ path, sizeBytes, modifiedMs }) => `${path}\0${sizeBytes}\0${modifiedMs}\n`);
  return toHex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines.join(""))));
}

/** The order of two texts by their UTF-16 units. */
export function compareUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
