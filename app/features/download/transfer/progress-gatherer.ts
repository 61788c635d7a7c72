import { Throttle } from "#engine/throttle.ts";
import type { Runs } from "#domain/transfers/runs.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { TransferMessage } from "#domain/wire.ts";

/** Sender and server together send up to twelve messages a second. */
const DRAW_INTERVAL_MS = SECOND_MS / 4;

export interface GatheredProgress {
  /** Of the whole transfer; null if no message told it. */
  percent: number | null;
  /** Entries that have arrived. */
  stored: Runs;
  /** Entry numbers and how far each is, percent; null if no message told it. */
  moving: readonly (readonly [number, number])[] | null;
}

const NOTHING: GatheredProgress = { percent: null, stored: [], moving: null };

/** Gathers the messages about a transfer, so that they draw the page at most four times a second. */
export class ProgressGatherer {
  readonly #throttle: Throttle;
  #gathered = NOTHING;

  /** @param onProgress called at once for the first message, and then with what has come since the last call */
  constructor(onProgress: (progress: GatheredProgress) => void) {
    this.#throttle = new Throttle(DRAW_INTERVAL_MS, () => {
      const gathered = this.#gathered;
      this.#gathered = NOTHING;
      onProgress(gathered);
    });
  }

  add(message: TransferMessage): void {
    const { stored } = this.#gathered;
    if (message.type === "transfer_state") {
      this.#gather({ percent: message.percent, stored: [...stored, ...message.stored] });
    } else if (message.type === "transfer_progress") {
      this.#gather({ percent: message.percent, moving: message.moving });
    } else if (message.type === "entries_stored") {
      this.#gather({ stored: [...stored, ...message.runs] });
    }
  }

  /** What has been gathered is dropped. */
  stop(): void {
    this.#throttle.stop();
  }

  #gather(told: Partial<GatheredProgress>): void {
    this.#gathered = { ...this.#gathered, ...told };
    this.#throttle.call();
  }
}
