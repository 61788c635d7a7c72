/** Below the six simultaneous connections of an invocation (Workers platform limit). */
const MAX_PARALLEL = 5;

interface Joins {
  /** The numbers of the objects whose parts are all completed, and which are not stored yet. */
  waiting(): Iterable<number>;
  /** Completes one object. Rejects when storage does not answer. */
  join(object: number): Promise<void>;
  onFailed(object: number, error: unknown): void;
}

/** Joins objects while others are still being sent: each one once at a time, at most five at once. */
export class JoinQueue {
  readonly #joins: Joins;
  readonly #running = new Map<number, Promise<void>>();
  /** The objects for which storage did not answer. The next `start` tries them again. */
  readonly #failed = new Set<number>();

  constructor(joins: Joins) {
    this.#joins = joins;
  }

  /** Joins all objects that wait. @returns settles when no join is running */
  async start(): Promise<void> {
    this.#failed.clear();
    this.#fill();
    await this.settled();
  }

  /** @returns settles when no join is running */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.race(this.#running.values());
  }

  #fill(): void {
    for (const object of this.#joins.waiting()) {
      if (this.#running.size >= MAX_PARALLEL) return;
      if (this.#running.has(object) || this.#failed.has(object)) continue;
      const joined = this.#joins
        .join(object)
        .catch((error: unknown) => {
          this.#joins.onFailed(object, error);
          this.#failed.add(object);
        })
        .finally(() => {
          this.#running.delete(object);
          this.#fill();
        });
      this.#running.set(object, joined);
    }
  }
}
