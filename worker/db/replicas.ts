import { AsyncLocalStorage } from "node:async_hooks";
import { parse, serialize } from "hono/utils/cookie";

/**
 * The D1 session of the current request (https://developers.cloudflare.com/d1/best-practices/read-replication/). All
 * queries of a request share one D1 session, so a request always sees its own earlier reads and writes. Without a
 * session, as in Durable Objects and the cron, the primary answers.
 */
const requestSession = new AsyncLocalStorage<D1DatabaseSession>();

/** The cookie with the D1 bookmark of the caller's last change, so that no replica shows the caller an older state. */
const COOKIE = "mayfly.bookmark";
/** How long the cookie lasts: longer than the seconds by which replicas lag behind the primary. */
const COOKIE_SECONDS = 60;
const BOOKMARK = /^[0-9a-f]{8}(-[0-9a-f]{8}){2}-[0-9a-f]{32}$/;

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Sends queries through the D1 session of the current request, if the request has one. */
export function sessionAwareBinding(binding: D1Database): D1Database {
  return new Proxy(binding, {
    get(target, name) {
      const source = name === "prepare" || name === "batch" ? (requestSession.getStore() ?? target) : target;
      const value: unknown = Reflect.get(source, name);
      return typeof value === "function" ? (value.bind(source) as unknown) : value;
    },
  });
}

/**
 * Answers a request: from the primary if the request may write, else from any replica that has the caller's last
 * change.
 */
export async function answerInSession(
  binding: D1Database,
  request: Request,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const isRead = isReading(request);
  const session = binding.withSession(isRead ? (bookmarkOf(request) ?? "first-unconstrained") : "first-primary");
  const response = await requestSession.run(session, async () => answer());
  const bookmark = session.getBookmark();
  const hasCookies = request.headers.has("cookie") || response.headers.has("set-cookie");
  if (isRead || !hasCookies || bookmark === null || response.webSocket) return response;
  const withBookmark = new Response(response.body, response);
  const secure = new URL(request.url).protocol === "https:";
  withBookmark.headers.append(
    "set-cookie",
    serialize(COOKIE, bookmark, { path: "/", maxAge: COOKIE_SECONDS, httpOnly: true, sameSite: "Lax", secure }),
  );
  return withBookmark;
}

/** Runs a query at the primary, because a replica may be seconds behind. */
export function atPrimary<Result>(query: () => Promise<Result>): Promise<Result> {
  return requestSession.exit(query);
}

/**
 * Whether a request only reads. A GET by which a person returns from a sign-in provider writes, because it signs the
 * person in.
 */
function isReading({ method, url }: Request): boolean {
  return SAFE_METHODS.has(method) && !new URL(url).pathname.startsWith("/api/auth/provider/");
}

function bookmarkOf(request: Request): string | null {
  const { [COOKIE]: bookmark = "" } = parse(request.headers.get("cookie") ?? "", COOKIE);
  return BOOKMARK.test(bookmark) ? bookmark : null;
}
