import { toNumbers } from "#domain/transfers/runs.ts";
import { LossError } from "../soaked-upload.ts";

import type { Batch, TransferState } from "./batch.ts";

interface SentObject {
  numbers: number[];
  /** The parts whose receipts the server has acknowledged. */
  parts: Set<number>;
  /** Whether the sender announced another CRC than the CRC of the bytes. */
  isDamaged: boolean;
}

/** Everything that the server has acknowledged of one transfer, whichever device sent it. */
export class Acknowledged {
  readonly name: string;
  uploadId: string | null = null;
  /** Whether the finish has begun. After its beginning another device would start a new transfer. */
  isFinishing = false;
  /** The entries of packs that the sender has damaged. */
  readonly damaged = new Set<number>();
  /** The batches that were answered. An older tab may send one of them again. */
  readonly answered: Batch[] = [];
  #entries = 0;
  readonly #objects = new Map<number, SentObject>();
  readonly #stored = new Set<number>();
  readonly #removed = new Set<number>();

  constructor(name: string) {
    this.name = name;
  }

  /** The number of receipts of unfinished objects, and of stored entries. */
  get count(): number {
    return this.#stored.size + [...this.#objects.values()].reduce((sum, { parts }) => sum + parts.size, 0);
  }

  recordObject(object: number, numbers: number[]): void {
    const sent = this.#objects.get(object);
    // The number of an object is free again if the server never heard of the object.
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

  /** Notes that the sender sends the object's entries in another object. */
  recordDropped(object: number): void {
    this.#objects.delete(object);
  }

  /** Checks an answer against earlier answers, and remembers it. @throws LossError */
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
      // All entries of a rejected object may have been removed; then the object need not be sent again.
      if (lost.length > 0) throw this.#loss(`parts ${lost.join(", ")} of object ${object} were acknowledged`);
    }
  }

  #loss(what: string): LossError {
    return new LossError(`${this.name}: ${what}`);
  }
}
