import { MAX_PARTS } from "#domain/parts.ts";
import type { PartSum, CompletedPart } from "#domain/wire.ts";
import type { PartEtag } from "#worker/storage/objects.ts";
import { deleteAllBut } from "../shared/delete-all-but.ts";
import { MANIFEST_KEYS } from "../shared/manifest-store.ts";
import { PICTURE_NAMES } from "../shared/pictures.ts";
import { SegmentStore } from "../shared/segment-store.ts";
import { isAppended, isSettled, needsMarks, partsOf, recordActivity, type UploadRecord } from "./state.ts";

const RECORD = "upload";

/** The SQLite storage of one upload. A write is durable before the answer to its call goes out. */
export class UploadStore {
  /** Only of a file in segments. */
  readonly segments: SegmentStore;
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.segments = new SegmentStore(storage.sql);
  }

  find(): UploadRecord | null {
    return this.#storage.kv.get<UploadRecord>(RECORD) ?? null;
  }

  create(): void {
    this.#storage.sql.exec(
      "create table if not exists parts (part integer primary key, etag text not null) without rowid",
    );
    this.#createSums();
  }

  /** Creates the table of sums, also for an upload that an earlier release began without the table. */
  #createSums(): void {
    this.#storage.sql.exec(
      "create table if not exists sums (part integer primary key, crc32 text not null) without rowid",
    );
  }

  /** The sums of completed parts that were reported with one, in the order of the parts. */
  sums(): PartSum[] {
    this.#createSums();
    return this.#storage.sql
      .exec<{ part: number; crc32: string }>("select part, crc32 from sums join parts using (part) order by part")
      .toArray();
  }

  /** Creates the table of marks for a sealed upload, whose completed parts or chunks have marks. */
  createMarks(): void {
    this.#storage.sql.exec(
      "create table if not exists marks (part integer primary key, mark text not null) without rowid",
    );
  }

  /** Stores a mark. @param part the number of a part or chunk @param mark absent for a plain upload */
  addMark(part: number, mark: string | undefined): void {
    if (mark === undefined) return;
    this.#storage.sql.exec(
      "insert into marks values (?, ?) on conflict do update set mark = excluded.mark",
      part,
      mark,
    );
  }

  /** The marks of completed parts, in the order of the parts. Call it only for a sealed upload. */
  marks(): { part: number; mark: string }[] {
    return this.#storage.sql
      .exec<{ part: number; mark: string }>("select part, mark from marks join parts using (part) order by part")
      .toArray();
  }

  /** The marks of stored chunks, in the order of the chunks. Call it only for a sealed upload in chunks. */
  chunkMarks(): { chunk: number; mark: string }[] {
    return this.#storage.sql
      .exec<{ chunk: number; mark: string }>("select i as chunk, mark from chunks join marks on part = i order by i")
      .toArray();
  }

  save(record: UploadRecord): void {
    this.#storage.kv.put(RECORD, record);
  }

  /**
   * Stores completed parts, whether the client or this object has sent them. Ignores parts that the upload cannot take.
   * @returns the numbers of the stored parts
   */
  takeParts(record: UploadRecord, receipts: CompletedPart[]): number[] {
    if (receipts.length === 0 || isSettled(record)) return [];
    // The last parts of an appended upload are sent when it completes.
    if (record.phase === "completing" && !isAppended(record)) return [];
    const { partCount } = partsOf(record);
    const isMarked = needsMarks(record);
    const accepted = receipts.filter(({ part, mark }) => part <= partCount && (mark !== undefined || !isMarked));
    if (isMarked) for (const { part, mark } of accepted) this.addMark(part, mark);
    this.#addCompletedParts(
      accepted.map(({ part, etag, crc32 }) => ({ part, etag: etag.replace(/^W\/|"/g, ""), crc32 })),
    );
    this.save(recordActivity(record, Date.now()));
    return accepted.map(({ part }) => part);
  }

  /** Stores completed parts. A part that is sent again replaces its row and its sum, as it replaces the part in R2. */
  #addCompletedParts(receipts: (PartEtag & Pick<CompletedPart, "crc32">)[]): void {
    const { sql } = this.#storage;
    this.#createSums();
    for (const { part, etag, crc32 } of receipts) {
      if (crc32 !== undefined) sql.exec("insert or replace into sums values (?, ?)", part, crc32);
      // A part with the same ETag and without a sum has the same bytes, so its stored sum stays.
      else
        sql.exec("delete from sums where part = ? and part not in (select part from parts where etag = ?)", part, etag);
      sql.exec("insert into parts values (?, ?) on conflict do update set etag = excluded.etag", part, etag);
    }
  }

  /**
   * Whether receipts have other sums, or for a sealed upload other marks, than completed parts. A part without a sum
   * contradicts nothing.
   */
  areContradicted(record: UploadRecord, receipts: readonly CompletedPart[]): boolean {
    if (receipts.length === 0) return false;
    const sums = new Map(this.sums().map(({ part, crc32 }) => [part, crc32]));
    const marks = new Map(needsMarks(record) ? this.marks().map(({ part, mark }) => [part, mark]) : []);
    const isOther = (stored?: string, told?: string) => stored !== undefined && told !== undefined && stored !== told;
    return receipts.some(({ part, crc32, mark }) => isOther(sums.get(part), crc32) || isOther(marks.get(part), mark));
  }

  /** @param first and `last`: parts; by default all */
  deleteCompletedParts(first = 1, last = MAX_PARTS): void {
    this.#storage.sql.exec("delete from parts where part between ? and ?", first, last);
  }

  /** In the order of the parts. @param first and `last`: parts; by default all */
  completedParts(first = 1, last = MAX_PARTS): PartEtag[] {
    return this.#storage.sql
      .exec<{ part: number; etag: string }>(
        "select part, etag from parts where part between ? and ? order by part",
        first,
        last,
      )
      .toArray();
  }

  partNumbers(): number[] {
    return this.completedParts().map(({ part }) => part);
  }

  /** The last completed part of an upload whose parts are sent in order. @returns 0 before the first */
  lastPart(): number {
    return this.#storage.sql.exec<{ last: number | null }>("select max(part) as last from parts").one().last ?? 0;
  }

  /** Deletes everything but the encrypted list and the pictures of a ready file. */
  async endUpload(): Promise<void> {
    await deleteAllBut(this.#storage, this.find()?.phase === "ready" ? [...MANIFEST_KEYS, ...PICTURE_NAMES] : []);
  }

  async deleteAll(): Promise<void> {
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }
}
