import { toNumbers } from "#domain/transfers/runs.ts";
import { LossError } from "../soaked-upload.ts";

import type { Batch, TransferState } from "./batch.ts";

interface SentObject {
  numbers: number[];
  /** Parts whose receipts the server has acknowledged. */
  parts: Set<number>;
  /** The sender announced another CRC than that of the bytes. */
  isDamaged: boolean;
}

/** Everything that the server has acknowledged of one transfer, whichever device sent it. */
export class Acknowledged {
  readonly name: string;
  uploadId: string | null = null;
  /** After this another device would start a new transfer. */
  isFinishing = false;
  /** Entries of packs that the sender has damaged. */
  readonly damaged = new Set<number>();
  /** Batches that were answered: an older tab may send them again. */
  readonly answered: Batch[] = [];
  #entries = 0;
  readonly #objects = new Map<number, SentObject>();
  readonly #stored = new Set<number>();
  readonly #removed = new Set<number>();

  constructor(name: string) {
    this.name = name;
  }

  /** Receipts of unfinished objects, and stored entries. */
  get count(): number {
    return this.#stored.size + [...this.#objects.values()].reduce((sum, { parts }) => sum + parts.size, 0);
  }

  recordObject(object: number, numbers: number[]): void {
    const sent = this.#objects.get(object);
    // The number is free again if the server never heard of the object.
    const isSame = sent && (sent.parts.size > 0 || sent.numbers.join() === numbers.join());
    if (!isSame) this.#objects.set(object, { numbers, parts: new Set(), isDamaged: false });
  }

  recordDamage(object: number): void {
    const sent = this.#objects.get(object);
    if (!sent) return;
    sent.isDamaged = true;
    for (const n of sent.numbers) this.damaged.add(n);
  }

  recordReceipts(receipts: readonly { object: number; part: number }[]): void {
    for (const { object, part } of receipts) this.#objects.get(object)?.parts.add(part);
  }

  recordRemoved(numbers: readonly number[]): void {
    for (const n of numbers) {
      this.#removed.add(n);
      this.#stored.delete(n);
    }
  }

  /** The sender sends its entries in another one. */
  recordDropped(object: number): void {
    this.#objects.delete(object);
  }

  /** Checks an answer against earlier ones, and remembers it. @throws LossError */
  compare({ entries, stored, received, again }: TransferState): void {
    if (entries < this.#entries) throw this.#loss(`${this.#entries} entries were announced, ${entries} are known`);
    this.#entries = entries;
    const storedNow = new Set(toNumbers(stored));
    for (const n of this.#stored) if (!storedNow.has(n)) throw this.#loss(`entry ${n} was stored and is not`);
    for (const n of storedNow) if (!this.#removed.has(n)) this.#stored.add(n);
    for (const object of again) {
      if (!this.#objects.has(object)) continue;
      if (!this.#objects.get(object)?.isDamaged) throw this.#loss(`object ${object} was rejected`);
      this.#objects.delete(object);
    }
    const parts = new Map(received.map((item) => [item.object, new Set(toNumbers(item.parts))]));
    for (const [object, sent] of this.#objects) {
      const isStored = sent.numbers.every((n) => storedNow.has(n) || this.#removed.has(n));
      if (isStored) this.#objects.delete(object);
      const lost = [...sent.parts].filter((part) => !isStored && !parts.get(object)?.has(part));
      // All entries of a rejected object may have been removed; then nothing needs to be sent again.
      if (lost.length > 0) throw this.#loss(`parts ${lost.join(", ")} of object ${object} were acknowledged`);
    }
  }

  #loss(what: string): LossError {
    return new LossError(`${this.name}: ${what}`);
  }
}
