/**
 * A text's bytes as text: UTF-16 where it says so, UTF-8 where it is, else the old Western set.
 * @param bytes the whole text, or its beginning, which may end amid a character
 * @returns null for what is no text: a byte order aside, no text holds a zero
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
