import type { Runs } from "#domain/transfers/runs.ts";
import type { Lease, LeaseBytes, LeaseResponse } from "./lease.ts";
import type { GateLink, GateState } from "./state.ts";

/** The stored state of a gate. Moments are epoch milliseconds. */
export interface GateRecord {
  state: GateState;
  /** `expires_at` of the row in D1 when last read; null for never. */
  expiresAt: number | null;
  /** When the row in D1 was last read. */
  seenAt: number;
  /** The counts that the link's row in D1 has for certain, as JSON. */
  mirrored: string;
  /** The number of failed calls to D1 since the last success. */
  attempts: number;
}

type LinkRow = Record<string, SqlStorageValue> & {
  file_id: string;
  size: number;
  max_downloads: number;
  counted: number;
  lost_bytes: number;
  ended_at: number | null;
  closed_at: number | null;
  expires_at: number | null;
  seen_at: number;
  mirrored: string;
  attempts: number;
};
type LeaseRow = Record<string, SqlStorageValue> & {
  id: string;
  standing: string;
  taken_at: number;
  seen_at: number;
  finished_at: number | null;
  lapsed_at: number | null;
  lost_bytes: number;
};
type SpanRow = Record<string, SqlStorageValue> & { lease: string; resource: string; had: string; responses: string };

/** SQLite storage of one gate, with its record in memory until the object is evicted. */
export class GateStore {
  readonly #storage: DurableObjectStorage;
  #record: GateRecord | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  find(): GateRecord | null {
    this.#record ??= this.#load();
    return this.#record;
  }

  /** Writes the changed parts of the record. A part that is the same JavaScript object as before is not written. */
  save(record: GateRecord): void {
    const before = this.#record;
    this.#record = null;
    this.#storage.transactionSync(() => {
      if (!before) this.#create();
      if (!before || !isSameLink(before, record)) this.#saveLink(record);
      const leases = record.state.leases;
      const leasesBefore = before?.state.leases ?? new Map<string, Lease>();
      for (const id of leasesBefore.keys()) if (!leases.has(id)) this.#deleteLease(id);
      for (const lease of leases.values()) this.#saveLease(lease, leasesBefore.get(lease.id));
    });
    this.#record = record;
  }

  async deleteAll(): Promise<void> {
    this.#record = null;
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }

  #create(): void {
    this.#storage.sql.exec(`
      create table if not exists link (
        id integer primary key, file_id text not null, size integer not null, max_downloads integer not null,
        counted integer not null, lost_bytes integer not null, ended_at integer, closed_at integer,
        expires_at integer, seen_at integer not null, mirrored text not null, attempts integer not null)`);
    this.#storage.sql.exec(`
      create table if not exists leases (
        id text primary key, standing text not null, taken_at integer not null, seen_at integer not null,
        finished_at integer, lapsed_at integer, lost_bytes integer not null) without rowid`);
    this.#storage.sql.exec(`
      create table if not exists spans (
        lease text not null, resource text not null, had text not null, responses text not null,
        primary key (lease, resource)) without rowid`);
  }

  #saveLink({ state: { link }, expiresAt, seenAt, mirrored, attempts }: GateRecord): void {
    this.#storage.sql.exec(
      "insert or replace into link values (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      link.fileId,
      link.sizeBytes,
      link.limit,
      link.counted,
      link.lostBytes,
      link.endedAt,
      link.closedAt,
      expiresAt,
      seenAt,
      mirrored,
      attempts,
    );
  }

  #saveLease(lease: Lease, before: Lease | undefined): void {
    if (lease === before) return;
    this.#storage.sql.exec(
      "insert or replace into leases values (?, ?, ?, ?, ?, ?, ?)",
      lease.id,
      lease.standing,
      lease.takenAt,
      lease.seenAt,
      lease.finishedAt,
      lease.lapsedAt,
      lease.lostBytes,
    );
    // A new lease may have the id of an old one, whose rows for other resources have to go.
    for (const resource of before?.bytes.keys() ?? []) {
      if (!lease.bytes.has(resource)) {
        this.#storage.sql.exec("delete from spans where lease = ? and resource = ?", lease.id, resource);
      }
    }
    for (const [resource, bytes] of lease.bytes) {
      if (bytes === before?.bytes.get(resource)) continue;
      this.#storage.sql.exec(
        "insert or replace into spans values (?, ?, ?, ?)",
        lease.id,
        resource,
        JSON.stringify(bytes.had),
        JSON.stringify(bytes.responses),
      );
    }
  }

  #deleteLease(id: string): void {
    this.#storage.sql.exec("delete from leases where id = ?", id);
    this.#storage.sql.exec("delete from spans where lease = ?", id);
  }

  #load(): GateRecord | null {
    const { sql } = this.#storage;
    // A Durable Object that has saved nothing has no tables.
    if (sql.exec("select 1 from sqlite_master where name = 'link'").toArray().length === 0) return null;
    const [row] = sql.exec<LinkRow>("select * from link");
    if (!row) return null;
    const bytes = new Map<string, Map<string, LeaseBytes>>();
    for (const span of sql.exec<SpanRow>("select * from spans")) {
      const ofLease = bytes.get(span.lease) ?? new Map<string, LeaseBytes>();
      const had = JSON.parse(span.had) as Runs;
      bytes.set(
        span.lease,
        ofLease.set(span.resource, { had, responses: JSON.parse(span.responses) as LeaseResponse[] }),
      );
    }
    const leases = sql.exec<LeaseRow>("select * from leases").toArray();
    return {
      state: {
        link: toLink(row),
        leases: new Map(leases.map((lease) => [lease.id, toLease(lease, bytes.get(lease.id))])),
      },
      expiresAt: row.expires_at,
      seenAt: row.seen_at,
      mirrored: row.mirrored,
      attempts: row.attempts,
    };
  }
}

function isSameLink(before: GateRecord, { state, expiresAt, seenAt, mirrored, attempts }: GateRecord): boolean {
  return (
    before.state.link === state.link &&
    before.expiresAt === expiresAt &&
    before.seenAt === seenAt &&
    before.mirrored === mirrored &&
    before.attempts === attempts
  );
}

function toLink(row: LinkRow): GateLink {
  return {
    fileId: row.file_id,
    sizeBytes: row.size,
    limit: row.max_downloads,
    counted: row.counted,
    lostBytes: row.lost_bytes,
    endedAt: row.ended_at,
    closedAt: row.closed_at,
  };
}

function toLease(row: LeaseRow, bytes: Lease["bytes"] = new Map()): Lease {
  return {
    id: row.id,
    standing: row.standing as Lease["standing"],
    takenAt: row.taken_at,
    seenAt: row.seen_at,
    finishedAt: row.finished_at,
    lapsedAt: row.lapsed_at,
    lostBytes: row.lost_bytes,
    bytes,
  };
}
