import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { SECOND_MS } from "#domain/units.ts";

const POLL_MS = 50;
export const TIMEOUT_MS = 20 * SECOND_MS;

export class Processes {
  readonly #running: ChildProcess[] = [];

  /** Starts a program in a process group, so that the program's children end with the program. */
  start(command: string, args: string[], env: NodeJS.ProcessEnv, stdio: StdioOptions = "ignore"): ChildProcess {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio, detached: true });
    this.#running.push(child);
    return child;
  }

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

/** @throws Error with `what` on timeout, or the signal's reason */
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

/** Retries an attempt until it succeeds. @throws Error with `what` and the last reason on timeout */
export async function eventually<Result>(what: string, attempt: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline)
        throw new Error(`waited ${TIMEOUT_MS / SECOND_MS} s: ${what}`, { cause: error });
      await wait(POLL_MS);
    }
  }
}
