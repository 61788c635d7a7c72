/**
 * Decodes UTF-16 with a byte order mark, valid UTF-8, else Windows-1252. The bytes may end within a character. Null is
 * binary data: text other than UTF-16 contains no zero byte.
 */
export function decodeText(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes, { stream: true });
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes, { stream: true });
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
