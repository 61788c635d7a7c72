/** URL parsers drop tabs and line breaks, and read a backslash as a slash: nothing of ours needs one. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const UNWANTED = /[\u0000-\u001f\u007f\\]/;

/**
 * Reads an address to return to, so that nobody is led to another site by a link or a request.
 * @param wanted a path, or a whole address
 * @param origin this site's scheme, host and port
 * @returns null for anything but a page on this origin. A path that begins with two slashes is another host's address
 * once it stands alone, so it is refused (URL Standard, "scheme-relative-special-URL string")
 */
export function parseReturnAddress(wanted: string, origin: string): URL | null {
  if (UNWANTED.test(wanted)) return null;
  const address = tryToParse(wanted, origin);
  if (address === null) return null;
  // A blob: address has the origin of the page that made it.
  const isOwn = address.origin === origin && address.protocol !== "blob:";
  const isPlain = address.username === "" && address.password === "" && !address.pathname.startsWith("//");
  return isOwn && isPlain ? address : null;
}

/** `URL.parse`, which browsers have had only since 2024. */
function tryToParse(wanted: string, origin: string): URL | null {
  try {
    return new URL(wanted, origin);
  } catch {
    return null;
  }
}
