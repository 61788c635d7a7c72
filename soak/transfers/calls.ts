import type { TransferBatchAnswer } from "#domain/wire.ts";
import { HttpError, type Client } from "../client.ts";
import type { Seeded } from "../seeded.ts";
import type { Acknowledged } from "./acknowledged.ts";
import type { Batch, TransferState } from "./batch.ts";

/** The sender stops in the middle of a transfer, as when its tab is closed. */
export class SenderStoppedError extends Error {}

/** One batch of this many is sent twice, and one is followed by an older batch. */
const REPEATED_ONE_OF = 6;

/** The calls of one device about one transfer. Some calls come twice, late, or in another order. */
export class Calls {
  readonly #client: Client;
  readonly #known: Acknowledged;
  readonly #draw: Seeded;
  #callsLeft: number;
  #downloadId = "";
  repeated = 0;

  /** @param callsUntilStop the number of calls after which the device stops; Infinity for a device that never stops */
  constructor(client: Client, known: Acknowledged, draw: Seeded, callsUntilStop: number) {
    this.#client = client;
    this.#known = known;
    this.#draw = draw;
    this.#callsLeft = callsUntilStop;
  }

  set downloadId(downloadId: string) {
    this.#downloadId = downloadId;
  }

  /** Runs a call of this device. @throws SenderStoppedError before the call, or in place of the call's answer */
  async counted<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    this.#callsLeft -= 1;
    if (this.#callsLeft < 0) throw new SenderStoppedError();
    const answer = await call();
    if (this.#callsLeft === 0) throw new SenderStoppedError();
    return answer;
  }

  /** @returns the answer, with the newest state @throws LossError when an answer contradicts an earlier one */
  async batch(batch: Batch): Promise<TransferBatchAnswer> {
    const { answered } = this.#known;
    const answer = await this.#post(batch);
    this.#record(batch, answer);
    const again: Batch[] = [];
    if (this.#draw.between(1, REPEATED_ONE_OF) === 1) again.push(batch);
    const older = answered[this.#draw.between(0, Math.max(0, answered.length - 1))];
    if (older && this.#draw.between(1, REPEATED_ONE_OF) === 1) again.push(older);
    answered.push(batch);
    let newest: TransferState = answer;
    for (const repeated of again) newest = (await this.#again(repeated)) ?? newest;
    const { entries, stored, received, again: rejected } = newest;
    return { ...answer, entries, stored, received, again: rejected };
  }

  /** Sends batches in parallel, in any order. A batch that came too early is sent again. */
  async batchesInAnyOrder(batches: Batch[]): Promise<void> {
    const shuffled = batches
      .map((batch) => ({ batch, place: this.#draw.between(0, 1_000_000) }))
      .sort((a, b) => a.place - b.place)
      .map(({ batch }) => batch);
    const results = await Promise.allSettled(shuffled.map((batch) => this.#post(batch)));
    const early = new Set<Batch>();
    for (const [index, result] of results.entries()) {
      const batch = shuffled[index];
      if (!batch) continue;
      if (result.status === "fulfilled") this.#known.answered.push(batch);
      else if (result.reason instanceof HttpError && result.reason.code === "BAD_REQUEST") early.add(batch);
      else throw result.reason;
    }
    for (const batch of batches) if (early.has(batch)) await this.batch(batch);
  }

  /** @returns null when the batch opens an object that was dropped after the batch was first sent */
  async #again(batch: Batch): Promise<TransferState | null> {
    this.repeated += 1;
    try {
      const answer = await this.#post(batch);
      this.#record(batch, answer);
      return answer;
    } catch (error) {
      if (error instanceof HttpError && error.code === "OBJECT_CONFLICT" && batch.open) return null;
      throw error;
    }
  }

  #post(batch: Batch): Promise<TransferBatchAnswer> {
    return this.counted(() => this.#client.post(`/api/transfers/${this.#downloadId}/batch`, batch));
  }

  #record(batch: Batch, answer: TransferBatchAnswer): void {
    this.#known.recordReceipts(batch.receipts ?? []);
    this.#known.compare(answer);
  }
}
