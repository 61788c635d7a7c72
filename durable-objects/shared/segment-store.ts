import { planSegments } from "#domain/segments.ts";

/**
 * "open": R2 has a multipart upload for the segment. "joining": all its parts are completed. "stored": the segment can be
 * read, and never changes again. "unjoinable": R2 cannot join the parts, so the file has to be sent anew.
 */
export type SegmentPhase = "open" | "joining" | "stored" | "unjoinable";

/** A segment that was opened. */
export interface OpenedSegment {
  /** The number of the segment's object in storage. */
  segment: number;
  phase: SegmentPhase;
  r2UploadId: string;
}

/** A file that is stored as several objects with consecutive numbers (decision 055). */
export interface SegmentedFile {
  /** The id of the upload, which is in the keys of its objects. */
  fileId: string;
  /** The type that storage keeps with the objects. */
  contentType: string;
  /** The number of the first segment's object. */
  storedFrom: number;
  sizeBytes: number;
  partSizeBytes: number;
  partCount: number;
}

/** The parts of a file that become one object. */
export interface PlannedSegment {
  segment: number;
  firstPart: number;
  partCount: number;
  sizeBytes: number;
}

/** The state of an upload's segments, in SQLite. */
export class SegmentStore {
  readonly #sql: SqlStorage;
  /** The segments of each file, by the number of the file's first object. */
  readonly #plans = new Map<number, PlannedSegment[]>();
  /** By their numbers. Null until they are read from SQLite, after a start or an eviction. */
  #opened: Map<number, OpenedSegment> | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Idempotent. Call it before the first segment is opened. */
  create(): void {
    this.#sql.exec(
      "create table if not exists segments (segment integer primary key, phase text not null, r2_upload_id text not null)",
    );
  }

  /** Forgets what is kept in memory. Call it after a transaction has been rolled back. */
  forgetMemory(): void {
    this.#opened = null;
    this.#plans.clear();
  }

  find(segment: number): OpenedSegment | undefined {
    return this.#all.get(segment);
  }

  list(...phases: SegmentPhase[]): OpenedSegment[] {
    return [...this.#all.values()].filter(({ phase }) => phases.includes(phase)).sort((a, b) => a.segment - b.segment);
  }

  /** The file's segments that were opened. */
  listOf(file: SegmentedFile): OpenedSegment[] {
    return this.planOf(file).flatMap(({ segment }) => this.#all.get(segment) ?? []);
  }

  add(opened: OpenedSegment): void {
    const { segment, phase, r2UploadId } = opened;
    this.#sql.exec("insert into segments values (?, ?, ?)", segment, phase, r2UploadId);
    this.#all.set(segment, opened);
  }

  setPhase(segment: number, phase: SegmentPhase): void {
    this.#sql.exec("update segments set phase = ? where segment = ?", phase, segment);
    const opened = this.#all.get(segment);
    if (opened) opened.phase = phase;
  }

  delete(segment: number): void {
    this.#sql.exec("delete from segments where segment = ?", segment);
    this.#all.delete(segment);
  }

  planOf(file: SegmentedFile): PlannedSegment[] {
    const plan = this.#plans.get(file.storedFrom) ?? layOut(file);
    this.#plans.set(file.storedFrom, plan);
    return plan;
  }

  planned(file: SegmentedFile, segment: number): PlannedSegment {
    const planned = this.planOf(file)[segment - file.storedFrom];
    if (!planned) throw new Error(`upload ${file.fileId} has no segment ${segment}`);
    return planned;
  }

  /** @returns the number of the part's segment; -1 for a part that the file does not have */
  segmentOf(file: SegmentedFile, part: number): number {
    if (part > file.partCount) return -1;
    return this.planOf(file).findLast(({ firstPart }) => firstPart <= part)?.segment ?? -1;
  }

  /** @returns undefined for a part whose segment was not opened */
  phaseOf(file: SegmentedFile, part: number): SegmentPhase | undefined {
    return this.#all.get(this.segmentOf(file, part))?.phase;
  }

  /** Sorts parts by whether their segments take parts, or take no more. Leaves out parts that have no segment yet. */
  sort<Part extends { part: number }>(file: SegmentedFile, parts: readonly Part[]): { open: Part[]; closed: Part[] } {
    const sorted: { open: Part[]; closed: Part[] } = { open: [], closed: [] };
    for (const part of parts) {
      const phase = this.phaseOf(file, part.part);
      if (phase !== undefined) sorted[phase === "open" ? "open" : "closed"].push(part);
    }
    return sorted;
  }

  /**
   * Closes the open segments whose parts are all completed. @param parts that were stored just now @param count says how
   * many of the parts from `first` to `last` are completed
   */
  close(file: SegmentedFile, parts: Iterable<number>, count: (first: number, last: number) => number): void {
    for (const segment of new Set(Array.from(parts, (part) => this.segmentOf(file, part)))) {
      if (this.#all.get(segment)?.phase !== "open") continue;
      const { firstPart, partCount } = this.planned(file, segment);
      if (count(firstPart, firstPart + partCount - 1) === partCount) this.setPhase(segment, "joining");
    }
  }

  /** @param from a position in the file @returns the end of the bytes from there on that can be read without a gap */
  storedTo(file: SegmentedFile, from: number): number {
    let start = 0;
    for (const { segment, sizeBytes } of this.planOf(file)) {
      const end = start + sizeBytes;
      if (end > from && this.#all.get(segment)?.phase !== "stored") return Math.max(start, from);
      start = end;
    }
    return start;
  }

  get #all(): Map<number, OpenedSegment> {
    this.#opened ??= this.#read();
    return this.#opened;
  }

  #read(): Map<number, OpenedSegment> {
    const tables = this.#sql.exec("select 1 from sqlite_master where type = 'table' and name = 'segments'").toArray();
    if (tables.length === 0) return new Map();
    const rows = this.#sql.exec<{ segment: number; phase: SegmentPhase; id: string }>(
      "select segment, phase, r2_upload_id as id from segments",
    );
    return new Map(
      rows.toArray().map(({ segment, phase, id: r2UploadId }) => [segment, { segment, phase, r2UploadId }]),
    );
  }
}

function layOut({ storedFrom, sizeBytes, partSizeBytes, partCount: parts }: SegmentedFile): PlannedSegment[] {
  let firstPart = 1;
  return planSegments(parts).map((partCount, index) => {
    const start = (firstPart - 1) * partSizeBytes;
    const planned = { firstPart, partCount, sizeBytes: Math.min(partCount * partSizeBytes, sizeBytes - start) };
    firstPart += partCount;
    return { segment: storedFrom + index, ...planned };
  });
}
