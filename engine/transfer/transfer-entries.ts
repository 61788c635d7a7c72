import { openedSize } from "#domain/seal/sizes.ts";
import type { SizedEntry } from "./object-planner.ts";
import type { TransferListEntry } from "./transfer-list.ts";

export type SendState = "waiting" | "sending" | "stored" | "changed" | "unreadable" | "removed";

/**
 * The engine's states. `waiting`: in no object. `planned`: in an object that is not sent yet. `sent`: storage has the
 * bytes, the server has not joined the object.
 */
export type EntryPhase = SendState | "planned" | "sent";

const PHASES: readonly EntryPhase[] = [
  "waiting",
  "planned",
  "sending",
  "sent",
  "stored",
  "changed",
  "unreadable",
  "removed",
];
const CODES = Object.fromEntries(PHASES.map((phase, code) => [phase, code])) as Record<EntryPhase, number>;

const SHOWN: Partial<Record<EntryPhase, SendState>> = { planned: "waiting", sent: "sending" };

const NO_OBJECT = -1;

/** How many bytes of an object have been sent. */
export type SentBytesOf = (object: number) => number;

/**
 * Every entry of the transfer by its number, removed ones too. Typed arrays hold the changing values: thousands of
 * files change state within seconds.
 */
export class TransferEntries {
  readonly #paths: string[] = [];
  readonly #counts = new Int32Array(PHASES.length);
  readonly #bytes = new Float64Array(PHASES.length);
  readonly #sentBytes: SentBytesOf;
  readonly #isSealed: boolean;
  readonly #reasons = new Map<number, Error>();
  #listVersion = 0;
  #sizes = new Float64Array(0);
  #phases = new Uint8Array(0);
  #objects = new Int32Array(0);
  #offsets = new Float64Array(0);

  /** @param sentBytes of an object that is being sent */
  constructor(sentBytes: SentBytesOf, isSealed = false) {
    this.#sentBytes = sentBytes;
    this.#isSealed = isSealed;
  }

  /** How many entry numbers are used so far. */
  get length(): number {
    return this.#paths.length;
  }

  /** A number that changes whenever an entry is added, removed or no longer "removed". */
  get listVersion(): number {
    return this.#listVersion;
  }

  /** The path of an empty folder ends in a slash. */
  path(n: number): string {
    return this.#paths[n] ?? "";
  }

  /** The bytes that are sent for an entry. */
  sizeBytes(n: number): number {
    return this.#sizes[n] ?? 0;
  }

  /** The size of the file itself. */
  fileBytes(n: number): number {
    const sizeBytes = this.sizeBytes(n);
    return this.#isSealed ? (openedSize(sizeBytes) ?? sizeBytes) : sizeBytes;
  }

  state(n: number): SendState {
    const phase = this.phase(n);
    return SHOWN[phase] ?? (phase as SendState);
  }

  /** An integer. */
  percent(n: number): number {
    const phase = this.phase(n);
    if (phase === "stored" || phase === "sent") return 100;
    if (phase !== "sending") return 0;
    const sizeBytes = this.sizeBytes(n);
    const sent = this.#sentBytes(this.#objects[n] ?? NO_OBJECT) - (this.#offsets[n] ?? 0);
    return Math.floor((100 * Math.min(sizeBytes, Math.max(0, sent))) / sizeBytes);
  }

  /** How many entries are in a state. */
  count(state: SendState): number {
    if (state === "waiting") return this.countIn("waiting") + this.countIn("planned");
    if (state === "sending") return this.countIn("sending") + this.countIn("sent");
    return this.countIn(state);
  }

  /** How many entries there are, without removed ones. */
  get present(): number {
    return this.length - this.countIn("removed");
  }

  /** The size of all entries in a phase. */
  bytesIn(phase: EntryPhase): number {
    return this.#bytes[CODES[phase]] ?? 0;
  }

  /** The size of all entries, without removed ones. */
  get presentBytes(): number {
    return this.#bytes.reduce((sum, bytes) => sum + bytes, 0) - this.bytesIn("removed");
  }

