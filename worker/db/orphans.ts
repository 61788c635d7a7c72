import { and, asc, desc, gt, isNotNull, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { KnownOrphan } from "#domain/orphans.ts";
import { ADMIN_COUNTED_ROWS } from "#domain/wire.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import type { Database } from "./client.ts";
import { retryIdempotent } from "./retries.ts";
import { reconciliations, suspectedOrphans } from "./schema.ts";

/** The condition has a literal, not a parameter: with a parameter, SQLite does not use the partial index. */
const isUnapproved = sql`${suspectedOrphans.approvedAt} is null`;

export function knownOrphansQuery(db: Database, after: string, limit: number) {
  return db
    .select()
    .from(suspectedOrphans)
    .where(gt(suspectedOrphans.s3Key, after))
    .orderBy(asc(suspectedOrphans.s3Key))
    .limit(limit);
}

export function toKnownOrphan(row: typeof suspectedOrphans.$inferSelect): KnownOrphan {
  return { key: row.s3Key, firstSeenAt: row.firstSeenAt.getTime(), isApproved: row.approvedAt !== null };
}

/** Counts unapproved orphans first seen until `until` (epoch milliseconds), at most `limit`. */
export async function countUnapprovedOrphans(db: Database, until: number, limit: number): Promise<number> {
  const known = db
    .select({ s3Key: suspectedOrphans.s3Key })
    .from(suspectedOrphans)
    .where(and(isUnapproved, lte(suspectedOrphans.firstSeenAt, new Date(until))))
    .limit(limit);
  return db.$count(known.as("known"));
}

export interface OrphanRange {
  /** The range of keys: greater than `after`, up to and including `end`. A null `end` is no upper bound. */
  after: string;
  end: string | null;
  firstSeen: { key: string; sizeBytes: number }[];
  /** Keys of all orphans that remain in storage, including the newly seen. */
  remaining: string[];
}

/**
 * Statements that save the objects without a row that were found in one window of keys. They change nothing unless
 * `condition` holds. A known orphan keeps its `firstSeenAt`. An object that is referenced again or deleted loses its
 * row. If the object becomes an orphan again, its waiting time starts over.
 */
export function orphanStatements(
  db: Database,
  { after, end, firstSeen, remaining }: OrphanRange,
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
          sql`${suspectedOrphans.s3Key} not in (select value from json_each(${JSON.stringify(remaining)}))`,
          condition,
        ),
      ),
  ] as const;
}

/** Orphans that wait for approval. */
export interface UnapprovedOrphans {
  count: number;
  sizeBytes: number;
  since: Date;
}

/**
 * @param most how many orphans are counted at most
 * @returns null when the last reconciliation did not stop deleting, or no orphan awaits approval
 */
export async function findUnapprovedOrphans(
  db: Database,
  most = ADMIN_COUNTED_ROWS,
): Promise<UnapprovedOrphans | null> {
  const known = db
    .select({ firstSeenAt: suspectedOrphans.firstSeenAt, sizeBytes: suspectedOrphans.sizeBytes })
    .from(suspectedOrphans)
    .where(isUnapproved)
    .orderBy(suspectedOrphans.firstSeenAt)
    .limit(most)
    .as("known");
  const [[last], [unapproved]] = await db.batch([
    // Ignores a running reconciliation that has not stopped deleting, because its result is still open.
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
  return last?.stoppedAt && unapproved && unapproved.count > 0 ? unapproved : null;
}

/** Approves orphans first seen until `until` (epoch milliseconds). @returns the number of newly approved orphans */
export async function approveOrphans(db: Database, until: number, entry: AuditEntry): Promise<number> {
  const [approved] = await retryIdempotent(() =>
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
