import type { Page } from "playwright-core";
import { isMultipart, planParts } from "#domain/parts.ts";

/** Requests that are not counted: to storage, for files of the build, which reach no Worker, and preloads of links. */
const ELSEWHERE = ["/cdn-cgi/local/r2/", "/assets/", "/__manifest"];

/** Counts a page's requests to the Worker, including its socket. */
export class WorkerRequests {
  readonly #requests: string[] = [];
  #carried: string | null = null;

  constructor(page: Page, origin: string) {
    const host = new URL(origin).host;
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.host !== host || ELSEWHERE.some((path) => url.pathname.startsWith(path))) return;
      const name = `${request.method()} ${url.pathname}`;
      // A visible page asks now and then whether its session still exists, however long an upload takes.
      if (name === "GET /api/auth/me") return;
      this.#requests.push(name);
      const isJson = request.headers()["content-type"]?.startsWith("application/json") ?? false;
      if (request.method() !== "GET" && !isJson) this.#carried = name;
    });
    page.on("websocket", (socket) => {
      const url = new URL(socket.url());
      if (url.host === host) this.#requests.push(`socket ${url.pathname}`);
    });
  }

  /** @returns the number of requests @throws Error for too many requests, or for one that carried the file's bytes */
  check(sizeBytes: number): number {
    const max = maxRequests(sizeBytes);
    if (this.#carried !== null) throw new Error(`${this.#carried} carries bytes of the file through the Worker`);
    if (this.#requests.length > max) throw new Error(`more than ${max} requests: ${this.#requests.join(", ")}`);
    return this.#requests.length;
  }
}

/** The most requests of an upload: three, and one more for each fifty parts. */
export function maxRequests(sizeBytes: number): number {
  return 3 + (isMultipart(sizeBytes) ? Math.floor(planParts(sizeBytes).partCount / 50) : 0);
}
