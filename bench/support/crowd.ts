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

/** What watchers received. A message counts as received with itself or with a newer one. */
export interface Received {
  /** Messages sent, times watchers. */
  sent: number;
  lost: number;
  /** Messages after a newer one, or received twice. */
  late: number;
  frames: number;
  /** From sending the first message to the last watcher's last message. */
  durationMs: number;
  /** For each message received by all: from sending to the last watcher. */
  slowestMs: number[];
}

/** Holds sockets in a process of its own, so that they do not slow the bench. */
export class Crowd {
  readonly #process: ChildProcess = fork("bench/support/crowd-process.ts");

  /** Closes all sockets and opens new ones. @returns once all are open */
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
