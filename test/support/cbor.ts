const encoder = new TextEncoder();

export type Bytes = Uint8Array<ArrayBuffer>;

export function concat(...parts: Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** CBOR (RFC 8949), as far as authenticators use it here. */
function head(major: number, value: number): Bytes {
  if (value < 24) return Uint8Array.of((major << 5) | value);
  return value < 256
    ? Uint8Array.of((major << 5) | 24, value)
    : Uint8Array.of((major << 5) | 25, value >> 8, value & 0xff);
}
export const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
export const byteString = (bytes: Uint8Array) => concat(head(2, bytes.length), bytes);
export const text = (value: string) => concat(head(3, value.length), encoder.encode(value));
export const map = (entries: [Bytes, Bytes][]) => concat(head(5, entries.length), ...entries.flat());
