import { and, eq, isNotNull, isNull, lte, min, sql, type SQL } from "drizzle-orm";
import type { NoticeKind } from "#domain/notices/when-mailed.ts";
import { DAY_MS, HOUR_MS } from "#domain/units.ts";
import { isHourlyRun } from "#domain/upload-lifetime.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { countReceipt } from "./receipts.ts";
import { retryIdempotent } from "./retries.ts";
import { files, mailStops, noticeEvents, noticeSettings, recipients, users } from "./schema.ts";

/** Literals: SQLite uses a partial index only where it can see that the condition holds. */
const isWaiting = sql`${noticeEvents.mailedAt} is null`;

/** Links that live shorter are not announced to end. */
const SHORTEST_ANNOUNCED_MS = 3 * DAY_MS;
const ANNOUNCED_MS = DAY_MS;

/** What is noted for a mail, and what the mail says of it. */
export interface DueNotice {
  id: string;
  userId: string;
  kind: NoticeKind;
  count: number;
  at: Date;
  /** "" for downloads by others than a named recipient, and for what the owner is told of their own links. */
  recipientId: string;
  file: typeof files.$inferSelect;
  recipient: typeof recipients.$inferSelect | null;
}

const SELECTION = {
  id: noticeEvents.id,
  userId: noticeEvents.userId,
  kind: noticeEvents.kind,
  count: noticeEvents.count,
  at: noticeEvents.at,
  recipientId: noticeEvents.recipientId,
  file: files,
  recipient: recipients,
};

/** Oldest first. @param now epoch milliseconds */
export async function listDueNotices(db: Database, now: number, limit: number): Promise<DueNotice[]> {
  const due = and(isWaiting, isNotNull(noticeEvents.dueAt), lte(noticeEvents.dueAt, new Date(now)));
  return selectNotices(db, due).orderBy(noticeEvents.dueAt).limit(limit);
}

/** What waits for an account's mail of the day, oldest first. */
export async function listDailyNotices(db: Database, userId: string, limit: number): Promise<DueNotice[]> {
  const daily = and(isWaiting, isNull(noticeEvents.dueAt), eq(noticeEvents.userId, userId));
  return selectNotices(db, daily).orderBy(noticeEvents.at).limit(limit);
}

function selectNotices(db: Database, condition: SQL | undefined) {
  return db
    .select(SELECTION)
    .from(noticeEvents)
    .innerJoin(files, eq(files.id, noticeEvents.transferId))
    .leftJoin(recipients, eq(recipients.id, noticeEvents.recipientId))
    .where(condition);
}

export interface WaitingDigest {
  userId: string;
  /** Epoch milliseconds. */
  oldestAt: number;
  timeZone: string | null;
  lastDay: string | null;
}

/** The accounts for whose mail of the day anything waits. */
export async function listWaitingDigests(db: Database): Promise<WaitingDigest[]> {
  const rows = await db
    .select({
      userId: noticeEvents.userId,
      oldestAt: min(noticeEvents.at),
      timeZone: noticeSettings.timeZone,
      lastDay: noticeSettings.lastDigestDay,
    })
    .from(noticeEvents)
    .leftJoin(noticeSettings, eq(noticeSettings.userId, noticeEvents.userId))
    .where(and(isWaiting, isNull(noticeEvents.dueAt)))
    .groupBy(noticeEvents.userId);
  return rows.map((row) => ({ ...row, oldestAt: row.oldestAt?.getTime() ?? 0 }));
}

/** The owners of notices, as their mails need them. */
export interface NoticeOwner {
  id: string;
  email: string;
  isVerified: boolean;
  locale: (typeof users.$inferSelect)["locale"];
  downloaded: string | null;
  arrived: boolean | null;
  ending: boolean | null;
  timeZone: string | null;
}

/** Accounts that are being deleted are left out. */
export async function findNoticeOwners(db: Database, ids: readonly string[]): Promise<Map<string, NoticeOwner>> {
  const rows = await db
    .select({
      id: users.id,
      email: users.email,
      isVerified: users.isVerified,
      locale: users.locale,
      downloaded: noticeSettings.downloaded,
      arrived: noticeSettings.arrived,
      ending: noticeSettings.ending,
      timeZone: noticeSettings.timeZone,
    })
    .from(users)
    .leftJoin(noticeSettings, eq(noticeSettings.userId, users.id))
    .where(and(sql`${users.id} in (select value from json_each(${JSON.stringify(ids)}))`, isNull(users.deletedAt)));
  return new Map(rows.map((row) => [row.id, row]));
}

/** @param digests of addresses @returns for each digest, whose mails it wants no more: "" for all */
export async function findAllStops(db: Database, digests: readonly string[]): Promise<Map<string, Set<string>>> {
  const rows = await db
    .select({ digest: mailStops.addressDigest, userId: mailStops.userId })
    .from(mailStops)
    .where(sql`${mailStops.addressDigest} in (select value from json_each(${JSON.stringify(digests)}))`);
  const stops = new Map<string, Set<string>>();
  for (const { digest, userId } of rows) stops.set(digest, (stops.get(digest) ?? new Set<string>()).add(userId));
  return stops;
}

