import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Reads may be answered by a replica near the caller (D1's Sessions API). Each request has a session of its own, which
 * every query of the request belongs to, so what a request has seen or written it sees again. Outside of requests, in
 * Durable Objects and the cron, the primary answers.
 */
const current = new AsyncLocalStorage<D1DatabaseSession>();

/** Carries how far the person's last change had come, so that no replica shows them less. */
const COOKIE = "mayfly.bookmark";
/** Replicas are seconds behind the primary at most; after this, any of them has the change. */
const COOKIE_SECONDS = 60;
/** A bookmark as D1 writes them. */
const BOOKMARK = /^[0-9a-f]{8}(-[0-9a-f]{8}){2}-[0-9a-f]{32}$/;

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** A binding whose queries belong to the session of the request that sends them. */
export function inSessions(binding: D1Database): D1Database {
  return new Proxy(binding, {
    get(target, name) {
      const from = name === "prepare" || name === "batch" ? (current.getStore() ?? target) : target;
      const value: unknown = Reflect.get(from, name);
      return typeof value === "function" ? (value.bind(from) as unknown) : value;
    },
  });
}

/**
 * Answers a request within a session: a change reads and writes at the primary, a read may go to any replica that has
 * what the person changed last.
 */
export async function withSession(
  binding: D1Database,
  request: Request,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const isRead = SAFE_METHODS.has(request.method);
  const session = binding.withSession(isRead ? (bookmarkOf(request) ?? "first-unconstrained") : "first-primary");
  const response = await current.run(session, async () => answer());
  const bookmark = session.getBookmark();
  const isPerson = request.headers.has("cookie") || response.headers.has("set-cookie");
  if (isRead || !isPerson || bookmark === null || response.webSocket) return response;
  const marked = new Response(response.body, response);
  const secure = new URL(request.url).protocol === "https:" ? "; Secure" : "";
  marked.headers.append(
    "set-cookie",
    `${COOKIE}=${bookmark}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  );
  return marked;
}

/** Asks at the primary, for what has to be known as it is now and not as a replica last heard of it. */
export function atPrimary<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return current.exit(ask);
}

function bookmarkOf(request: Request): string | null {
  const found = /(?:^|;\s*)mayfly\.bookmark=([^;]+)/.exec(request.headers.get("cookie") ?? "");
  const bookmark = found?.[1] ?? "";
  return BOOKMARK.test(bookmark) ? bookmark : null;
}
