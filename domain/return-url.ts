/** URL parsers ignore tabs and line breaks and treat a backslash as a slash. None of our URLs has such characters. */
// oxlint-disable-next-line no-control-regex -- it matches control characters on purpose
const UNSAFE = /[\u0000-\u001f\u007f\\]/;

/**
 * Prevents open redirects: null for anything but a page on this origin. A path must not start with two slashes, because
 * such a path is by itself a URL of another host (URL Standard, "scheme-relative-special-URL string").
 */
export function parseReturnUrl(requested: string, origin: string): URL | null {
  if (UNSAFE.test(requested)) return null;
  const address = parseUrl(requested, origin);
  if (address === null) return null;
  // A blob: URL has the origin of the page that created it.
  const isOwn = address.origin === origin && address.protocol !== "blob:";
  const isPlain = address.username === "" && address.password === "" && !address.pathname.startsWith("//");
  return isOwn && isPlain ? address : null;
}

/** `URL.parse` is missing in browsers from before 2024. */
function parseUrl(requested: string, origin: string): URL | null {
  try {
    return new URL(requested, origin);
  } catch {
    return null;
  }
}
