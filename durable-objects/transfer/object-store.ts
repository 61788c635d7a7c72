import { MAX_PARTS } from "#domain/parts.ts";
import { type Runs, addRuns, countNumbers, toNumbers, toRunsInOrder, type Run } from "#domain/transfers/runs.ts";
import type { CompletedObjectPart, PartSum } from "#domain/wire.ts";
import { SegmentStore } from "../shared/segment-store.ts";
import {
  isSegmented,
  segmentedObject,
  type ObjectOutline,
  type ObjectPhase,
  type SummedPart,
  type TransferObject,
} from "./object.ts";
import type { EntryMark } from "./results.ts";

interface OutlineRow extends Record<string, SqlStorageValue> {
  object: number;
  runs: string;
  size: number;
  part_size: number;
  parts: number;
  r2_upload_id: string | null;
  phase: string;
  /** Null for an object that is stored as one object of its own number. */
  stored_from: number | null;
  stored_count: number | null;
}

interface ObjectRow extends OutlineRow {
  sums: string | null;
  is_retry: number;
}

/** The first number that is too large for the key of an object. */
const MAX_STORED_NUMBERS = 100_000;

/** The objects of one transfer and their completed parts, in SQLite. */
export class ObjectStore {
  readonly segments: SegmentStore;
  readonly #sql: SqlStorage;
  #overview: ObjectOverview | null = null;
  /** Null until it is read from SQLite. */
  #hasPlaces: boolean | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.segments = new SegmentStore(sql);
  }

  create(): void {
    this.#sql.exec(`
      create table if not exists objects (
        object integer primary key, runs text not null, size integer not null, part_size integer not null,
        parts integer not null, r2_upload_id text, phase text not null, sums text, is_retry integer not null)`);
    this.#sql.exec(`
      create table if not exists parts (
        object integer not null, part integer not null, etag text not null, crc32 integer not null,
        primary key (object, part)) without rowid`);
  }

  /**
   * Whether an object of the transfer is in segments. `places` has a row for each object that is not stored as one object
   * of its own number; the table comes with the first such object.
   */
  get #isPlaced(): boolean {
    this.#hasPlaces ??=
      this.#sql.exec("select 1 from sqlite_master where type = 'table' and name = 'places'").toArray().length > 0;
    return this.#hasPlaces;
  }

  #createPlaces(): void {
    if (this.#isPlaced) return;
    this.#sql.exec(
      "create table places (object integer primary key, stored_from integer not null, stored_count integer not null)",
    );
    this.segments.create();
    this.#hasPlaces = true;
  }

  /** Objects with their places, for a statement. */
  get #placed(): string {
    return this.#isPlaced
      ? "objects left join places using (object)"
      : "(select *, null as stored_from, null as stored_count from objects)";
  }

  /** Creates the table with the marks of the entries in each completed part. Call it only for a sealed transfer. */
  createMarks(): void {
    this.#sql.exec(`
      create table if not exists marks (
        object integer not null, part integer not null, list text not null,
        primary key (object, part)) without rowid`);
  }

  addMarks(object: number, part: number, marks: readonly { n: number; mark: string }[]): void {
    this.#sql.exec("insert or replace into marks values (?, ?, ?)", object, part, listOfMarks(marks));
  }

  /** The marks of every part that is stored or completed. Call it only for a sealed transfer. */
  marks(): EntryMark[] {
    const rows = this.#sql.exec<{ part: number; list: string }>(
      `select part, list from marks join objects using (object)
       where phase = 'stored' or exists
         (select 1 from parts where parts.object = marks.object and parts.part = marks.part)
       order by object, part`,
    );
    return rows
      .toArray()
      .flatMap(({ part, list }) => (JSON.parse(list) as [number, string][]).map(([n, mark]) => ({ n, part, mark })));
  }

  /**
   * The state of all objects. The overview is kept in memory, and rebuilt from SQLite after an eviction or a rolled
   * back transaction.
   */
  get overview(): ObjectOverview {
    if (this.#overview) return this.#overview;
    const overview = new ObjectOverview();
    for (const outline of this.outlines()) overview.put(outline, this.#isHeld(outline));
    const parts = this.#sql.exec<{ object: number; part: number }>("select object, part from parts");
    for (const { object, part } of parts) overview.addPart(object, part);
    this.#overview = overview;
    return overview;
  }

  /** Forgets what is kept in memory. Call it after a transaction has been rolled back. */
  forgetMemory(): void {
    this.#overview = null;
    this.#hasPlaces = null;
    this.segments.forgetMemory();
  }

  /**
   * Finds room for an object in storage. An object has its own number there as long as no earlier object of the transfer
   * is in segments. @param count how many objects in storage it takes @returns the first number; null if none is left
   */
  place(object: number, count: number): number | null {
    if (count === 1 && !this.#isPlaced) return object;
    const storedFrom = this.storedEnd();
    return storedFrom + count > MAX_STORED_NUMBERS ? null : storedFrom;
  }

  /** The end of the numbers of objects in storage. */
  storedEnd(): number {
    if (!this.#isPlaced) return this.count();
    return this.#sql
      .exec<{ n: number }>(
        `select max(coalesce((select max(object) + 1 from objects), 0),
          coalesce((select max(stored_from + stored_count) from places), 0)) as n`,
      )
      .one().n;
  }

  /** Whether storage may have bytes of a dropped or rejected object. */
  #isHeld(outline: ObjectOutline): boolean {
    if (outline.phase !== "dropped" && outline.phase !== "rejected") return false;
    if (!isSegmented(outline)) return outline.r2UploadId !== null;
    return this.segments.listOf(segmentedObject("", outline)).length > 0;
  }

  save(object: TransferObject): void {
    const { overview } = this;
    const { storedFrom, storedCount } = object;
    if (storedFrom !== object.object || storedCount > 1) {
      this.#createPlaces();
      this.#sql.exec("insert or ignore into places values (?, ?, ?)", object.object, storedFrom, storedCount);
    }
    this.#sql.exec(
      "insert or replace into objects values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      object.object,
      JSON.stringify(object.runs),
      object.sizeBytes,
      object.partSizeBytes,
      object.partCount,
      object.r2UploadId,
      object.phase,
      object.sums && JSON.stringify(object.sums.map(({ crc32, sha256 }) => [crc32, sha256])),
      object.isRetry ? 1 : 0,
    );
    overview.put(object, this.#isHeld(object));
  }

  find(number: number): TransferObject | null {
    const [row] = this.#sql.exec<ObjectRow>(`select * from ${this.#placed} where object = ?`, number);
    return row ? toObject(row) : null;
  }

  /** Finds the object that has the object of this number in storage as one of several. */
  findByStored(number: number): TransferObject | null {
    if (!this.#isPlaced) return null;
    const [row] = this.#sql.exec<ObjectRow>(
      `select * from ${this.#placed} where stored_from <= ? and stored_from + stored_count > ?`,
      number,
      number,
    );
    return row ? toObject(row) : null;
  }

  /** Lists objects in the order of their numbers. */
  list(...phases: ObjectPhase[]): TransferObject[] {
    return this.#sql
      .exec<ObjectRow>(
        `select * from ${this.#placed} where phase in (select value from json_each(?)) order by object`,
        JSON.stringify(phases),
      )
      .toArray()
      .map(toObject);
  }

  /** Lists the outlines of all objects in the order of their numbers. */
  *outlines(): Generator<ObjectOutline> {
    const rows = this.#sql.exec<OutlineRow>(
      `select object, runs, size, part_size, parts, r2_upload_id, phase, stored_from, stored_count from ${this.#placed}
       order by object`,
    );
    for (const row of rows) yield toOutline(row);
  }

  /** Finds the first stored object that has several parts and a number of at least `from`. */
  nextInParts(from: number): TransferObject | null {
    const [row] = this.#sql.exec<ObjectRow>(
      `select * from ${this.#placed} where object >= ? and phase = 'stored' and parts > 1 order by object limit 1`,
      from,
    );
    return row ? toObject(row) : null;
  }

  /** The next unused object number. */
  count(): number {
    return this.#sql.exec<{ n: number }>("select coalesce(max(object) + 1, 0) as n from objects").one().n;
  }

  hasCompletedPart(object: number, part: number, etag: string): boolean {
    const found = this.#sql.exec("select 1 from parts where object = ? and part = ? and etag = ?", object, part, etag);
    return found.toArray().length > 0;
  }

  /** Stores a completed part. A part that is sent again replaces its row, as it replaces the part in R2. */
  addCompletedPart(object: number, { part, etag, crc32 }: SummedPart): void {
    const { overview } = this;
    this.#sql.exec("insert or replace into parts values (?, ?, ?, ?)", object, part, etag, crc32);
    overview.addPart(object, part);
  }

  /** Lists the object's completed parts in the order of their numbers. @param first and `last`: parts; by default all */
  completedParts(object: number, first = 1, last = MAX_PARTS): SummedPart[] {
    return this.#sql
      .exec<SummedPart & Record<string, SqlStorageValue>>(
        "select part, etag, crc32 from parts where object = ? and part between ? and ? order by part",
        object,
        first,
        last,
      )
      .toArray();
  }

  /** Whether a receipt has another sum, or for a sealed transfer other marks, than the completed part. */
  isContradicted({ object, part, crc32, marks = [] }: CompletedObjectPart, isSealed: boolean): boolean {
    const [stored] = this.completedParts(object, part, part);
    if (stored && stored.crc32 !== Number.parseInt(crc32, 16)) return true;
    if (!isSealed || marks.length === 0) return false;
    const [row] = this.#sql.exec<{ list: string }>(
      "select list from marks where object = ? and part = ?",
      object,
      part,
    );
    return row !== undefined && row.list !== listOfMarks(marks);
  }

  /** The checksums of all completed parts, by object number. */
  sums(): Map<number, PartSum[]> {
    const sums = new Map<number, PartSum[]>();
    const rows = this.#sql.exec<{ object: number; part: number; crc32: number }>(
      "select object, part, crc32 from parts order by object, part",
    );
    for (const { object, part, crc32 } of rows) {
      const ofObject = sums.get(object) ?? [];
      ofObject.push({ part, crc32: crc32.toString(16).padStart(8, "0") });
      sums.set(object, ofObject);
    }
    return sums;
  }

  /** @param first and `last`: parts; by default all */
  deleteCompletedParts(object: number, first = 1, last = MAX_PARTS): void {
    const { overview } = this;
    this.#sql.exec("delete from parts where object = ? and part between ? and ?", object, first, last);
    overview.deleteParts(object, first, last);
  }
}

