import { AsyncLocalStorage } from "node:async_hooks";

interface RequestLog {
  /** The request's id. The answer's `X-Request-Id` and the body of a 500 name the same id. */
  id: string;
  /** A pattern such as `/api/files/:id`, because the path itself may hold a link's secret. */
  route: string;
}

const requestLogs = new WeakMap<Request, RequestLog>();
const current = new AsyncLocalStorage<RequestLog>();

/** The form of Cloudflare's request id. A client could put any other text into the header. */
const RAY = /^[0-9a-f]{16}-[A-Z]{3}$/;

export function requestLogOf(request: Request): RequestLog {
  const known = requestLogs.get(request);
  if (known) return known;
  const ray = request.headers.get("cf-ray") ?? "";
  const entry = { id: RAY.test(ray) ? ray : crypto.randomUUID(), route: "*" };
  requestLogs.set(request, entry);
  return entry;
}

/** Logs one line per request. Omits query, headers and address, and logs the path only as its pattern. */
export async function withRequestLog(request: Request, answer: () => Promise<Response>): Promise<Response> {
  const entry = requestLogOf(request);
  const from = Date.now();
  return current.run(entry, async () => {
    const response = await answer();
    const { status } = response;
    const line = { event: "request", method: request.method, route: entry.route, status, ms: Date.now() - from };
    write(status >= 500 ? "error" : "log", line);
    return response;
  });
}

/** Logs an event with the request's id. `fields` may hold our own ids, never a secret. */
export function logEvent(event: string, fields: Record<string, unknown> = {}): void {
  write("log", { event, ...fields });
}

/** Logs work that succeeded after a problem. */
export function logWarning(event: string, fields: Record<string, unknown>): void {
  write("warn", { event, ...fields });
}

export function logError(event: string, error: unknown, fields: Record<string, unknown> = {}): void {
  write("error", { event, ...fields, error: describeError(error) });
}

function write(level: "log" | "warn" | "error", line: Record<string, unknown>): void {
  const entry = current.getStore();
  const text = JSON.stringify(entry ? { ...line, requestId: entry.id } : line);
  if (level === "error") console.error(text);
  else if (level === "warn") console.warn(text);
  else console.log(text);
}

const MAX_CAUSE_DEPTH = 3;

/**
 * Describes an error for the log, without the values of SQL statements and without the queries of URLs, because both
 * hold secrets.
 */
export function describeError(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return withoutQueries(typeof error === "string" ? error : typeof error);
  const cause =
    error.cause === undefined || depth >= MAX_CAUSE_DEPTH ? "" : `\nby ${describeError(error.cause, depth + 1)}`;
  // Drizzle's error message contains the statement's values.
  const values = "query" in error && "params" in error;
  const text = values ? `${error.name}: Failed query: ${String(error.query)}` : (error.stack ?? error.message);
  return `${withoutQueries(text)}${cause}`;
}

function withoutQueries(text: string): string {
  return text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?"'<>]*)\?[^\s"'<>]*/gi, "$1?…");
}
