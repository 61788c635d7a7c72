/** A box begins with its size and its type, four bytes each (ISO/IEC 14496-12, 4.2). */
const HEADER_BYTES = 8;
/** Behind the type of a box of the size 1 stands the size, in eight bytes. */
const IS_LARGE = 1;

/**
 * Whether the index (`moov`) of an MP4 or QuickTime file stands behind its media (`mdat`), so that no player can start
 * before all of it is there.
 * @param start the first bytes of the file @returns false also where they do not tell
 */
export function isIndexLast(start: Uint8Array): boolean {
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  for (let at = 0; at + HEADER_BYTES <= start.length;) {
    const type = String.fromCharCode(...start.subarray(at + 4, at + HEADER_BYTES));
    if (type === "mdat") return true;
    if (type === "moov") return false;
    const size = view.getUint32(at);
    const isLarge = size === IS_LARGE && at + 2 * HEADER_BYTES <= start.length;
    const sizeBytes = isLarge ? Number(view.getBigUint64(at + HEADER_BYTES)) : size;
    // The size 0 reaches to the end of the file, and a smaller one than the header is none.
    if (sizeBytes < HEADER_BYTES) return false;
    at += sizeBytes;
  }
  return false;
}
