import { once } from "node:events";
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { Transform, type Duplex } from "node:stream";
import { KIB } from "#domain/units.ts";
import { freePort } from "../../scripts/free-port.ts";
import { eventually } from "./processes.ts";

/** So much of a held body goes through: the request is then in the middle of its way. */
const HELD_AFTER_BYTES = 256 * KIB;

/** A page that has asked for nothing for so long is at rest. */
const REST_MS = 500;

/** What came over the line. */
export interface Seen {
  method: string;
  /** Path and query. */
  path: string;
  /** 0 until the answer's head is here. */
  status: number;
}

/**
 * The line between browsers and the local system: an HTTP proxy that can be cut and mended, and that can hold a request
 * in the middle of its body. It works the same for every browser, and needs none of a browser's own switches.
 */
export class Line {
  /** What browsers open. */
  readonly origin: string;
  /** Everything that came over it, oldest first. */
  readonly seen: Seen[] = [];
  /** What sockets said to browsers: the frames as they are, one after the other (RFC 6455: the server's are in the clear). */
  heard = "";
  /** How many connections were turned away while it was cut. */
  refused = 0;
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
        this.refused += 1;
        socket.destroy();
        this.#look();
        return;
      }
      this.#keep(socket);
    });
    this.#server.on("request", (request, response) => {
      this.#forward(request, response);
    });
    this.#server.on("upgrade", (request, socket, head) => {
      this.#tunnel(request, socket, head);
    });
  }

  /** Opens a line to nowhere yet, on a port of its own. */
  static async open(): Promise<Line> {
    const port = await freePort();
    const line = new Line(port);
    line.#server.listen(port);
    await once(line.#server, "listening");
    return line;
  }

  /** @param origin where requests go from now on */
  leadTo(origin: string): void {
    this.#target = new URL(origin);
  }

  /** Breaks every connection, and turns new ones away. */
  cut(): void {
    this.#isCut = true;
    for (const connection of this.#connections) connection.destroy();
  }

  /** Takes connections again. */
  mend(): void {
    this.#isCut = false;
  }

  /**
   * Holds the bodies of requests that begin from now on, where `isHeld` says so. Those that are held already are broken:
   * nobody reads them, so the line would not notice that their browser has gone.
   */
  hold(isHeld: (request: Seen) => boolean): void {
    this.#isHeld = isHeld;
    for (const request of this.#held) request.destroy();
    this.#held.clear();
  }

  /** Resolves once a condition holds, which is looked at now and with all that happens on the line. @throws Error after `limitMs` */
  until(what: string, condition: () => boolean, limitMs: number): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const tooLong = setTimeout(() => {
        reject(new Error(`the line waited ${limitMs} ms for: ${what}`));
      }, limitMs);
      this.#waiting.push({
        condition,
        resolve: () => {
          clearTimeout(tooLong);
          resolve();
        },
      });
    });
  }

  /** Resolves once nothing has been on its way for half a second; open sockets do not count. @throws Error with what is */
  rest(): Promise<void> {
    return eventually("nothing is on its way", () => {
      const paths = [...this.#underWay].map(({ path }) => path);
      if (paths.length > 0) throw new Error(paths.join(", "));
      if (performance.now() - this.#lastEnd < REST_MS) throw new Error("something has just ended");
      return Promise.resolve();
    });
  }

  /** As it was when it was opened, but for where it leads: whole, holding nothing, and without a past. */
  reset(): void {
    this.mend();
    this.hold(() => false);
    this.seen.length = 0;
    this.heard = "";
    this.refused = 0;
  }

  /** Breaks everything and gives the port back. */
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
    const onward = ask({ ...this.#address(), method, path, headers: request.headers }, (answer) => {
      seen.status = answer.statusCode ?? 0;
      response.writeHead(seen.status, answer.statusMessage, answer.rawHeaders);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
      this.#look();
    });
    onward.on("error", () => response.destroy());
    this.#underWay.add(seen);
    response.on("close", () => {
      this.#underWay.delete(seen);
      this.#lastEnd = performance.now();
      if (!response.writableFinished) onward.destroy();
    });
    if (this.#isHeld(seen)) {
      this.#held.add(request);
      request.pipe(heldBody()).pipe(onward);
    } else {
      request.pipe(onward);
    }
    this.#look();
  }

  #tunnel(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { host, port } = this.#address();
    const onward = connect(port, host, () => {
      // Nobody is asked to compress: what is said stays readable.
      const headers = Object.entries({ ...request.headers, "sec-websocket-extensions": undefined });
      const lines = headers.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${String(value)}\r\n`]));
      onward.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join("")}\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on("data", (said: Buffer) => {
      this.heard += said.toString("latin1");
      this.#look();
    });
    this.#keep(onward);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  }

  #address(): { host: string; port: number } {
    if (!this.#target) throw new Error("the line leads nowhere yet");
    return { host: this.#target.hostname, port: Number(this.#target.port) };
  }

  #keep(connection: Duplex): void {
    this.#connections.add(connection);
    connection.on("error", () => connection.destroy());
    connection.on("close", () => this.#connections.delete(connection));
  }

  #look(): void {
    const met = this.#waiting.filter(({ condition }) => condition());
    this.#waiting = this.#waiting.filter((waiting) => !met.includes(waiting));
    for (const { resolve } of met) resolve();
  }
}

/** Lets the beginning of a body through, and never the rest. */
function heldBody(): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      if (passed <= HELD_AFTER_BYTES) done(null, chunk);
    },
  });
}
