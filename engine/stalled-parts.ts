import { SECOND_MS } from "#domain/units.ts";

/** A part has stalled when it has not moved for this long and the others have sent this many times its size. */
const BEHIND_MS = 8 * SECOND_MS;
const BEHIND_PARTS = 2;
/** The same for a part that has sent nothing yet: browsers let it wait for one of their six connections. */
const UNSENT_BEHIND_PARTS = 6;
/** A part without others beside it has stalled when it has not moved for this long. */
const ALONE_MS = 15 * SECOND_MS;

interface WatchedPart {
  sizeBytes: number;
  sentBytes: number;
  movedAt: number;
  /** What the others have sent since it moved. */
  othersBytes: number;
  onStalled(): void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export interface PartWatch {
  /** @param sentBytes in all */
  move(sentBytes: number): void;
  stop(): void;
}

/**
 * Finds the part whose connection carries nothing while the line carries others, long before its time-out. Measures a
 * part by what the others have sent meanwhile: on a slow line nothing counts as stalled that is only slow.
 */
export class StalledParts {
  readonly #now: () => number;
  readonly #parts = new Set<WatchedPart>();

  /** @param now a monotonic clock, milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param onStalled called once; not after the last byte, whose answer may take its time */
  watch(sizeBytes: number, onStalled: () => void): PartWatch {
    const part: WatchedPart = {
      sizeBytes,
      sentBytes: 0,
      movedAt: this.#now(),
      othersBytes: 0,
      onStalled,
      timer: undefined,
    };
    this.#parts.add(part);
    this.#restartTimer(part);
    return {
      move: (sentBytes) => this.#move(part, sentBytes),
      stop: () => this.#remove(part),
    };
  }

  #move(part: WatchedPart, sentBytes: number): void {
    const movedBytes = sentBytes - part.sentBytes;
    if (movedBytes <= 0 || !this.#parts.has(part)) return;
    part.sentBytes = sentBytes;
    part.movedAt = this.#now();
    part.othersBytes = 0;
    this.#restartTimer(part);
    for (const other of this.#parts) {
      if (other === part) continue;
      other.othersBytes += movedBytes;
      const partsBehind = other.sentBytes > 0 ? BEHIND_PARTS : UNSENT_BEHIND_PARTS;
      const isBehind = other.othersBytes >= partsBehind * other.sizeBytes;
      if (isBehind && this.#now() - other.movedAt >= BEHIND_MS) this.#report(other);
    }
  }

  #restartTimer(part: WatchedPart): void {
    clearTimeout(part.timer);
    part.timer = setTimeout(() => {
      if (this.#parts.size === 1) this.#report(part);
    }, ALONE_MS);
  }

  #report(part: WatchedPart): void {
    if (part.sentBytes >= part.sizeBytes) return;
    this.#remove(part);
    part.onStalled();
  }

  #remove(part: WatchedPart): void {
    clearTimeout(part.timer);
    this.#parts.delete(part);
  }
}