function listOfMarks(marks: readonly { n: number; mark: string }[]): string {
  return JSON.stringify(marks.map(({ n, mark }) => [n, mark]));
}

function toOutline(row: OutlineRow): ObjectOutline {
  return {
    object: row.object,
    runs: JSON.parse(row.runs) as Runs,
    sizeBytes: row.size,
    partSizeBytes: row.part_size,
    partCount: row.parts,
    r2UploadId: row.r2_upload_id,
    phase: row.phase as ObjectPhase,
    storedFrom: row.stored_from ?? row.object,
    storedCount: row.stored_count ?? 1,
  };
}

function toObject(row: ObjectRow): TransferObject {
  const sums = row.sums === null ? null : (JSON.parse(row.sums) as [number, string | null][]);
  return {
    ...toOutline(row),
    sums: sums && sums.map(([crc32, sha256]) => ({ crc32, sha256 })),
    isRetry: row.is_retry === 1,
  };
}

/** An object that is not stored yet. */
interface IncompleteObject extends Pick<
  ObjectOutline,
  "object" | "runs" | "sizeBytes" | "partSizeBytes" | "storedCount"
> {
  /** The completed parts. */
  received: Run[];
}

/**
 * The state of all objects that batches and the alarm need, in memory: a large transfer has thousands of objects and
 * parts.
 */
