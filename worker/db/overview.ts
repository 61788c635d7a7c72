import { and, asc, gte, isNull, lt, lte, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { countUpTo } from "./paging.ts";
import {
  contactSubmissions,
  fileReports,
  files,
  overviewDays,
  planNumbers,
  sweepRuns,
  uploadAuditLogs,
  users,
} from "./schema.ts";

/** A day as UTC names it, from its first millisecond to past its last, epoch milliseconds. */
export interface CountedDay {
  day: string;
  start: number;
  end: number;
}

/** Counts one day's uploads again from the log: a range of the index on time. Downloads are counted as they happen. */
export async function recountDay(db: Database, { day, start, end }: CountedDay): Promise<void> {
  await countDay(db, { day, start, end });
}

function countDay(db: Database, { day, start, end }: CountedDay) {
  const finished = sql`${uploadAuditLogs.errorCode} = 'COMPLETED'`;
  return db
    .insert(overviewDays)
    .select(
      sql`
        select ${day}, count(case when ${finished} then 1 end),
          coalesce(sum(case when ${finished} then ${uploadAuditLogs.fileSize} end), 0),
          count(case when ${uploadAuditLogs.status} = 'failed' then 1 end),
          count(case when ${uploadAuditLogs.status} = 'rejected' then 1 end), 0
        from ${uploadAuditLogs}
        where ${and(gte(uploadAuditLogs.timestamp, new Date(start)), lt(uploadAuditLogs.timestamp, new Date(end)))}`,
    )
    .onConflictDoUpdate({
      target: overviewDays.day,
      set: {
        uploads: sql`excluded.uploads`,
        bytes: sql`excluded.bytes`,
        failed: sql`excluded.failed`,
        rejected: sql`excluded.rejected`,
      },
    });
}

/** When the plans were last counted, epoch milliseconds, or null. */
export async function findPlanNumbersAge(db: Database): Promise<number | null> {
  const [row] = await db.select({ takenAt: planNumbers.takenAt }).from(planNumbers).limit(1);
  return row?.takenAt.getTime() ?? null;
}

/** Counts people and stored files by plan. The only query that looks at everything: the cron asks it once an hour. */
export async function takePlanNumbers(db: Database, now: number): Promise<void> {
  const people = sql`select plan_type, count(*) as n from ${users} group by plan_type`;
  const perOwner = sql`
    select user_id, count(*) as n, sum(size) as bytes from ${files}
    where ${files.status} in ('uploading', 'ready') and ${files.s3DeletedAt} is null and ${files.userId} is not null
    group by user_id`;
  const stored = sql`
    select owner.plan_type, sum(held.n) as n, sum(held.bytes) as bytes
    from (${perOwner}) as held join ${users} as owner on owner.id = held.user_id group by owner.plan_type`;
  await db
    .insert(planNumbers)
    .select(
      sql`
        select people.plan_type, people.n, coalesce(stored.n, 0), coalesce(stored.bytes, 0), ${now}
        from (${people}) as people left join (${stored}) as stored on stored.plan_type = people.plan_type where true`,
    )
    .onConflictDoUpdate({
      target: planNumbers.planType,
      set: {
        users: sql`excluded.users`,
        files: sql`excluded.files`,
        bytes: sql`excluded.bytes`,
        takenAt: sql`excluded.taken_at`,
      },
    });
}

/** What the overview shows, from `firstDay` on, with today counted anew, in one round trip. */
export async function readOverview(db: Database, firstDay: string, today: CountedDay) {
  const [, days, plans, [reports], [unread]] = await db.batch([
    countDay(db, today),
    db.select().from(overviewDays).where(gte(overviewDays.day, firstDay)).orderBy(asc(overviewDays.day)),
    db.select().from(planNumbers),
    countUpTo(db, fileReports, isNull(fileReports.settledAt)),
    countUpTo(db, contactSubmissions, sql`${contactSubmissions.isRead} = 0`),
  ]);
  return { days, plans, openReports: reports?.total ?? 0, unreadMessages: unread?.total ?? 0 };
}

export type SweepRunRow = typeof sweepRuns.$inferSelect;

/** Keeps what a run of the cron did. */
export async function insertSweepRun(db: Database, run: Omit<SweepRunRow, "id">): Promise<void> {
  await db.insert(sweepRuns).values(run);
}

/** The last runs, newest first. */
export async function listSweepRuns(db: Database, limit: number): Promise<SweepRunRow[]> {
  return db
    .select()
    .from(sweepRuns)
    .orderBy(sql`${sweepRuns.startedAt} desc`)
    .limit(limit);
}

/** Drops runs that began before `before`, oldest first. @returns how many */
export async function dropOldSweepRuns(db: Database, before: number, limit: number): Promise<number> {
  const old = db
    .select({ id: sweepRuns.id })
    .from(sweepRuns)
    .where(lte(sweepRuns.startedAt, new Date(before)))
    .orderBy(sweepRuns.startedAt)
    .limit(limit);
  const { meta } = await db.delete(sweepRuns).where(sql`${sweepRuns.id} in ${old}`);
  return meta.changes;
}
