import type { Page } from "playwright-core";
import { isMultipart, planParts } from "#domain/parts.ts";

/** Not counted: storage and files of the build, which never reach the Worker in a deployment, and preloads of links. */
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
      // A visible page asks now and then whether its session lives, however long an upload takes.
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

  /** @returns their number @throws Error when there are too many, or one carried the file's bytes */
  check(sizeBytes: number): number {
    const max = maxRequests(sizeBytes);
    if (this.#carried !== null) throw new Error(`${this.#carried} carries bytes of the file through the Worker`);
    if (this.#requests.length > max) throw new Error(`more than ${max} requests: ${this.#requests.join(", ")}`);
    return this.#requests.length;
  }
}

/** Maximum requests of an upload: three, and one for each fifty parts. */
export function maxRequests(sizeBytes: number): number {
  return 3 + (isMultipart(sizeBytes) ? Math.floor(planParts(sizeBytes).partCount / 50) : 0);
}