/**
 * Marks notices as told, and saves the mail that tells of them, if nobody has done so, and nothing was counted since
 * they were read. What was told earlier of the same is dropped: the newest row says that it was told.
 * @param mail null for notices that nobody wants to hear of
 * @param also what else the mail changes: the day of a mail of the day, the count of an address that gets a receipt
 * @param now epoch milliseconds
 * @returns false when nothing was done
 */
export async function saveNoticeMail(
  db: Database,
  notices: readonly DueNotice[],
  mail: DueMail | null,
  { digestDay, receiptTo }: { digestDay: { userId: string; day: string } | null; receiptTo: string | null },
  now: number,
): Promise<boolean> {
  const ids = JSON.stringify(notices.map(({ id }) => id));
  const isOne = sql`${noticeEvents.id} in (select value from json_each(${ids}))`;
  const counted = notices.reduce((sum, { count }) => sum + count, 0);
  const isUnchanged = sql`(select count(*) = ${notices.length} and sum(${noticeEvents.count}) = ${counted}
    from ${noticeEvents} where ${isOne} and ${isWaiting})`;
  const isEarlier = sql`exists (select 1 from ${noticeEvents} as current
    where current.id in (select value from json_each(${ids})) and current.transfer_id = ${noticeEvents.transferId}
      and current.kind = ${noticeEvents.kind} and current.recipient_id = ${noticeEvents.recipientId})`;
  const transfers = sql`(select value from json_each(${JSON.stringify(notices.map(({ file }) => file.id))}))`;
  const drop = db
    .delete(noticeEvents)
    .where(
      and(sql`${noticeEvents.transferId} in ${transfers}`, isNotNull(noticeEvents.mailedAt), isEarlier, isUnchanged),
    );
  const mark = db
    .update(noticeEvents)
    .set({ mailedAt: new Date(now) })
    .where(and(isOne, isUnchanged));
  const results = await db.batch([
    drop,
    ...(mail ? [outboxInsert(db, mail, isUnchanged, now)] : []),
    ...(digestDay ? [noteDigest(db, digestDay, isUnchanged)] : []),
    ...(mail && receiptTo !== null ? [countReceipt(db, receiptTo, isUnchanged, now)] : []),
    mark,
  ]);
  return results.at(-1)?.meta.changes === notices.length;
}

function noteDigest(db: Database, { userId, day }: { userId: string; day: string }, condition: SQL) {
  return db
    .insert(noticeSettings)
    .select(
      sql`select ${userId}, ${noticeSettings.downloaded.default}, 1, 1, ${noticeSettings.timeZone.default}, ${day} where ${condition}`,
    )
    .onConflictDoUpdate({ target: noticeSettings.userId, set: { lastDigestDay: day } });
}

/**
 * Notes links that end within a day: for their owners, and for the recipients who have not fetched them. Once for an
 * end: one that is put off by a day or more is noted again. Idempotent.
 * @param limit links @param now epoch milliseconds @returns how many notices were made
 */
export async function noteEnding(db: Database, now: number, limit: number): Promise<number> {
  // Most links come to their last day one after the other. Once an hour all are looked at: an expiry may have changed.
  const from = isHourlyRun(now) ? now : now + ANNOUNCED_MS - HOUR_MS;
  const { results } = await db.$client
    .prepare(ENDING)
    .bind(from, now + ANNOUNCED_MS, limit)
    .all<{ id: string }>();
  if (results.length === 0) return 0;
  const ids = sql`(select value from json_each(${JSON.stringify(results.map(({ id }) => id))}))`;
  const to = (table: SQL, recipientId: SQL, condition: SQL) =>
    db
      .insert(noticeEvents)
      .select(
        sql`
          select lower(hex(randomblob(16))), files.user_id, files.id, 'ending', ${recipientId}, 1, files.expires_at, ${now}, null
          from ${table} where files.id in ${ids} and ${condition}`,
      )
      .onConflictDoNothing();
  const [, owners] = await retryIdempotent(() =>
    db.batch([
      to(
        sql`files join recipients on recipients.transfer_id = files.id`,
        sql`recipients.id`,
        sql`recipients.first_download_at is null and recipients.stopped_at is null
          and not exists (select 1 from notice_events as told where told.transfer_id = files.id
            and told.kind = 'ending' and told.recipient_id = recipients.id and told.at + ${ANNOUNCED_MS} > files.expires_at)`,
      ),
      to(
        sql`files`,
        sql`''`,
        sql`not exists (select 1 from notice_events as told where told.transfer_id = files.id
          and told.kind = 'ending' and told.recipient_id = '' and told.at + ${ANNOUNCED_MS} > files.expires_at)`,
      ),
    ]),
  );
  return owners.meta.changes;
}

/** The owner's notice is made for each, so it says which links are done. */
const ENDING = `
  select files.id as id from files
  where files.status = 'ready' and files.expires_at is not null and files.expires_at > ?1 and files.expires_at <= ?2
    and files.user_id is not null and files.deleted_at is null and not files.admin_deleted
    and files.expires_at - files.uploaded_at >= ${SHORTEST_ANNOUNCED_MS}
    and not exists (select 1 from notice_events as told where told.transfer_id = files.id and told.kind = 'ending'
      and told.recipient_id = '' and told.at + ${ANNOUNCED_MS} > files.expires_at)
  order by files.expires_at limit ?3`;
