import type { Page } from "playwright-core";
import { isMultipart, planParts } from "#domain/parts.ts";

/**
 * The store's own address and files of the build, neither of which reaches the Worker in a deployment, and what the page
 * asks about its links, uploads or not.
 */
const ELSEWHERE = ["/cdn-cgi/local/r2/", "/assets/", "/__manifest"];

/** What a page asks of the Worker from now on, its socket included. */
export class WorkerRequests {
  readonly #asked: string[] = [];
  #carried: string | null = null;

  constructor(page: Page, origin: string) {
    const host = new URL(origin).host;
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.host !== host || ELSEWHERE.some((path) => url.pathname.startsWith(path))) return;
      const name = `${request.method()} ${url.pathname}`;
      this.#asked.push(name);
      const isJson = request.headers()["content-type"]?.startsWith("application/json") ?? false;
      if (request.method() !== "GET" && !isJson) this.#carried = name;
    });
    page.on("websocket", (socket) => {
      const url = new URL(socket.url());
      if (url.host === host) this.#asked.push(`socket ${url.pathname}`);
    });
  }

  /** @returns how many there were @throws Error when a file of that size asks for more, or when one carried bytes of it */
  check(sizeBytes: number): number {
    const most = mostRequests(sizeBytes);
    if (this.#carried !== null) throw new Error(`${this.#carried} carries bytes of the file through the Worker`);
    if (this.#asked.length > most) throw new Error(`more than ${most} requests: ${this.#asked.join(", ")}`);
    return this.#asked.length;
  }
}

/** What an upload may ask of the Worker: three requests, and one more for each fifty parts. */
export function mostRequests(sizeBytes: number): number {
  return 3 + (isMultipart(sizeBytes) ? Math.floor(planParts(sizeBytes).partCount / 50) : 0);
}
