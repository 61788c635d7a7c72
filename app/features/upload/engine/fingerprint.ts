import { toHex } from "#domain/hex.ts";
import { KIB } from "#domain/units.ts";

/** So many samples, spread evenly from the first byte to the last, each of this size. */
const SAMPLES = 16;
const SAMPLE_BYTES = 16 * KIB;

/**
 * A fingerprint of a file's content, cheap at any size: SHA-256 over its length and samples of its bytes. Together with
 * name, size and date it tells whether a file is the one whose upload broke off.
 * @returns hex, or null where the browser offers no hashing (a page without TLS)
 */
export async function fingerprint(file: Blob): Promise<string | null> {
  if (!("subtle" in crypto)) return null;
  const last = Math.max(0, file.size - SAMPLE_BYTES);
  const samples = Array.from({ length: SAMPLES }, (_, index) => {
    const start = Math.floor((last * index) / (SAMPLES - 1));
    return file.slice(start, start + SAMPLE_BYTES);
  });
  const bytes = await new Blob([`${file.size}\n`, ...samples]).arrayBuffer();
  return toHex(await crypto.subtle.digest("SHA-256", bytes));
}
