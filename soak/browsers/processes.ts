import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { SECOND_MS } from "#domain/units.ts";

const LOOK_EVERY_MS = 50;
/** A program may take so long to come up or to end. */
export const PATIENCE_MS = 20 * SECOND_MS;

/** Programs that were started together and end together. */
export class Processes {
  readonly #running: ChildProcess[] = [];

  /** Starts a program as the leader of a process group, so that what it starts itself ends with it. */
  start(command: string, args: string[], env: NodeJS.ProcessEnv, stdio: StdioOptions = "ignore"): ChildProcess {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio, detached: true });
    this.#running.push(child);
    return child;
  }

  /** SIGKILL to all of them. @returns once they are gone */
  async stop(): Promise<void> {
    await Promise.all(
      this.#running.splice(0).map(async (child) => {
        if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
        const exited = once(child, "exit");
        process.kill(-child.pid, "SIGKILL");
        await exited;
      }),
    );
  }
}

/** Runs something that has so much time. @throws Error with `what` in it when it takes longer, or why the signal aborts */
export async function within<Result>(
  limitMs: number,
  what: string,
  work: Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const settled = new AbortController();
  const tooLong = wait(limitMs, undefined, { signal: settled.signal }).then(() => {
    throw new Error(`waited ${limitMs / SECOND_MS} s: ${what}`);
  });
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => {
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { signal: settled.signal });
  });
  try {
    return await Promise.race([work, tooLong, aborted]);
  } finally {
    settled.abort();
    tooLong.catch(() => undefined);
  }
}

/** Tries until it works. @throws Error with `what` in it and the last reason when that takes too long */
export async function eventually<Result>(what: string, attempt: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline)
        throw new Error(`waited ${PATIENCE_MS / SECOND_MS} s: ${what}`, { cause: error });
      await wait(LOOK_EVERY_MS);
    }
  }
}
