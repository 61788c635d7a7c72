import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

type Answered = [kind: number, id: number, error: { message: string } | null, value: unknown];

/** Mozilla's remote control: messages of JSON over TCP, each with its length before a colon. */
export class Marionette {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #nextId = 1;
  /** A character for each byte. */
  #received = "";

  private constructor(socket: Socket) {
    this.#socket = socket;
    // The lengths of messages count bytes.
    socket.setEncoding("latin1").on("data", (bytes) => this.#read(String(bytes)));
    socket.on("close", () => this.#fail(new Error("Thunderbird has closed the connection")));
  }

  /** Connects to a program that is starting, and begins a session. @throws Error after a minute without an answer */
  static async open(port: number): Promise<Marionette> {
    const endsAt = Date.now() + 60_000;
    for (;;) {
      const socket = connect(port, "127.0.0.1");
      try {
        await once(socket, "connect");
        const marionette = new Marionette(socket);
        await marionette.ask("WebDriver:NewSession", {});
        await marionette.ask("Marionette:SetContext", { value: "chrome" });
        return marionette;
      } catch (error) {
        socket.destroy();
        if (Date.now() > endsAt) throw error;
        await pause(500);
      }
    }
  }

  /** @throws Error with the program's words */
  ask(command: string, given: object): Promise<unknown> {
    const id = this.#nextId;
    this.#nextId += 1;
    const asked = Promise.withResolvers<unknown>();
    this.#waiting.set(id, asked);
    const text = JSON.stringify([0, id, command, given]);
    this.#socket.write(`${new TextEncoder().encode(text).length}:${text}`);
    return asked.promise;
  }

  /** Runs an async function with the rights of the program. @param script its body; `given` are its arguments */
  async run<Result>(script: string, ...given: unknown[]): Promise<Result> {
    const wrapped = `const given = [...arguments], done = given.pop();
      (async () => { ${script} })().then((value) => done({ value: value ?? null }), (error) => done({ error: String(error) }));`;
    const answer = (await this.ask("WebDriver:ExecuteAsyncScript", {
      script: wrapped,
      args: given,
      scriptTimeout: 120_000,
    })) as { value: { value: Result } | { error: string } };
    if ("error" in answer.value) throw new Error(answer.value.error);
    return answer.value.value;
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(bytes: string): void {
    this.#received += bytes;
    for (;;) {
      const [, digits = ""] = /^(\d+):/.exec(this.#received) ?? [];
      const start = digits.length + 1;
      const end = start + Number(digits);
      if (digits === "" || this.#received.length < end) return;
      const text = Uint8Array.from(this.#received.slice(start, end), (byte) => byte.charCodeAt(0));
      this.#received = this.#received.slice(end);
      const message: unknown = JSON.parse(new TextDecoder().decode(text));
      // The first message is a greeting, an object.
      if (Array.isArray(message)) this.#settle(message as Answered);
    }
  }

  #settle([, id, error, value]: Answered): void {
    const asked = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) asked?.reject(new Error(error.message));
    else asked?.resolve(value);
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
