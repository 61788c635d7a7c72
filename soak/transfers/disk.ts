import { KIB, MIB } from "#domain/units.ts";
import { Seeded, seededBytes } from "../seeded.ts";

/** A file on the sender's disk, or an empty folder, whose path ends in a slash. Its fields determine its bytes. */
export interface DiskEntry {
  path: string;
  sizeBytes: number;
  modifiedMs: number;
}

const MODIFIED_MS = Date.UTC(2026, 0, 31, 12);

const FOLDERS = ["Photos", "Grüße", "日本語", "مرحبا", "👩‍👩‍👧‍👦 family", "it's 100% #1 & (2)", "a.b.c", "Ελληνικά"];
const NAMES = ["photo", "größe", "записка", "こんにちは", "שלום", "🎉", "with spaces, and + signs", "UPPER lower"];
const EXTENSIONS = [".jpg", ".txt", ".tar.gz", "", ".PDF"];

/** The share of files of each size in percent, with the smallest and largest size. */
const SIZES = [
  { percent: 4, min: 0, max: 0 },
  { percent: 66, min: 1, max: 8 * KIB },
  { percent: 20, min: 8 * KIB, max: 40 * KIB },
  { percent: 10, min: 40 * KIB, max: 200 * KIB },
];

/** The few large files, so that a run takes minutes: a pack of its own, and a file that is sent in parts. */
const LARGE_SIZES = [
  { min: 9 * MIB, max: 12 * MIB },
  { min: 17 * MIB, max: 20 * MIB },
];

/** The list that follows from a seed, in the order of its paths: mostly small files, some empty, some large. */
export function seededEntries(seed: string, count: number): DiskEntry[] {
  const draw = new Seeded(`${seed}-entries`);
  const pick = (values: string[]) => values[draw.between(0, values.length - 1)] ?? "";
  const entries = Array.from({ length: count }, (_, index): DiskEntry => {
    const folders = Array.from({ length: draw.between(0, 3) }, () => `${pick(FOLDERS)}/`).join("");
    const modifiedMs = MODIFIED_MS + draw.between(0, 10_000_000) * 1000;
    if (index % 50 === 7) return { path: `${folders}empty folder ${index}/`, sizeBytes: 0, modifiedMs };
    return { path: `${folders}${pick(NAMES)} ${index}${pick(EXTENSIONS)}`, sizeBytes: sizeOf(draw), modifiedMs };
  });
  for (const [index, { min, max }] of LARGE_SIZES.entries()) {
    if (draw.between(0, 2) === 0) {
      entries[index] = { path: `large ${index}.bin`, sizeBytes: draw.between(min, max), modifiedMs: MODIFIED_MS };
    }
  }
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function sizeOf(draw: Seeded): number {
  let percent = draw.between(0, 99);
  for (const { percent: share, min, max } of SIZES) {
    if (percent < share) return draw.between(min, max);
    percent -= share;
  }
  return 0;
}

/** The number of files that change while they are sent. */
const CHANGED_FILES = 3;
/** After one round of this many, files change. */
const CHANGED_AFTER_ONE_OF = 4;

/** The sender's folder, which every device of the sender has. */
export class Disk {
  /** The files that were chosen for the transfer. */
  readonly initial: readonly DiskEntry[];
  readonly #now: Map<string, DiskEntry>;
  #hasChanged = false;

  constructor(entries: readonly DiskEntry[]) {
    this.initial = entries;
    this.#now = new Map(entries.map((entry) => [entry.path, entry]));
  }

  get entries(): DiskEntry[] {
    return [...this.#now.values()];
  }

  get changedCount(): number {
    return this.initial.filter((entry) => this.isChanged(entry)).length;
  }

  isChanged(entry: DiskEntry): boolean {
    return this.now(entry).modifiedMs !== entry.modifiedMs;
  }

  now({ path }: DiskEntry): DiskEntry {
    const entry = this.#now.get(path);
    if (!entry) throw new Error(`${path} was never there`);
    return entry;
  }

  /** Changes a few files, once in the life of a transfer. */
  maybeChange(draw: Seeded): void {
    if (this.#hasChanged || draw.between(1, CHANGED_AFTER_ONE_OF) > 1) return;
    this.#hasChanged = true;
    const files = this.initial.filter(({ path }) => !path.endsWith("/"));
    for (let count = 0; count < CHANGED_FILES; count += 1) {
      const file = files[draw.between(0, files.length - 1)];
      if (!file) return;
      const { path, sizeBytes, modifiedMs } = file;
      this.#now.set(path, { path, sizeBytes: sizeBytes + 1, modifiedMs: modifiedMs + 60_000 });
    }
  }
}

export function bytesOf({ path, sizeBytes, modifiedMs }: DiskEntry): Uint8Array<ArrayBuffer> {
  return seededBytes(`${path} ${modifiedMs}`, sizeBytes);
}

export function sizeOfAll(entries: readonly DiskEntry[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** The bytes of several entries, one after the other. */
export function bytesOfAll(entries: readonly DiskEntry[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(sizeOfAll(entries));
  let offset = 0;
  for (const entry of entries) {
    whole.set(bytesOf(entry), offset);
    offset += entry.sizeBytes;
  }
  return whole;
}
