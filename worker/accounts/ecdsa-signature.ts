/** Big-endian integers as in DER, where a leading zero byte keeps an integer positive. */
export interface EcdsaSignature {
  r: Uint8Array;
  s: Uint8Array;
}

/** Reads a DER `SEQUENCE { r INTEGER, s INTEGER }` (RFC 3279, 2.2.3). @returns null for any other bytes */
export function readEcdsaSignature(bytes: Uint8Array): EcdsaSignature | null {
  if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) return null;
  const endOfR = endOfInteger(bytes, 2);
  if (endOfR === null || endOfInteger(bytes, endOfR) !== bytes.length) return null;
  return { r: bytes.slice(4, endOfR), s: bytes.slice(endOfR + 2) };
}

/** @returns null unless a positive integer of at most 32 bytes, in its shortest form, begins at `at` */
function endOfInteger(bytes: Uint8Array, at: number): number | null {
  const length = bytes[at + 1] ?? 0;
  const end = at + 2 + length;
  if (bytes[at] !== 0x02 || length === 0 || length > 33 || end > bytes.length) return null;
  const first = bytes[at + 2] ?? 0;
  const second = bytes[at + 3] ?? 0;
  if (first >= 0x80 || (first !== 0 && length === 33)) return null;
  if (first === 0 && (length === 1 || second < 0x80)) return null;
  return end;
}
