/** Who computed a file's checksum: the Worker while the bytes passed through, or the sender's browser. */
export const CHECKSUM_SOURCES = ["server", "browser"] as const;
export type ChecksumSource = (typeof CHECKSUM_SOURCES)[number];

export interface Checksum {
  sha256: string;
  source: ChecksumSource;
}

/** The polynomial of CRC-32 (IEEE 802.3, ZIP, gzip) with reversed bits: the highest bit is the power 0. */
const POLYNOMIAL = 0xedb88320;

/** x to the power of 8 × 2^k modulo the polynomial: a shift by 2^k bytes. 53 shifts suffice for any safe integer. */
const SHIFTS = [0x00800000];
for (let k = 1; k < 53; k += 1) SHIFTS.push(multiply(SHIFTS[k - 1] ?? 0, SHIFTS[k - 1] ?? 0));

/** The CRC-32 of a few bytes, an unsigned 32-bit number. The function goes bit by bit, so it is too slow for files. */
export function crc32Of(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (-(crc & 1) & POLYNOMIAL);
  }
  return ~crc >>> 0;
}

/**
 * The CRC-32 of two stretches of bytes, one after the other.
 * @param first CRC-32 of the first stretch, an unsigned 32-bit number @param second CRC-32 of the second stretch
 * @param secondLength bytes of the second stretch
 */
export function joinCrc32(first: number, second: number, secondLength: number): number {
  let shifted = first;
  for (let k = 0, left = secondLength; left > 0; k += 1, left = Math.floor(left / 2))
    if (left % 2 === 1) shifted = multiply(SHIFTS[k] ?? 0, shifted);
  return (shifted ^ second) >>> 0;
}

/** Multiplies two polynomials modulo CRC-32's. Uses signed integers inside, which engines compute faster. */
function multiply(a: number, b: number): number {
  let product = 0;
  let power = b | 0;
  for (let rest = a | 0; rest !== 0; rest <<= 1) {
    if (rest < 0) product ^= power;
    power = (power >>> 1) ^ (-(power & 1) & POLYNOMIAL);
  }
  return product >>> 0;
}
