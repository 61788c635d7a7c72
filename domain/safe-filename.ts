const FALLBACK_NAME = "download";

/** Control characters, line breaks and direction marks, which can make a program look like a picture. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Device names on Windows, with any extension (Microsoft, Naming Files, Paths, and Namespaces). */
export const WINDOWS_DEVICE = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9\u00b9\u00b2\u00b3])[ ]*(?:\.|$)/i;

/** Keeps a safe name. "download" when no characters remain. Rows of earlier versions may contain unsafe names. */
export function safeFilename(filename: string): string {
  const visible = filename
    .replace(INVISIBLE, "")
    .replace(/[/\\]|\p{Cs}/gu, "_")
    .replace(/^\s+|[\s.]+$/gu, "");
  if (visible === "") return FALLBACK_NAME;
  return WINDOWS_DEVICE.test(visible) ? `_${visible}` : visible;
}
