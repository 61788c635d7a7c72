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
  /** Nothing more is sent of it: it is stored, or its entries are sent in another object, or not at all. */
  isDropped = false;
  /** Whether the server has answered that it is open. */
  isOpened = false;
  /** Completed parts of it that the server has not confirmed. */
  unacknowledged = 0;
  #plan: PartPlan | null = null;
  /** Parts that nobody has taken yet, ascending. */
  #waiting: number[] = [];
  readonly #done = new Set<number>();
  /** Bytes on their way, by part. */
  readonly #moving = new Map<number, number>();
  #doneBytes = 0;

  /** @param received the parts that storage has, if it is a pack. A large file's are an argument of `open` */
  constructor(object: number, numbers: readonly number[], sizeBytes: number, received: Runs = []) {
    this.object = object;
    this.numbers = numbers;
    this.sizeBytes = sizeBytes;
    // A pack can be read before the server has answered.
    if (this.isPack) this.open({ partSizeBytes: sizeBytes, partCount: 1 }, received);
  }

  get isPack(): boolean {
    return this.sizeBytes <= MAX_PACK_OBJECT_BYTES;
  }

  /** @param plan the server's: a resumed object keeps that of its start @param received parts that storage has */
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

  /** Whether storage has all of its bytes. */
  get isSent(): boolean {
    return this.#done.size === this.#plan?.partCount;
  }

  /** Whether no part of it was taken or sent. */
  get isUntouched(): boolean {
    return this.#plan === null || this.#waiting.length === this.#plan.partCount;
  }

  get sentBytes(): number {
    let bytes = this.#doneBytes;
    for (const sent of this.#moving.values()) bytes += sent;
    return bytes;
  }

  /** The part to read next; null when all have been taken. */
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

  /** @param received what storage has of an object that was sent @returns whether parts are to be sent again */
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
