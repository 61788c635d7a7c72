import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Sockets of one upload: tabs of its sender, and watchers. */
export interface Guests {
  origin: string;
  downloadId: string;
  cookie: string;
  senders: number;
  watchers: number;
}

/** Messages that each sender sends, and their interval. */
export interface Talk {
  times: number;
  everyMs: number;
}

export type Ask = { kind: "gather"; guests: Guests } | { kind: "talk"; talk: Talk };

/** What watchers received. A message counts as received when the message itself or a newer one arrives. */
export interface Received {
  /** The number of sent messages, times the number of watchers. */
  sent: number;
  lost: number;
  /** Messages that arrived after a newer one, or twice. */
  late: number;
  frames: number;
  /** The time from sending the first message to the last watcher's last message. */
  durationMs: number;
  /** For each message that all watchers received, the time from sending it to the last watcher. */
  slowestMs: number[];
}

/** Holds sockets in a process of its own, so that they do not slow the bench. */
export class Crowd {
  readonly #process: ChildProcess = fork("bench/support/crowd-process.ts");

  /** Closes all sockets and opens new ones. @returns once all new sockets are open */
  async connect(guests: Guests): Promise<void> {
    await this.#ask({ kind: "gather", guests });
  }

  async sendMessages(talk: Talk): Promise<Received> {
    return (await this.#ask({ kind: "talk", talk })) as Received;
  }

  stop(): void {
    this.#process.kill();
  }

  async #ask(ask: Ask): Promise<unknown> {
    const settled = new AbortController();
    const { signal } = settled;
    const ended = once(this.#process, "exit", { signal }).then(() => {
      throw new Error("the crowd's process has ended");
    });
    this.#process.send(ask);
    try {
      const [answer] = (await Promise.race([once(this.#process, "message", { signal }), ended])) as [unknown];
      return answer;
    } finally {
      ended.catch(() => undefined);
      settled.abort();
    }
  }
}
