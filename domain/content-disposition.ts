import { safeFilename } from "./safe-filename.ts";

/**
 * A Content-Disposition that gives any Unicode name to clients that know RFC 6266's `filename*`,
 * and a readable ASCII stand-in to those that do not. Both are safe to save a file under.
 * @param filename any string
 */
export function attachmentDisposition(filename: string): string {
  const name = safeFilename(filename);
  const ascii = name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/[^\x20-\x7e]/gu, "_")
    // A percent sign or a quoted pair in `filename` is read differently by different browsers (RFC 6266 appendix D), and
    // compatibility forms such as U+FF0F have become slashes by now.
    .replace(/["\\%/]/g, "_");
  // Compatibility forms of dots and letters may have become a name that is not safe.
  return `attachment; filename="${safeFilename(ascii)}"; filename*=UTF-8''${encodeExtValue(name)}`;
}

/** RFC 8187 `ext-value`: encodeURIComponent leaves `'()*!` bare, of which only `!` is an attr-char. */
function encodeExtValue(value: string): string {
  return encodeURIComponent(value).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
