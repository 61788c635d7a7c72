import { toHex } from "#domain/hex.ts";
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
