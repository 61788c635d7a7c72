import { safeFilename } from "./safe-filename.ts";

/** `filename*` holds the Unicode name (RFC 6266), `filename` an ASCII fallback. */
export function attachmentDisposition(filename: string): string {
  const name = safeFilename(filename);
  const ascii = name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/[^\x20-\x7e]/gu, "_")
    // Browsers disagree on percent signs and quoted pairs in `filename` (RFC 6266 appendix D). NFKD has turned
    // characters such as U+FF0F into slashes.
    .replace(/["\\%/]/g, "_");
  // NFKD may also have produced a name such as `..` or `CON`.
  return `attachment; filename="${safeFilename(ascii)}"; filename*=UTF-8''${encodeExtValue(name)}`;
}

/** Encodes an RFC 8187 `ext-value`. encodeURIComponent keeps `'()*!`, but of these only `!` is an attr-char. */
function encodeExtValue(value: string): string {
  return encodeURIComponent(value).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
