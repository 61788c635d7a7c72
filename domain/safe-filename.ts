/** What a file is called whose own name cannot be used. */
const STAND_IN = "download";

/** Control characters, line breaks, and what changes the direction of a text: with that, a program looks like a picture. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Windows takes these for devices, whatever extension follows (Microsoft, Naming Files, Paths, and Namespaces). */
const WINDOWS_DEVICE = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9\u00b9\u00b2\u00b3])[ ]*(?:\.|$)/i;

/**
 * A name that any system can save a file under, and that looks like what it is. A harmless name stays as it is.
 * @param filename any string: rows keep names that earlier versions took
 * @returns the name without invisible characters, slashes, and spaces and dots at its end; "download" where nothing is left
 */
export function safeFilename(filename: string): string {
  const visible = filename
    .replace(INVISIBLE, "")
    .replace(/[/\\]|\p{Cs}/gu, "_")
    .replace(/^\s+|[\s.]+$/gu, "");
  if (visible === "") return STAND_IN;
  return WINDOWS_DEVICE.test(visible) ? `_${visible}` : visible;
}
