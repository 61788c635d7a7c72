import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** What becomes of a connection once an upload with tus has come to an offset. */
export interface Cut {
  /** The bytes before it reach the server, and no others of that request. */
  offset: number;
  /** "half open": the server is not told that the client is gone. */
  kind: "cut" | "half open";
}

const HEAD_END = "\r\n\r\n";

/** A line between a client of tus and a server that breaks at chosen offsets. It knows HTTP/1.1 with announced lengths. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  /** Those that are still to come, in the order of their offsets. */
  cuts: Cut[] = [];

  /** @param target origin of the server */
  constructor(target: string) {
    this.#port = Number(new URL(target).port);
    this.#server = createServer((client) => {
      this.#serve(client);
    });
  }

  /** @returns the origin that clients call */
  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Also ends the connections that are half open. */
  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #serve(client: Socket): void {
    const upstream = connect(this.#port, "localhost");
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => this.#sockets.delete(socket));
    }
    const requests = new Requests();
    let isHalfOpen = false;
    client.on("data", (bytes: Uint8Array) => {
      const [cut] = this.cuts;
      const kept = requests.until(bytes, cut?.offset ?? Infinity);
      upstream.write(bytes.subarray(0, kept));
      if (!cut || kept === bytes.byteLength) return;
      this.cuts.shift();
      isHalfOpen = cut.kind === "half open";
      // What has been written arrives before the end.
      if (!isHalfOpen) upstream.destroySoon();
      client.destroy();
    });
    client.on("close", () => {
      if (!isHalfOpen) upstream.destroySoon();
    });
    upstream.pipe(client);
    // A server that is killed resets its connections, and `pipe` knows only their ends.
    upstream.on("close", () => {
      client.destroySoon();
    });
  }
}

/** Follows the requests of one connection. */
class Requests {
  #head = "";
  /** Of the body at work; null for one without an offset. */
  #offset: number | null = null;
  #bodyLeft = 0;

  /** @returns how many of the bytes come before the offset of an upload */
  until(bytes: Uint8Array, offset: number): number {
    let at = 0;
    while (at < bytes.byteLength) {
      if (this.#bodyLeft === 0) {
        at += this.#readHead(bytes.subarray(at));
        continue;
      }
      const length = Math.min(this.#bodyLeft, bytes.byteLength - at);
      if (this.#offset !== null && this.#offset + length > offset) return at + Math.max(0, offset - this.#offset);
      if (this.#offset !== null) this.#offset += length;
      this.#bodyLeft -= length;
      at += length;
    }
    return at;
  }

  /** @returns how many bytes belong to the head */
  #readHead(bytes: Uint8Array): number {
    const before = this.#head.length;
    // One character for each byte.
    this.#head += new TextDecoder("latin1").decode(bytes);
    const end = this.#head.indexOf(HEAD_END);
    if (end === -1) return bytes.byteLength;
    const head = this.#head.slice(0, end);
    this.#bodyLeft = readNumber(head, "content-length") ?? 0;
    this.#offset = readNumber(head, "upload-offset");
    this.#head = "";
    return end + HEAD_END.length - before;
  }
}

/** @returns null for a header that is not there */
function readNumber(head: string, name: string): number | null {
  const value = new RegExp(`^${name}: *(\\d+)`, "im").exec(head)?.[1];
  return value === undefined ? null : Number(value);
}
