import { once } from "node:events";
import { createServer, request as ask, type IncomingMessage, type OutgoingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** What a front makes of an answer. */
export interface Answered {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Uint8Array;
}

/** How a front spoils what passes it. */
export interface Spoiling {
  /** Answers in the server's place, or not: null. */
  instead?: (request: IncomingMessage) => Partial<Answered> | null;
  /** Changes an answer, which comes whole and not compressed. */
  answer?: (answered: Answered, request: IncomingMessage) => void;
  /** Holds each request back until all of it has come. */
  holds?: boolean;
}

/** Stands in front of a server as Cloudflare's edge does: passes everything on, and spoils it where a test says how. */
export class Front {
  spoiling: Spoiling = {};
  /** Where it leads. */
  targetPort = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      this.#pass(request, gone.signal).then(
        ({ status, headers, body }) => response.writeHead(status, headers).end(body),
        () => response.destroy(),
      );
    });
  }

  /** @returns the origin that people use */
  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #pass(request: IncomingMessage, signal: AbortSignal): Promise<Answered> {
    const { instead, answer, holds = false } = this.spoiling;
    const own = instead?.(request);
    if (own) {
      request.resume();
      return { status: 200, headers: {}, body: new Uint8Array(), ...own };
    }
    const { method, url } = request;
    const headers = { ...request.headers, ...(answer && { "accept-encoding": "identity" }) };
    const held = holds ? await buffer(request) : null;
    const onward = ask({ host: "localhost", port: this.targetPort, method, path: url, headers, signal });
    const answering = once(onward, "response") as Promise<[IncomingMessage]>;
    if (held) onward.end(held);
    else request.pipe(onward);
    const [response] = await answering;
    const answered = {
      status: response.statusCode ?? 0,
      headers: { ...response.headers },
      body: await buffer(response),
    };
    // Its length is that of the body, which may be changed.
    if (method !== "HEAD") delete answered.headers["content-length"];
    answer?.(answered, request);
    return answered;
  }
}
