import { connect, type Socket } from "node:net";
import { KIB } from "#domain/units.ts";

const [TEXT, CLOSE] = [1, 8];
/** Second byte of a frame: 126 means a 16-bit length follows, and clients set the mask bit (RFC 6455 section 5.2). */
const LONG = 126;
const MASKED = 0x80;
/** A zero mask leaves the text unchanged. */
const MASK = [0, 0, 0, 0];
/** Any 16 bytes in base64 (RFC 6455 section 4.1). */
const KEY = btoa("\0".repeat(16));
const BUFFER_BYTES = 16 * KIB;

/** Called with the position of each text in the received bytes. */
export type Listener = (bytes: Uint8Array, start: number, end: number) => void;

/**
 * A minimal WebSocket that parses frames in place: counting tens of thousands a second leaves no time for an event and
 * a string each.
 */
export class Guest {
  readonly #socket: Socket;
  readonly #greeted: Promise<void>;
  /** Bytes of an incomplete frame or answer head. */
  #rest = new Uint8Array();
  #isOpen = false;
  #listener: Listener = () => undefined;

  /**
   * Resolves with the first message, which the server sends on opening. If the server closes the socket later, an
   * uncaught error ends the process.
   * @throws Error when the server rejects the socket
   */
  static async open(url: URL, headers: Record<string, string>): Promise<Guest> {
    const guest = new Guest(url, headers);
    await guest.#greeted;
    guest.#socket.on("close", () => {
      throw new Error("the server has closed a socket");
    });
    return guest;
  }

  private constructor(url: URL, headers: Record<string, string>) {
    const buffer = new Uint8Array(BUFFER_BYTES);
    const callback = (length: number) => {
      this.#take(buffer.subarray(0, length));
      return true;
    };
    this.#socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true, onread: { buffer, callback } });
    this.#greeted = new Promise((resolve, reject) => {
      this.#listener = () => {
        resolve();
      };
      this.#socket.on("error", reject);
    });
    const head = {
      host: url.host,
      upgrade: "websocket",
      connection: "Upgrade",
      "sec-websocket-version": "13",
      "sec-websocket-key": KEY,
      ...headers,
    };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n`);
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  send(text: string): void {
    const payload = new TextEncoder().encode(text);
    const length =
      payload.length < LONG ? [payload.length | MASKED] : [LONG | MASKED, payload.length >> 8, payload.length & 0xff];
    this.#socket.write(new Uint8Array([0x80 | TEXT, ...length, ...MASK, ...payload]));
  }

  leave(): void {
    this.#socket.removeAllListeners("close");
    this.#socket.destroy();
  }

  #take(come: Uint8Array): void {
    const bytes = this.#rest.length > 0 ? joined(this.#rest, come) : come;
    const from = this.#isOpen ? 0 : this.#enter(bytes);
    const at = this.#isOpen ? this.#read(bytes, from) : 0;
    // The next read overwrites the buffer.
    this.#rest = bytes.slice(at);
  }

  /** @returns where frames begin, once the answer's head is complete */
  #enter(bytes: Uint8Array): number {
    const come = new TextDecoder("latin1").decode(bytes);
    const end = come.indexOf("\r\n\r\n");
    if (end < 0) return 0;
    this.#isOpen = come.startsWith("HTTP/1.1 101 ");
    if (!this.#isOpen) this.#socket.destroy(new Error(`a socket was refused: ${come.slice(0, end)}`));
    return end + 4;
  }

  /** @returns start of the first incomplete frame */
  #read(bytes: Uint8Array, from: number): number {
    const byte = (at: number) => bytes[at] ?? 0;
    let at = from;
    while (at + 4 <= bytes.length) {
      const isLong = byte(at + 1) === LONG;
      const start = at + (isLong ? 4 : 2);
      const end = start + (isLong ? (byte(at + 2) << 8) | byte(at + 3) : byte(at + 1));
      if (end > bytes.length) break;
      const kind = byte(at) & 0x0f;
      if (kind === CLOSE)
        throw new Error(`the server says: ${new TextDecoder().decode(bytes.subarray(start + 2, end))}`);
      if (kind === TEXT) this.#listener(bytes, start, end);
      at = end;
    }
    return at;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
