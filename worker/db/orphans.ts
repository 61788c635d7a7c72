import { and, asc, desc, gt, isNotNull, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { KnownOrphan } from "#domain/orphans.ts";
import { ADMIN_COUNTED_ROWS } from "#domain/wire.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { repeatable } from "./retries.ts";
import { reconciliations, suspectedOrphans } from "./schema.ts";

/** A literal, not a parameter: SQLite uses a partial index only where it can see that the condition holds. */
const isUnapproved = sql`${suspectedOrphans.approvedAt} is null`;

/** The statement that reads known orphans in the order of their keys. */
export function knownOrphansByKey(db: Database, after: string, limit: number) {
  return db
    .select()
    .from(suspectedOrphans)
    .where(gt(suspectedOrphans.s3Key, after))
    .orderBy(asc(suspectedOrphans.s3Key))
    .limit(limit);
}

/** A row as the rules for orphans take it. */
export function toKnownOrphan(row: typeof suspectedOrphans.$inferSelect): KnownOrphan {
  return { key: row.s3Key, firstSeenAt: row.firstSeenAt.getTime(), isApproved: row.approvedAt !== null };
}

/** Counts unapproved orphans that were first seen at `until` (epoch milliseconds) or before, up to `limit`. */
export async function countUnapprovedOrphans(db: Database, until: number, limit: number): Promise<number> {
  const known = db
    .select({ s3Key: suspectedOrphans.s3Key })
    .from(suspectedOrphans)
    .where(and(isUnapproved, lte(suspectedOrphans.firstSeenAt, new Date(until))))
    .limit(limit);
  return db.$count(known.as("known"));
}

/** What a window's range of keys holds of orphans now. */
export interface OrphansOfRange {
  /** The range: keys after `after`, up to and with `end`; null for all that follow. */
  after: string;
  end: string | null;
  /** Orphans that no reconciliation had seen before. */
  firstSeen: { key: string; sizeBytes: number }[];
  /** Keys of the orphans that stay in storage, those among them. */
  kept: string[];
}

/**
 * The statements that note the orphans of a range of keys, where a condition holds. A known orphan keeps its first
 * sighting; one that is wanted, gone or deleted is forgotten, so that it would start anew.
 * @param now epoch milliseconds
 */
export function recordOrphans(
  db: Database,
  { after, end, firstSeen, kept }: OrphansOfRange,
  now: number,
  condition: SQL,
) {
  return [
    db
      .insert(suspectedOrphans)
      .select(
        sql`
          select json_extract(value, '$.key'), json_extract(value, '$.sizeBytes'), ${now}, null
          from json_each(${JSON.stringify(firstSeen)}) where ${condition}`,
      )
      .onConflictDoNothing(),
    db
      .delete(suspectedOrphans)
      .where(
        and(
          gt(suspectedOrphans.s3Key, after),
          end === null ? undefined : lte(suspectedOrphans.s3Key, end),
          sql`${suspectedOrphans.s3Key} not in (select value from json_each(${JSON.stringify(kept)}))`,
          condition,
        ),
      ),
  ] as const;
}

/** Unapproved orphans, counted up to `ADMIN_COUNTED_ROWS`. */
export interface UnapprovedOrphans {
  count: number;
  sizeBytes: number;
  /** When the first of them was first seen. */
  since: Date;
}

/**
 * The unapproved orphans, where the last reconciliation found too many.
 * @returns null where it did not, or where there is none
 */
export async function findStoppedOrphans(db: Database): Promise<UnapprovedOrphans | null> {
  const known = db
    .select({ firstSeenAt: suspectedOrphans.firstSeenAt, sizeBytes: suspectedOrphans.sizeBytes })
    .from(suspectedOrphans)
    .where(isUnapproved)
    .orderBy(suspectedOrphans.firstSeenAt)
    .limit(ADMIN_COUNTED_ROWS)
    .as("known");
  const [[last], [found]] = await db.batch([
    // One that goes on and has not stopped says nothing yet: then the one before it counts.
    db
      .select({ stoppedAt: reconciliations.stoppedAt })
      .from(reconciliations)
      .where(or(isNotNull(reconciliations.finishedAt), isNotNull(reconciliations.stoppedAt)))
      .orderBy(desc(reconciliations.startedAt))
      .limit(1),
    db
      .select({
        count: sql<number>`count(*)`,
        sizeBytes: sql<number>`coalesce(sum(${known.sizeBytes}), 0)`,
        since: sql`min(${known.firstSeenAt})`.mapWith(suspectedOrphans.firstSeenAt),
      })
      .from(known),
  ]);
  return last?.stoppedAt && found && found.count > 0 ? found : null;
}

/**
 * Approves the deletion of every orphan that was first seen at `until` (epoch milliseconds) or before.
 * @returns how many that changes
 */
export async function approveOrphans(db: Database, until: number, entry: AuditEntry): Promise<number> {
  const [approved] = await repeatable(() =>
    db.batch([
      db
        .update(suspectedOrphans)
        .set({ approvedAt: new Date(entry.at) })
        .where(and(isNull(suspectedOrphans.approvedAt), lte(suspectedOrphans.firstSeenAt, new Date(until)))),
      auditEntryInsert(db, entry),
    ]),
  );
  return approved.meta.changes;
}
