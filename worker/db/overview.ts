import { and, asc, gte, isNull, lt, sql } from "drizzle-orm";
import { PLAN_IDS } from "#domain/plans.ts";
import type { Database } from "./client.ts";
import { isUploading } from "./files.ts";
import { selectRefusedMails } from "./mail.ts";
import { cappedCount } from "./paging.ts";
import {
  contactSubmissions,
  databaseDays,
  fileCounts,
  fileReports,
  files,
  mailDays,
  overviewDays,
  planDays,
  planNumbers,
  sweepRuns,
  uploadAuditLogs,
  users,
} from "./schema.ts";

const SHOWN_REFUSED_MAILS = 10;

/** A UTC day. `start` is inclusive, `end` exclusive, both epoch milliseconds. */
export interface DayRange {
  day: string;
  start: number;
  end: number;
}

/** Counts one day's uploads from the audit log. Downloads are counted when they happen. */
export async function updateOverviewDay(db: Database, { day, start, end }: DayRange): Promise<void> {
  await upsertOverviewDay(db, { day, start, end });
}

function upsertOverviewDay(db: Database, { day, start, end }: DayRange) {
  const finished = sql`${uploadAuditLogs.errorCode} = 'COMPLETED'`;
  return db
    .insert(overviewDays)
    .select(
      sql`
        select ${day}, count(case when ${finished} then 1 end),
          coalesce(sum(case when ${finished} then ${uploadAuditLogs.fileSize} end), 0),
          count(case when ${uploadAuditLogs.status} = 'failed' then 1 end),
          count(case when ${uploadAuditLogs.status} = 'rejected' then 1 end), 0, 0
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
      // Does not write unchanged values, because that would cost as much as a change.
      setWhere: sql`
        (excluded.uploads, excluded.bytes, excluded.failed, excluded.rejected) is not
        (${overviewDays.uploads}, ${overviewDays.bytes}, ${overviewDays.failed}, ${overviewDays.rejected})`,
    });
}

/** @returns when users and files were last counted per plan, epoch milliseconds, or null */
export async function findPlanNumbersTime(db: Database): Promise<number | null> {
  const [row] = await db.select({ takenAt: planNumbers.takenAt }).from(planNumbers).limit(1);
  return row?.takenAt.getTime() ?? null;
}

/** Counts users and files per plan, once an hour: the query reads all accounts. @param day the UTC day of `now` */
export async function updatePlanNumbers(db: Database, day: string, now: number): Promise<void> {
  await db.batch([upsertPlanNumbers(db, now), savePlanDay(db, day)]);
}

function upsertPlanNumbers(db: Database, now: number) {
  const plans = sql.join(
    PLAN_IDS.map((plan) => sql`select ${plan} as plan_type`),
    sql` union all `,
  );
  const userCounts = sql`select plan_type, count(*) as n from ${users} group by plan_type`;
  const held = sql`
    select user_id, stored as n, stored_bytes as bytes from ${fileCounts}
    union all
    select user_id, 1, size from ${files} where ${isUploading} and ${files.userId} is not null`;
  const stored = sql`
    select owner.plan_type, sum(held.n) as n, sum(held.bytes) as bytes
    from (${held}) as held join ${users} as owner on owner.id = held.user_id group by owner.plan_type`;
  return db
    .insert(planNumbers)
    .select(
      sql`
        select plans.plan_type, coalesce(user_counts.n, 0), coalesce(stored.n, 0), coalesce(stored.bytes, 0), ${now}
        from (${plans}) as plans left join (${userCounts}) as user_counts on user_counts.plan_type = plans.plan_type
        left join (${stored}) as stored on stored.plan_type = plans.plan_type where true`,
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

function savePlanDay(db: Database, day: string) {
  return db
    .insert(planDays)
    .select(sql`select ${day}, plan_type, bytes from ${planNumbers} where true`)
    .onConflictDoUpdate({ target: [planDays.day, planDays.planType], set: { bytes: sql`excluded.bytes` } });
}

export async function deleteOldOverviewDays(db: Database, before: string, limit: number): Promise<number> {
  let deleted = 0;
  for (const table of [overviewDays, planDays, databaseDays, mailDays]) {
    const old = db.select({ day: table.day }).from(table).where(lt(table.day, before)).orderBy(table.day).limit(limit);
    const { meta } = await db.delete(table).where(sql`${table.day} in ${old}`);
    deleted += meta.changes;
  }
  return deleted;
}

/** Counts today's uploads and reads the overview from `firstDay` on, in one round trip. */
export async function readOverview(db: Database, firstDay: string, today: DayRange) {
  const [, days, plans, stored, [reports], [unread], refusedMails] = await db.batch([
    upsertOverviewDay(db, today),
    db.select().from(overviewDays).where(gte(overviewDays.day, firstDay)).orderBy(asc(overviewDays.day)),
    db.select().from(planNumbers),
    db.select().from(planDays).where(gte(planDays.day, firstDay)),
    cappedCount(db, fileReports, isNull(fileReports.settledAt)),
    cappedCount(db, contactSubmissions, sql`${contactSubmissions.isRead} = 0`),
    selectRefusedMails(db, SHOWN_REFUSED_MAILS),
  ]);
  const counts = { openReports: reports?.total ?? 0, unreadMessages: unread?.total ?? 0 };
  return { days, plans, stored, ...counts, refusedMails };
}

export type SweepRunRow = typeof sweepRuns.$inferSelect;

export async function insertSweepRun(db: Database, run: Omit<SweepRunRow, "id">): Promise<void> {
  await db.insert(sweepRuns).values(run);
}

export async function listSweepRuns(db: Database, limit: number): Promise<SweepRunRow[]> {
  return db
    .select()
    .from(sweepRuns)
    .orderBy(sql`${sweepRuns.startedAt} desc`)
    .limit(limit);
}
