import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { Transform, type Duplex } from "node:stream";
import { KIB } from "#domain/units.ts";
import { freePort } from "../../scripts/free-port.ts";
import { eventually } from "./processes.ts";

/** The bytes of a held body that pass, so that the request is held in its middle. */
const HELD_AFTER_BYTES = 256 * KIB;

/** A page without requests for this long is at rest. */
const REST_MS = 500;

export interface Seen {
  method: string;
  path: string;
  /** The status of the answer; 0 until the answer begins. */
  status: number;
}

/**
 * An HTTP proxy between browsers and the local system that can cut connections, and hold a request in the middle of its
 * body. Works for every browser, without switches of that browser.
 */
export class Line {
  readonly origin: string;
  readonly seen: Seen[] = [];
  /** Raw WebSocket frames from the server (unmasked, RFC 6455), concatenated. */
  frames = "";
  /** The number of connections that were rejected while the line was cut. */
  rejected = 0;
  readonly #server = createServer();
  readonly #connections = new Set<Duplex>();
  #target: URL | null = null;
  #isCut = false;
  #isHeld: (request: Seen) => boolean = () => false;
  readonly #held = new Set<IncomingMessage>();
  readonly #underWay = new Set<Seen>();
  #lastEnd = 0;
  #waiting: { condition: () => boolean; resolve: () => void }[] = [];

  private constructor(port: number) {
    this.origin = `http://localhost:${port}`;
    this.#server.on("connection", (socket: Duplex) => {
      if (this.#isCut) {
        this.rejected += 1;
        socket.destroy();
        this.#checkConditions();
        return;
      }
      this.#track(socket);
    });
    this.#server.on("request", (request, response) => {
      this.#forward(request, response);
    });
    this.#server.on("upgrade", (request, socket, head) => {
      this.#tunnel(request, socket, head);
    });
  }

  /** Opens a line on a free port, without a target. */
  static async open(): Promise<Line> {
    const port = await freePort();
    const line = new Line(port);
    line.#server.listen(port);
    await once(line.#server, "listening");
    return line;
  }

  /** @param origin the target of all requests from now on */
  leadTo(origin: string): void {
    this.#target = new URL(origin);
  }

  /** Closes all connections and rejects new ones. */
  cut(): void {
    this.#isCut = true;
    for (const connection of this.#connections) connection.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  /**
   * Holds the bodies of further requests that `isHeld` selects. Requests that are already held are closed: nobody reads
   * them, so the proxy would not notice when their browser has gone.
   */
  hold(isHeld: (request: Seen) => boolean): void {
    this.#isHeld = isHeld;
    for (const request of this.#held) request.destroy();
    this.#held.clear();
  }

  /** Waits for a condition, which is checked now and at each event. @throws Error after `limitMs` */
  until(what: string, condition: () => boolean, limitMs: number): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`the line waited ${limitMs} ms for: ${what}`));
      }, limitMs);
      this.#waiting.push({
        condition,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      });
    });
  }

  /** Waits until no request has run for half a second; sockets do not count. @throws Error naming the open requests */
  rest(): Promise<void> {
    return eventually("nothing is on its way", () => {
      const paths = [...this.#underWay].map(({ path }) => path);
      if (paths.length > 0) throw new Error(paths.join(", "));
      if (performance.now() - this.#lastEnd < REST_MS) throw new Error("something has just ended");
      return Promise.resolve();
    });
  }

  /** Resets everything but the target. */
  reset(): void {
    this.mend();
    this.hold(() => false);
    this.seen.length = 0;
    this.frames = "";
    this.rejected = 0;
  }

  async close(): Promise<void> {
    this.cut();
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const seen: Seen = { method: request.method ?? "", path: request.url ?? "", status: 0 };
    this.seen.push(seen);
    const { method, path } = seen;
    const upstream = httpRequest({ ...this.#address(), method, path, headers: request.headers }, (answer) => {
      seen.status = answer.statusCode ?? 0;
      response.writeHead(seen.status, answer.statusMessage, answer.rawHeaders);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
      this.#checkConditions();
    });
    upstream.on("error", () => response.destroy());
    this.#underWay.add(seen);
    response.on("close", () => {
      this.#underWay.delete(seen);
      this.#lastEnd = performance.now();
      if (!response.writableFinished) upstream.destroy();
    });
    if (this.#isHeld(seen)) {
      this.#held.add(request);
      request.pipe(heldBody()).pipe(upstream);
    } else {
      request.pipe(upstream);
    }
    this.#checkConditions();
  }

  #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { host, port } = this.#address();
    const upstream = connect(port, host, () => {
      // Compression is turned off, so that frames stay readable.
      const headers = Object.entries({ ...request.headers, "sec-websocket-extensions": undefined });
      const lines = headers.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${String(value)}\r\n`]));
      upstream.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join("")}\r\n`);
      upstream.write(head);
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on("data", (chunk: Buffer) => {
      this.frames += chunk.toString("latin1");
      this.#checkConditions();
    });
    this.#track(upstream);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  }

  #address(): { host: string; port: number } {
    if (!this.#target) throw new Error("the line leads nowhere yet");
    return { host: this.#target.hostname, port: Number(this.#target.port) };
  }

  #track(connection: Duplex): void {
    this.#connections.add(connection);
    connection.on("error", () => connection.destroy());
    connection.on("close", () => this.#connections.delete(connection));
  }

  #checkConditions(): void {
    const met = this.#waiting.filter(({ condition }) => condition());
    this.#waiting = this.#waiting.filter((waiting) => !met.includes(waiting));
    for (const { resolve } of met) resolve();
  }
}

/** Passes the beginning of a body and never the rest. */
function heldBody(): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      if (passed <= HELD_AFTER_BYTES) done(null, chunk);
    },
  });
}
