/**
 * Finds what no response may have: a 5xx status, HTML that cannot be rewritten, a redirect to another site, or an unsafe
 * download name. Reads the whole body.
 * @param origin the site's origin
 * @param url the requested URL
 * @param isStripe whether billing is set up; if not, BILLING_UNAVAILABLE is allowed
 * @returns a description, or null
 */
export async function findResponseProblem(
  response: Response,
  { origin, url, isStripe }: { origin: string; url: string; isStripe: boolean },
): Promise<string | null> {
  const { status } = response;
  const problems = [findNameProblem(response.headers), findRedirectProblem(response.headers, { origin, url })];
  const text = response.webSocket ? "" : await readAsEdge(response);
  response.webSocket?.accept();
  response.webSocket?.close();
  if (status >= 500 && (isStripe || !text.includes("BILLING_UNAVAILABLE"))) return `${status} ${text.slice(0, 300)}`;
  if (text.startsWith(UNREADABLE)) return text;
  return problems.find((problem) => problem !== null) ?? null;
}

const UNREADABLE = "HTMLRewriter cannot read the body: ";

/** Cloudflare may rewrite HTML on its way, and answers 500 for an unknown charset. */
async function readAsEdge(response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("text/html")) return response.text();
  try {
    return await new HTMLRewriter().on("nothing", {}).transform(response).text();
  } catch (error) {
    return `${UNREADABLE}${String(error)} (${type})`;
  }
}

/** A redirect must stay on this site. */
function findRedirectProblem(headers: Headers, { origin, url }: { origin: string; url: string }): string | null {
  const location = headers.get("location");
  if (location === null) return null;
  return URL.parse(location, url)?.origin === origin ? null : `redirects to ${location}`;
}

/** A download name must be a valid file name on every operating system. */
function findNameProblem(headers: Headers): string | null {
  const [, encoded] = (headers.get("content-disposition") ?? "").split("filename*=UTF-8''");
  if (encoded === undefined) return null;
  const name = decodeURIComponent(encoded);
  const isFolder = /^[\s.]*$/u.test(name);
  const isUnsafe = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069/\\]|[\s.]$/u.test(name);
  return isFolder || isUnsafe ? `unsafe download name: ${JSON.stringify(name)}` : null;
}
