import { MINUTE_MS, SECOND_MS, formatDuration } from "#domain/units.ts";
import type { Online } from "#engine/ports.ts";
import { pause } from "#engine/timing.ts";
import { findAccount, type Account } from "./account.ts";
import { EXIT, Failure } from "./failure.ts";
import { fetchDirectly, type Fetch } from "./net/fetch.ts";
import { V1 } from "./net/v1.ts";
import { readCount } from "./options.ts";
import { Terminal } from "./terminal.ts";

export interface Session {
  v1: V1;
  connection: Connection;
}

/** The default of `MAYFLY_PATIENCE`. */
const PATIENCE_MS = 10 * MINUTE_MS;

/** A session with the person's API key. @throws Failure `refused` for a person who is not signed in */
export async function openSession(terminal: Terminal): Promise<Session> {
  const { origin, key } = await accountFor(terminal);
  return openSessionWith(origin, key, terminal);
}

/** @param key null for calls that need no API key */
export function openSessionWith(origin: string, key: string | null, terminal: Terminal): Session {
  const connection = new Connection(fetchDirectly, origin, readPatience(), () =>
    terminal.note("The server cannot be reached. Waiting for it…"),
  );
  return { v1: new V1(origin, key, connection.fetch), connection };
}

/** @returns a client for commands without an upload, which does not wait for an unreachable server */
export async function openCalls({ quiet = false }: { quiet?: boolean }): Promise<V1> {
  const { origin, key } = await accountFor(new Terminal(quiet));
  return new V1(origin, key, fetchDirectly);
}

/** Finds the account, and says which key is used if both the environment and `login` give one. */
export async function accountFor(terminal: Terminal): Promise<Account & { isFromEnvironment: boolean }> {
  const { overrides, ...used } = await findAccount();
  if (overrides) {
    terminal.note(
      `MAYFLY_KEY is set, so its key for ${used.origin} is used, not the one that login kept for ${overrides.origin}.`,
    );
  }
  return used;
}

/** `MAYFLY_PATIENCE` is in seconds. @returns milliseconds @throws Failure `usage` */
function readPatience(): number {
  const { MAYFLY_PATIENCE } = process.env;
  return MAYFLY_PATIENCE ? readCount("MAYFLY_PATIENCE", MAYFLY_PATIENCE) * SECOND_MS : PATIENCE_MS;
}

const RETRY_MS = 2 * SECOND_MS;

/** The connection to the server, which a call without an answer marks as down, until another call gets an answer. */
export class Connection implements Online {
  readonly awaited = "the server answers";
  readonly #fetch: Fetch;
  readonly #origin: string;
  readonly #onWait: () => void;
  readonly #patienceMs: number;
  #downSince: number | null = null;
  #asking: Promise<void> | null = null;

  /** @param patienceMs how long an upload waits for the server @param onWait called when the wait begins */
  constructor(fetch: Fetch, origin: string, patienceMs: number, onWait: () => void) {
    this.#patienceMs = patienceMs;
    this.#fetch = fetch;
    this.#origin = origin;
    this.#onWait = onWait;
  }

  /** A `fetch` that records whether the server answered. */
  readonly fetch: Fetch = async (url, init) => {
    try {
      const response = await this.#fetch(url, init);
      this.#downSince = null;
      return response;
    } catch (error) {
      if (!init?.signal?.aborted) this.fail();
      throw error;
    }
  };

  /** Marks the connection as down. Called when a request to the server got no answer. */
  fail(): void {
    if (this.#downSince !== null) return;
    this.#downSince = Date.now();
    this.#onWait();
  }

  isOnline(): boolean {
    return this.#downSince === null;
  }

  /** @throws Failure `network` after `patienceMs` without an answer; DOMException AbortError when aborted */
  async whenOnline(signal: AbortSignal): Promise<void> {
    while (this.#downSince !== null) {
      if (Date.now() - this.#downSince > this.#patienceMs) {
        throw new Failure(EXIT.network, `The server could not be reached for ${formatDuration(this.#patienceMs)}.`);
      }
      this.#asking ??= this.#ask().finally(() => (this.#asking = null));
      await this.#asking;
      if (this.#downSince !== null) await pause(RETRY_MS, signal);
    }
  }

  async #ask(): Promise<void> {
    try {
      const response = await this.#fetch(`${this.#origin}/api/health`);
      await response.body?.cancel();
      this.#downSince = null;
    } catch {
      // The connection stays down.
    }
  }
}
