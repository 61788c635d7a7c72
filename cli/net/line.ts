import { formatDuration, SECOND_MS } from "#domain/units.ts";
import { pause } from "#engine/pause.ts";
import type { Online } from "#engine/ports.ts";
import { EXIT, Failure } from "../failure.ts";
import type { Fetch } from "./fetch.ts";

const RETRY_MS = 2 * SECOND_MS;

/** The line to the server. Once a call got no answer, it is down until one gets an answer. */
export class Line implements Online {
  readonly awaited = "the server answers";
  readonly #fetch: Fetch;
  readonly #origin: string;
  readonly #onWait: () => void;
  readonly #patienceMs: number;
  #downSince: number | null = null;
  #asking: Promise<void> | null = null;

  /** @param patienceMs how long an upload waits for the server to come back @param onWait called when that begins */
  constructor(fetch: Fetch, origin: string, patienceMs: number, onWait: () => void) {
    this.#patienceMs = patienceMs;
    this.#fetch = fetch;
    this.#origin = origin;
    this.#onWait = onWait;
  }

  /** `fetch`, which tells the line how it went. */
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

  /** A request to the server got no answer. */
  fail(): void {
    if (this.#downSince !== null) return;
    this.#downSince = Date.now();
    this.#onWait();
  }

  isOnline(): boolean {
    return this.#downSince === null;
  }

  /** @throws Failure `network` when its patience has ended; DOMException AbortError when aborted */
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
      // It stays down.
    }
  }
}