class ObjectOverview {
  readonly #stored = new Set<number>();
  readonly #joining = new Set<number>();
  readonly #held = new Set<number>();
  readonly #rejected = new Map<number, Runs>();
  readonly #incomplete = new Map<number, IncompleteObject>();

  /** @param isHeld whether storage may have bytes of a dropped or rejected object */
  put({ object, runs, sizeBytes, partSizeBytes, storedCount, phase }: ObjectOutline, isHeld: boolean): void {
    const isIncomplete = phase === "open" || phase === "joining";
    setMember(this.#stored, object, phase === "stored");
    setMember(this.#joining, object, phase === "joining");
    setMember(this.#held, object, isHeld);
    if (phase === "rejected") this.#rejected.set(object, runs);
    if (!isIncomplete) this.#incomplete.delete(object);
    else if (!this.#incomplete.has(object)) {
      this.#incomplete.set(object, { object, runs, sizeBytes, partSizeBytes, storedCount, received: [] });
    }
  }

  addPart(object: number, part: number): void {
    const incomplete = this.#incomplete.get(object);
    if (incomplete) incomplete.received = addRuns(incomplete.received, [[part, 1]]);
  }

  deleteParts(object: number, first: number, last: number): void {
    const incomplete = this.#incomplete.get(object);
    if (incomplete)
      incomplete.received = toRunsInOrder(toNumbers(incomplete.received).filter((part) => part < first || part > last));
  }

  /** Whether an object that is not stored yet is in segments. */
  isInSegments(object: number): boolean {
    return isSegmented(this.#incomplete.get(object) ?? { storedCount: 1 });
  }

  countParts(object: number): number {
    return countNumbers(this.#incomplete.get(object)?.received ?? []);
  }

  /**
   * The size of an object that is a pack and not stored yet. 0 for a large file in parts, because that is not read
   * back.
   */
  packBytes(object: number): number {
    const { sizeBytes, partSizeBytes } = this.#incomplete.get(object) ?? { sizeBytes: 0, partSizeBytes: 0 };
    return partSizeBytes >= sizeBytes ? sizeBytes : 0;
  }

  get stored(): ReadonlySet<number> {
    return this.#stored;
  }

  /** The objects whose parts are all completed, but which are not stored yet. */
  get joining(): ReadonlySet<number> {
    return this.#joining;
  }

  /** The entries of rejected objects, by object number. */
  get rejected(): ReadonlyMap<number, Runs> {
    return this.#rejected;
  }

  /** The open and joining objects, in the order of their numbers. */
  incomplete(): IncompleteObject[] {
    return [...this.#incomplete.values()].sort((a, b) => a.object - b.object);
  }

  /** The dropped and rejected objects of which storage may have bytes. */
  get held(): ReadonlySet<number> {
    return this.#held;
  }

  /** Whether objects are still to be joined, or what storage has of dropped and rejected objects to be deleted. */
  get hasWork(): boolean {
    return this.#joining.size > 0 || this.#held.size > 0;
  }
}

function setMember(set: Set<number>, number: number, isMember: boolean): void {
  if (isMember) set.add(number);
  else set.delete(number);
}
