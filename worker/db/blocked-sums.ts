import { asc, eq, gt, inArray, sql } from "drizzle-orm";
import type { BlockedSum } from "#domain/moderation/block-list.ts";
import { utcDay } from "#domain/units.ts";
import { auditEntryInsert, type AuditEntry } from "./admin-audit.ts";
import { takeDownUpdate } from "./admin-files.ts";
import { caseUpsert } from "./cases.ts";
import type { Database } from "./client.ts";
import { findFileById, type FileRow } from "./files.ts";
import { retryIdempotent } from "./retries.ts";
import { blockedSums, overviewDays } from "./schema.ts";

/** With labels about 1.5 MB; D1 binds at most 2 MB. */
const SUMS_PER_STATEMENT = 10_000;

/** @returns `hit`: the first of the sums that is on the list, or null; `isUsed`: whether the list has any sum */
export async function findBlocked(
  db: Database,
  sums: readonly string[],
): Promise<{ hit: BlockedSum | null; isUsed: boolean }> {
  const any = db.select({ sha256: blockedSums.sha256 }).from(blockedSums).limit(1);
  const isUsed = (await retryIdempotent(() => any)).length > 0;
  // Reading the sums of a transfer costs rows also where the list is empty.
  if (!isUsed) return { hit: null, isUsed };
  for (const some of inStatements(sums)) {
    const among = sql`(select value from json_each(${JSON.stringify(some)}))`;
    const found = db
      .select({ sha256: blockedSums.sha256, label: blockedSums.label })
      .from(blockedSums)
      .where(inArray(blockedSums.sha256, among))
      .limit(1);
    const [hit] = await retryIdempotent(() => found);
    if (hit) return { hit, isUsed };
  }
  return { hit: null, isUsed };
}

/** Adds sums to the list. A sum that is on the list keeps its label. @returns how many were not on the list before */
export async function addBlockedSums(db: Database, sums: readonly BlockedSum[], now: number): Promise<number> {
  let added = 0;
  for (const some of inStatements(sums)) {
    const { meta } = await db.run(sql`
      insert into ${blockedSums} (sha256, label, added_at)
      select value ->> 'sha256', value ->> 'label', ${now} from json_each(${JSON.stringify(some)}) where true
      on conflict (sha256) do nothing`);
    added += meta.changes;
  }
  return added;
}

function inStatements<Sum>(sums: readonly Sum[]): Sum[][] {
  const count = Math.ceil(sums.length / SUMS_PER_STATEMENT);
  return Array.from({ length: count }, (_, index) =>
    sums.slice(index * SUMS_PER_STATEMENT, (index + 1) * SUMS_PER_STATEMENT),
  );
}

/** What the owner of a link reads that the block list has ended. */
export const BLOCKED_REASON = "This file was taken down here before.";

function blockedStatements(db: Database, file: BlockedFile, { sha256, label }: BlockedSum, now: number) {
  const { id: fileId, userId, filename, seal } = file;
  const detail = { sha256, label, name: seal === null ? filename : "" };
  return [
    db
      .insert(overviewDays)
      .values({ day: utcDay(now), blocked: 1 })
      .onConflictDoUpdate({ target: overviewDays.day, set: { blocked: sql`${overviewDays.blocked} + 1` } }),
    caseUpsert(db, { kind: "blocked", fileId, userId, detail }, now),
  ] as const;
}

type BlockedFile = Pick<FileRow, "id" | "userId" | "filename" | "seal">;

/** Counts an upload that a sum has ended, and puts it into the administrator's queue. */
export async function recordBlocked(db: Database, fileId: string, hit: BlockedSum, now: number): Promise<void> {
  const file = await findFileById(db, fileId);
  if (file) await db.batch(blockedStatements(db, file, hit, now));
}

/** Ends a ready link that has a sum of the list. @returns false if the link had ended before */
export async function endBlockedLink(db: Database, fileId: string, hit: BlockedSum, now: number): Promise<boolean> {
  const file = await findFileById(db, fileId);
  if (!file) return false;
  const [ended] = await db.batch([
    takeDownUpdate(db, fileId, BLOCKED_REASON, now),
    ...blockedStatements(db, file, hit, now),
  ]);
  return ended.length > 0;
}

/** The most labels that a page lists. */
const MAX_LABELS = 100;

/** The labels with the number of their sums, the newest first, and the number of all sums. */
export async function listBlockLabels(db: Database) {
  const latest = sql<number>`max(${blockedSums.addedAt})`;
  const [labels, [all]] = await db.batch([
    db
      .select({ label: blockedSums.label, sums: sql<number>`count(*)`, latest })
      .from(blockedSums)
      .groupBy(blockedSums.label)
      .orderBy(sql`3 desc`, asc(blockedSums.label))
      .limit(MAX_LABELS),
    db.select({ total: sql<number>`count(*)` }).from(blockedSums),
  ]);
  return { labels, total: all?.total ?? 0 };
}

export async function findBlockedSum(db: Database, sha256: string) {
  const [row] = await db.select().from(blockedSums).where(eq(blockedSums.sha256, sha256)).limit(1);
  return row ?? null;
}

/** @param after a sum; "" for the first page @returns the sums in their order */
export async function listBlockedSums(db: Database, after: string, limit: number): Promise<BlockedSum[]> {
  return db
    .select({ sha256: blockedSums.sha256, label: blockedSums.label })
    .from(blockedSums)
    .where(gt(blockedSums.sha256, after))
    .orderBy(asc(blockedSums.sha256))
    .limit(limit);
}

/** Takes one sum, or all sums of a label, from the list. @returns how many were on the list */
export async function removeBlockedSums(
  db: Database,
  which: { sha256: string } | { label: string },
  entry: AuditEntry,
): Promise<number> {
  const condition = "sha256" in which ? eq(blockedSums.sha256, which.sha256) : eq(blockedSums.label, which.label);
  const [removed] = await db.batch([db.delete(blockedSums).where(condition), auditEntryInsert(db, entry)]);
  return removed.meta.changes;
}
