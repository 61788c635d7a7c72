import { partLength, partRange, type PartPlan } from "#domain/parts.ts";
import { MAX_PACK_OBJECT_BYTES } from "#domain/transfers/limits.ts";
import { toNumbers, type Runs } from "#domain/transfers/runs.ts";

/** An object that is being sent: a pack, or a large file in parts. */
export class SendingObject {
  readonly object: number;
  /** The object's entries, in the order of their bytes. */
  readonly numbers: readonly number[];
  readonly sizeBytes: number;
  /** The version of a large file before its first byte was read (`Ports.versionOf`). */
  version: Promise<string | null> | null = null;
  /** Nothing more of the object is sent: it is stored, or its entries are sent in another object, or not at all. */
  isDropped = false;
  /** Whether the server has answered that the object is open. */
  isOpened = false;
  /** The number of the object's completed parts that the server has not confirmed. */
  unacknowledged = 0;
  #plan: PartPlan | null = null;
  /** Parts that nobody has taken yet, ascending. */
  #waiting: number[] = [];
  readonly #done = new Set<number>();
  /** Bytes on their way, by part. */
  readonly #moving = new Map<number, number>();
  #doneBytes = 0;

  /** @param received the parts that storage has of a pack; `open` takes those of a large file */
  constructor(object: number, numbers: readonly number[], sizeBytes: number, received: Runs = []) {
    this.object = object;
    this.numbers = numbers;
    this.sizeBytes = sizeBytes;
    // A pack can be read before the server has answered that the object is open.
    if (this.isPack) this.open({ partSizeBytes: sizeBytes, partCount: 1 }, received);
  }

  get isPack(): boolean {
    return this.sizeBytes <= MAX_PACK_OBJECT_BYTES;
  }

  /** @param plan the server's; a resumed object keeps its first plan @param received parts that storage has */
  open(plan: PartPlan, received: Runs = []): void {
    if (this.#plan) return;
    this.#plan = plan;
    for (const part of toNumbers(received)) this.finishPart(part);
    this.#waiting = Array.from({ length: plan.partCount }, (_, index) => index + 1).filter(
      (part) => !this.#done.has(part),
    );
  }

  /** The number of the last part; 0 until the server has planned the parts. */
  get lastPart(): number {
    return this.#plan?.partCount ?? 0;
  }

  /** Whether storage has all bytes of the object. */
  get isSent(): boolean {
    return this.#done.size === this.#plan?.partCount;
  }

  /** Whether no part of the object was taken or sent. */
  get isUntouched(): boolean {
    return this.#plan === null || this.#waiting.length === this.#plan.partCount;
  }

  get sentBytes(): number {
    let bytes = this.#doneBytes;
    for (const sent of this.#moving.values()) bytes += sent;
    return bytes;
  }

  /** The part to read next; null when all parts have been taken. */
  get nextPart(): number | null {
    return this.#waiting[0] ?? null;
  }

  takePart(): void {
    this.#waiting.shift();
  }

  /** The end is exclusive. */
  rangeOf(part: number): { start: number; end: number } {
    return partRange(this.sizeBytes, part, this.#plan?.partSizeBytes);
  }

  lengthOf(part: number): number {
    return partLength(this.sizeBytes, part, this.#plan?.partSizeBytes);
  }

  setSent(part: number, bytes: number): void {
    if (!this.#done.has(part)) this.#moving.set(part, Math.min(bytes, this.lengthOf(part)));
  }

  finishPart(part: number): void {
    if (this.#done.has(part) || part > this.lastPart) return;
    this.#done.add(part);
    this.#moving.delete(part);
    this.#doneBytes += this.lengthOf(part);
  }

  /** @param received the parts that storage has of a sent object @returns whether parts are to be sent again */
  resend(received: Runs): boolean {
    const kept = new Set(toNumbers(received));
    for (const part of this.#done) {
      if (kept.has(part)) continue;
      this.#done.delete(part);
      this.#doneBytes -= this.lengthOf(part);
      this.#waiting.push(part);
    }
    return this.#waiting.length > 0;
  }
}
