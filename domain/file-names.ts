const FALLBACK_NAME = "download";

/** Control characters, line breaks and direction marks, which can make a program look like a picture. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Device names on Windows, with any extension (Microsoft, Naming Files, Paths, and Namespaces). */
export const WINDOWS_DEVICE = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9\u00b9\u00b2\u00b3])[ ]*(?:\.|$)/i;

/** Makes a file name safe: "download" when no characters remain. Rows of earlier versions may contain unsafe names. */
export function safeFilename(filename: string): string {
  const visible = filename
    .replace(INVISIBLE, "")
    .replace(/[/\\]|\p{Cs}/gu, "_")
    .replace(/^\s+|[\s.]+$/gu, "");
  if (visible === "") return FALLBACK_NAME;
  return WINDOWS_DEVICE.test(visible) ? `_${visible}` : visible;
}

/** A Content-Disposition with the Unicode name in `filename*` (RFC 6266), and an ASCII fallback in `filename`. */
export function attachmentDisposition(filename: string): string {
  const name = safeFilename(filename);
  const ascii = name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/[^\x20-\x7e]/gu, "_")
    // Browsers disagree on percent signs and quoted pairs in `filename` (RFC 6266 appendix D). NFKD has turned
    // characters such as U+FF0F into slashes.
    .replace(/["\\%/]/g, "_");
  // NFKD may have produced a name such as `..` or `CON`, so the ASCII name is made safe, too.
  return `attachment; filename="${safeFilename(ascii)}"; filename*=UTF-8''${encodeExtValue(name)}`;
}

/** Encodes an RFC 8187 `ext-value`. Of `'()*!`, which encodeURIComponent keeps, only `!` is an attr-char. */
function encodeExtValue(value: string): string {
  return encodeURIComponent(value).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** File name of a transfer's ZIP. @param selected the number of selected entries; absent for the whole transfer */
export function archiveName(title: string, selected?: number): string {
  const selection = selected === undefined ? "" : ` (${selected} ${selected === 1 ? "file" : "files"})`;
  return `${safeFilename(title)}${selection}.zip`;
}
