/**
 * What is wrong with an answer, whatever was asked: a 5xx, HTML that cannot be rewritten, a redirect to another site, or a
 * name that is not safe to save. Reads the answer whole.
 * @param origin the site's own
 * @param url what was asked for
 * @param isStripe whether billing is set up, so that it has no excuse
 * @returns null when nothing is
 */
export async function faultOfAnswer(
  response: Response,
  { origin, url, isStripe }: { origin: string; url: string; isStripe: boolean },
): Promise<string | null> {
  const { status } = response;
  const faults = [faultOfName(response.headers), faultOfPlace(response.headers, { origin, url })];
  const text = response.webSocket ? "" : await readAsEdge(response);
  response.webSocket?.accept();
  response.webSocket?.close();
  // What was never set up may say so.
  if (status >= 500 && (isStripe || !text.includes("BILLING_UNAVAILABLE"))) return `${status} ${text.slice(0, 300)}`;
  if (text.startsWith(UNREADABLE)) return text;
  return faults.find((fault) => fault !== null) ?? null;
}

const UNREADABLE = "The edge cannot read it: ";

/** Cloudflare and the local runtime may rewrite HTML on its way, and answer 500 over a charset that they do not know. */
async function readAsEdge(response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("text/html")) return response.text();
  try {
    return await new HTMLRewriter().on("nothing", {}).transform(response).text();
  } catch (error) {
    return `${UNREADABLE}${String(error)} of ${type}`;
  }
}

/** A redirect stays on this site. */
function faultOfPlace(headers: Headers, { origin, url }: { origin: string; url: string }): string | null {
  const location = headers.get("location");
  if (location === null) return null;
  return URL.parse(location, url)?.origin === origin ? null : `leads to ${location}`;
}

/** A download is saved under a name that any system takes for a file's. */
function faultOfName(headers: Headers): string | null {
  const [, encoded] = (headers.get("content-disposition") ?? "").split("filename*=UTF-8''");
  if (encoded === undefined) return null;
  const name = decodeURIComponent(encoded);
  const isFolder = /^[\s.]*$/u.test(name);
  const isUnsafe = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069/\\]|[\s.]$/u.test(name);
  return isFolder || isUnsafe ? `is saved as ${JSON.stringify(name)}` : null;
}
