import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Sockets on one upload: tabs of its sender, and people who look on. */
export interface Guests {
  origin: string;
  downloadId: string;
  /** The sender's, as a header has it. */
  cookie: string;
  senders: number;
  watchers: number;
}

/** Each sender says so many messages, one each so often. */
export interface Talk {
  times: number;
  everyMs: number;
}

export type Ask = { kind: "gather"; guests: Guests } | { kind: "talk"; talk: Talk };

/** What those who look on have heard. A message is heard with its arrival, or with that of a newer one in its place. */
export interface Heard {
  /** A message counts once for each of its hearers. */
  said: number;
  lost: number;
  /** That came after a newer one, or again. */
  late: number;
  /** That came. */
  frames: number;
  /** From the first message's leaving to the last one's last hearer. */
  durationMs: number;
  /** Of each message that everybody has heard: from its leaving to its last hearer. */
  slowestMs: number[];
}

/** A process that holds sockets, so that neither reading them nor waiting for them is in anybody's way. */
export class Crowd {
  readonly #process: ChildProcess = fork("bench/support/crowd-process.ts");

  /** Lets everybody go, and opens these sockets. @returns once all of them are open */
  async gather(guests: Guests): Promise<void> {
    await this.#ask({ kind: "gather", guests });
  }

  /** Has the senders talk. @returns what was heard of it */
  async talk(talk: Talk): Promise<Heard> {
    return (await this.#ask({ kind: "talk", talk })) as Heard;
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
