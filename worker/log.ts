import { AsyncLocalStorage } from "node:async_hooks";

/** What is known of a request while it is answered. */
interface RequestLog {
  /** Names it in the log, in its answer's `X-Request-Id` and in a 500. */
  id: string;
  /** The pattern that its path matched, such as `/api/files/:id`: a path itself may hold a link's secret. */
  route: string;
}

const traces = new WeakMap<Request, RequestLog>();
const current = new AsyncLocalStorage<RequestLog>();

/** The edge's own id of a request looks like this. Anybody else could write anything there, so nothing else is taken. */
const RAY = /^[0-9a-f]{16}-[A-Z]{3}$/;

/** A request's trace; it begins with the first who asks. */
export function requestLogOf(request: Request): RequestLog {
  const known = traces.get(request);
  if (known) return known;
  const ray = request.headers.get("cf-ray") ?? "";
  const trace = { id: RAY.test(ray) ? ray : crypto.randomUUID(), route: "*" };
  traces.set(request, trace);
  return trace;
}

/**
 * Answers a request and leaves one line about it in the log: how it was asked for and how it ended, and nothing that
 * it held. No query, no header, no address, and of the path the pattern alone.
 */
export async function withRequestLog(request: Request, answer: () => Promise<Response>): Promise<Response> {
  const trace = requestLogOf(request);
  const from = Date.now();
  return current.run(trace, async () => {
    const response = await answer();
    const { status } = response;
    const line = { event: "request", method: request.method, route: trace.route, status, ms: Date.now() - from };
    write(status >= 500 ? "error" : "log", line);
    return response;
  });
}

/** Leaves a line in the log, with the id of the request that it belongs to. Its fields hold ids of ours, never a secret. */
export function logEvent(event: string, fields: Record<string, unknown> = {}): void {
  write("log", { event, ...fields });
}

/** The same for what went right in the end, and should not have to. */
export function logWarning(event: string, fields: Record<string, unknown>): void {
  write("warn", { event, ...fields });
}

/** The same for what went wrong. */
export function logError(event: string, error: unknown, fields: Record<string, unknown> = {}): void {
  write("error", { event, ...fields, error: describeError(error) });
}

function write(level: "log" | "warn" | "error", line: Record<string, unknown>): void {
  const trace = current.getStore();
  const text = JSON.stringify(trace ? { ...line, requestId: trace.id } : line);
  if (level === "error") console.error(text);
  else if (level === "warn") console.warn(text);
  else console.log(text);
}

/** How deep the causes of an error are followed. */
const MOST_CAUSES = 3;

/**
 * What the log says of an error: where it happened and why, without the values that a statement was run with and
 * without the queries of addresses, which hold tokens and signatures.
 */
export function describeError(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return withoutQueries(typeof error === "string" ? error : typeof error);
  const cause =
    error.cause === undefined || depth >= MOST_CAUSES ? "" : `\nby ${describeError(error.cause, depth + 1)}`;
  // Drizzle's error names the statement and, in its message, the values.
  const values = "query" in error && "params" in error;
  const text = values ? `${error.name}: Failed query: ${String(error.query)}` : (error.stack ?? error.message);
  return `${withoutQueries(text)}${cause}`;
}

function withoutQueries(text: string): string {
  return text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?"'<>]*)\?[^\s"'<>]*/gi, "$1?…");
}
