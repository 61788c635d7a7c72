import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A line to a server: counts what programs send over it, and breaks where a test says. */
export class TcpLine {
  /** Bytes that programs have sent, headers included. */
  sentBytes = 0;
  /** Ends the connection when this many bytes have been sent over the line, and again at the next number. */
  cuts: number[] = [];
  /** Where the line leads. */
  targetPort = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((program) => {
    this.#open(program);
  });

  /** @returns the origin that programs use */
  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #open(program: Socket): void {
    const server = connect(this.targetPort, "localhost");
    const end = () => {
      program.destroy();
      server.destroy();
    };
    for (const socket of [program, server]) {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    }
    program.on("error", end);
    // What the server said before it broke off still reaches the program.
    server.on("error", () => program.end());
    program.on("data", (bytes: Uint8Array) => {
      const [cut = Infinity] = this.cuts;
      const kept = bytes.subarray(0, cut - this.sentBytes);
      this.sentBytes += kept.byteLength;
      if (!server.write(kept)) {
        program.pause();
        server.once("drain", () => program.resume());
      }
      if (this.sentBytes < cut) return;
      this.cuts.shift();
      end();
    });
    program.on("end", () => server.end());
    server.pipe(program);
  }
}
