/** The header of a lossless WebP file (RFC 9649, section 3.4), which is all that readers of dimensions look at. */
export function webpHeader(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(26);
  const view = new DataView(bytes.buffer);
  for (const [at, name] of [
    [0, "RIFF"],
    [8, "WEBP"],
    [12, "VP8L"],
  ] as const)
    bytes.set(new TextEncoder().encode(name), at);
  view.setUint32(4, bytes.length - 8, true);
  view.setUint32(16, 5, true);
  view.setUint8(20, 0x2f);
  view.setUint32(21, (width - 1) | ((height - 1) << 14), true);
  return bytes;
}
