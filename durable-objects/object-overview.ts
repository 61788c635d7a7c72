import { addRuns, countNumbers, type Run, type Runs } from "#domain/transfers/runs.ts";
import type { ObjectOutline } from "./transfer-object.ts";

/** An object that is not stored yet. */
export interface IncompleteObject extends Pick<ObjectOutline, "object" | "runs" | "sizeBytes" | "partSizeBytes"> {
  /** Parts that have receipts. */
  received: Run[];
}

/** What every batch and the alarm ask of all objects, in memory: a large transfer has thousands of objects and parts. */
export class ObjectOverview {
  readonly #stored = new Set<number>();
  readonly #joining = new Set<number>();
  readonly #unaborted = new Set<number>();
  readonly #rejected = new Map<number, Runs>();
  readonly #incomplete = new Map<number, IncompleteObject>();

  put({ object, runs, sizeBytes, partSizeBytes, phase, r2UploadId }: ObjectOutline): void {
    const isIncomplete = phase === "open" || phase === "joining";
    setMember(this.#stored, object, phase === "stored");
    setMember(this.#joining, object, phase === "joining");
    setMember(this.#unaborted, object, (phase === "dropped" || phase === "rejected") && r2UploadId !== null);
    if (phase === "rejected") this.#rejected.set(object, runs);
    if (!isIncomplete) this.#incomplete.delete(object);
    else if (!this.#incomplete.has(object)) {
      this.#incomplete.set(object, { object, runs, sizeBytes, partSizeBytes, received: [] });
    }
  }

  addPart(object: number, part: number): void {
    const incomplete = this.#incomplete.get(object);
    if (incomplete) incomplete.received = addRuns(incomplete.received, [[part, 1]]);
  }

  deleteParts(object: number): void {
    const incomplete = this.#incomplete.get(object);
    if (incomplete) incomplete.received = [];
  }

  countParts(object: number): number {
    return countNumbers(this.#incomplete.get(object)?.received ?? []);
  }

  /** Of an object that is not stored yet; 0 for a file in parts, which is not read back. */
  packBytes(object: number): number {
    const { sizeBytes, partSizeBytes } = this.#incomplete.get(object) ?? { sizeBytes: 0, partSizeBytes: 0 };
    return partSizeBytes >= sizeBytes ? sizeBytes : 0;
  }

  get stored(): ReadonlySet<number> {
    return this.#stored;
  }

  /** All parts have receipts. */
  get joining(): ReadonlySet<number> {
    return this.#joining;
  }

  /** By object number. */
  get rejected(): ReadonlyMap<number, Runs> {
    return this.#rejected;
  }

  /** Open or joining, in the order of their numbers. */
  incomplete(): IncompleteObject[] {
    return [...this.#incomplete.values()].sort((a, b) => a.object - b.object);
  }

  /** Whether objects are still to be joined, or multipart uploads to be aborted. */
  get hasWork(): boolean {
    return this.#joining.size > 0 || this.#unaborted.size > 0;
  }
}

function setMember(set: Set<number>, number: number, isMember: boolean): void {
  if (isMember) set.add(number);
  else set.delete(number);
}