  /** Why a "changed" or "unreadable" entry is not sent, if there is a reason beyond its state; else null. */
  reason(n: number): Error | null {
    return this.#reasons.get(n) ?? null;
  }

  /** Entries with bytes that are in no object, in ascending order. */
  listWaiting(): SizedEntry[] {
    return this.listIn("waiting")
      .map((n) => ({ n, size: this.sizeBytes(n) }))
      .filter(({ size }) => size > 0);
  }

  /** In ascending order. */
  listIn(phase: EntryPhase): number[] {
    const numbers: number[] = [];
    for (let n = 0; n < this.length; n += 1) if (this.#phases[n] === CODES[phase]) numbers.push(n);
    return numbers;
  }

  phase(n: number): EntryPhase {
    return PHASES[this.#phases[n] ?? 0] ?? "waiting";
  }

  isIn(n: number, ...phases: EntryPhase[]): boolean {
    return phases.includes(this.phase(n));
  }

  /** @returns its number */
  add({ path, sizeBytes }: Pick<TransferListEntry, "path" | "sizeBytes">, phase: EntryPhase = "waiting"): number {
    const n = this.#paths.push(path) - 1;
    this.#listVersion += 1;
    if (n >= this.#phases.length) this.#grow();
    this.#sizes[n] = sizeBytes;
    this.#objects[n] = NO_OBJECT;
    this.#phases[n] = CODES[phase];
    this.#count(phase, 1, sizeBytes);
    return n;
  }

  /** @param reason for `reason(n)` */
  setPhase(n: number, phase: EntryPhase, reason: Error | null = null): void {
    const before = this.phase(n);
    if (reason) this.#reasons.set(n, reason);
    else this.#reasons.delete(n);
    this.#count(before, -1, -this.sizeBytes(n));
    this.#count(phase, 1, this.sizeBytes(n));
    this.#phases[n] = CODES[phase];
    if (before === "removed" || phase === "removed") this.#listVersion += 1;
  }

  /** Moves to the phase `to` each of the entries that is in one of the phases `from`. */
  movePhases(numbers: readonly number[], from: readonly EntryPhase[], to: EntryPhase): void {
    for (const n of numbers) if (this.isIn(n, ...from)) this.setPhase(n, to);
  }

  /** Where the entry's bytes are sent. @param offset in the object, bytes */
  assign(n: number, object: number, offset: number): void {
    this.#objects[n] = object;
    this.#offsets[n] = offset;
  }

  /** Notes that no object holds the bytes of these entries any more. */
  unassign(numbers: readonly number[]): void {
    for (const n of numbers) this.#objects[n] = NO_OBJECT;
  }

  /** The object that `assign` named last; null for none. */
  objectOf(n: number): number | null {
    const object = this.#objects[n] ?? NO_OBJECT;
    return object === NO_OBJECT ? null : object;
  }

  /** Forgets all entries: a resumed transfer has numbers of its own. */
  clear(): void {
    this.#listVersion += 1;
    this.#paths.length = 0;
    this.#reasons.clear();
    this.#counts.fill(0);
    this.#bytes.fill(0);
  }

  countIn(phase: EntryPhase): number {
    return this.#counts[CODES[phase]] ?? 0;
  }

  #count(phase: EntryPhase, count: 1 | -1, bytes: number): void {
    this.#counts[CODES[phase]] = this.countIn(phase) + count;
    this.#bytes[CODES[phase]] = this.bytesIn(phase) + bytes;
  }

  #grow(): void {
    const length = Math.max(256, 2 * this.#phases.length);
    const grow = <Numbers extends { set(numbers: Numbers): void }>(grown: Numbers, numbers: Numbers): Numbers => {
      grown.set(numbers);
      return grown;
    };
    this.#sizes = grow(new Float64Array(length), this.#sizes);
    this.#phases = grow(new Uint8Array(length), this.#phases);
    this.#objects = grow(new Int32Array(length), this.#objects);
    this.#offsets = grow(new Float64Array(length), this.#offsets);
  }
}
