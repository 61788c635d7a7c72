/** Writes Base64 with padding (RFC 4648 section 4). */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Reads Base64, with or without padding. @throws DOMException for other characters and impossible lengths */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return fromLatin1(atob(text));
}

/** @param text of characters up to U+00FF @returns a byte for each character */
export function fromLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Writes Base64url without padding (RFC 4648 section 5). */
export function toBase64url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Reads Base64url. @returns null for other characters, for padding, and for impossible lengths */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
  return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}

const DIGITS_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function toHex(bytes: ArrayBuffer): string {
  let hex = "";
  for (const byte of new Uint8Array(bytes)) hex += DIGITS_OF_BYTE[byte] ?? "";
  return hex;
}

/** @param hex digits from `toHex` */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}
