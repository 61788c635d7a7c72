import { globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { LeaseResponse } from "#durable-objects/gate/lease.ts";

/** The gate of one link with a download limit, as it is stored. */
export interface StoredGate {
  sizeBytes: number;
  limit: number;
  counted: number;
  /** Bytes that were lost to leases that are no longer known. */
  lostBytes: number;
  leases: StoredLease[];
}

interface StoredLease {
  id: string;
  standing: "held" | "counted" | "lapsed";
  lostBytes: number;
  /** Epoch milliseconds. */
  finishedAt: number | null;
  /** Whether the lease has a response whose end was not reported. */
  isReading: boolean;
}

/** A gate's alarm, in nanoseconds (workerd, `SqliteMetadata`). */
const ALARM = 1;
const NS_PER_MS = 1_000_000n;

/** Reads the gates' databases while the runtime works, and moves the times in them while the runtime is down. */
export class GateFiles {
  readonly #pattern: string;

  /** @param serverFolder of a local server */
  constructor(serverFolder: string) {
    this.#pattern = `${serverFolder}/state/v3/do/*-DownloadGate/*.sqlite`;
  }

  /** Reads the stored state of each gate. @returns the gates by download id */
  read(): Map<string, StoredGate> {
    const gates = new Map<string, StoredGate>();
    for (const file of this.#gates()) {
      const database = new DatabaseSync(file, { readOnly: true });
      try {
        database.exec("begin");
        const [name, gate] = [nameOf(database), gateIn(database)];
        if (name !== null && gate !== null) gates.set(name, gate);
      } finally {
        database.close();
      }
    }
    return gates;
  }

  /** Moves the leases and alarms of these links as if time had passed. Call it only while the runtime is down. */
  letTimePass(ms: number, downloadIds: ReadonlySet<string>): void {
    const earlierBy = BigInt(ms) * NS_PER_MS;
    for (const file of this.#gates()) {
      const database = new DatabaseSync(file);
      if (gateIn(database) !== null && downloadIds.has(nameOf(database) ?? "")) {
        database.exec(`update leases set taken_at = taken_at - ${ms}, seen_at = seen_at - ${ms},
          finished_at = finished_at - ${ms}, lapsed_at = lapsed_at - ${ms}`);
        database.exec(`update link set ended_at = ended_at - ${ms}, closed_at = closed_at - ${ms}`);
        database.exec(`update _cf_METADATA set value = value - ${earlierBy} where key = ${ALARM}`);
        const alarms = new DatabaseSync(`${dirname(file)}/metadata.sqlite`);
        const id = basename(file, ".sqlite");
        alarms.exec(`update _cf_ALARM set scheduled_time = scheduled_time - ${earlierBy} where actor_id = '${id}'`);
        alarms.close();
      }
      database.close();
    }
  }

  #gates(): string[] {
    return globSync(this.#pattern).filter((file) => !file.endsWith("/metadata.sqlite"));
  }
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare("select 1 from sqlite_master where name = ?").get(name) !== undefined;
}

function nameOf(database: DatabaseSync): string | null {
  if (!hasTable(database, "__miniflare_do_name")) return null;
  const row = database.prepare("select name from __miniflare_do_name").get() as { name: string } | undefined;
  return row?.name ?? null;
}

function gateIn(database: DatabaseSync): StoredGate | null {
  if (!hasTable(database, "link")) return null;
  const link = database
    .prepare(`select size as sizeBytes, max_downloads as "limit", counted, lost_bytes as lostBytes from link`)
    .get() as Omit<StoredGate, "leases"> | undefined;
  if (!link) return null;
  const spans = database.prepare("select lease, responses from spans").all() as { lease: string; responses: string }[];
  const reading = new Set(spans.flatMap(({ lease, responses }) => (isAnyGoing(responses) ? [lease] : [])));
  const leases = database
    .prepare("select id, standing, lost_bytes as lostBytes, finished_at as finishedAt from leases")
    .all() as Pick<StoredLease, "id" | "standing" | "lostBytes" | "finishedAt">[];
  return { ...link, leases: leases.map((lease) => ({ ...lease, isReading: reading.has(lease.id) })) };
}

function isAnyGoing(responses: string): boolean {
  return (JSON.parse(responses) as Pick<LeaseResponse, "standing">[]).some(({ standing }) => standing === "running");
}
