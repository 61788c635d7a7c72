import { and, eq, isNotNull, isNull, lte, min, sql, type SQL } from "drizzle-orm";
import type { NoticeKind } from "#domain/notices/when-mailed.ts";
import { DAY_MS, HOUR_MS } from "#domain/units.ts";
import { isHourlyRun } from "#domain/upload-lifetime.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { countReceipt } from "./receipts.ts";
import { retryIdempotent } from "./retries.ts";
import { files, mailStops, noticeEvents, noticeSettings, recipients, users } from "./schema.ts";

/** A literal, not a parameter: with a parameter, SQLite does not use the partial index. */
const isWaiting = sql`${noticeEvents.mailedAt} is null`;

/** A link that lives shorter than this gets no mail before it ends. */
const SHORTEST_ANNOUNCED_MS = 3 * DAY_MS;
const ANNOUNCED_MS = DAY_MS;

/** An event that waits for its mail, with the rows that the mail needs. */
export interface DueNotice {
  id: string;
  userId: string;
  kind: NoticeKind;
  count: number;
  at: Date;
  /**
   * The recipient who has downloaded, or who is mailed before the link ends. "" for downloads by anybody else, and for
   * other mails to the owner.
   */
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

/** Notices whose mail is due, the longest due first. @param now epoch milliseconds */
export async function listDueNotices(db: Database, now: number, limit: number): Promise<DueNotice[]> {
  const due = and(isWaiting, isNotNull(noticeEvents.dueAt), lte(noticeEvents.dueAt, new Date(now)));
  return selectNotices(db, due).orderBy(noticeEvents.dueAt).limit(limit);
}

/** Notices that wait for an account's daily mail, oldest first. */
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

/** The accounts with notices that wait for the daily mail. */
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

/** Finds the owners of notices, except accounts that are being deleted. */
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

/** @param digests of mail addresses @returns for each digest, the accounts whose mails are stopped; "" means all */
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
 * Marks notices as mailed, and saves their mail, unless another run has done so or a notice's count has changed since
 * the notices were read. Deletes earlier mailed notices of the same event, because the newest row is proof enough that
 * a mail was sent.
 * @param mail the mail about the notices; null if nobody wants to get it
 * @param also what else the transaction notes: the day of a daily mail, the address whose receipts are counted
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
 * Inserts notices of links that end within a day, for the owners and for recipients who have not downloaded yet. A
 * link's end is noted once; if it is put off by a day or more, it is noted again. Idempotent.
 * @param limit how many links at most
 * @param now epoch milliseconds
 * @returns the number of owners' notices
 */
export async function noteEnding(db: Database, now: number, limit: number): Promise<number> {
  // Each run reads links that enter their last day. Once an hour, a run reads all links that end within a day, because
  // an expiry may have changed.
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

/** Links that end soon. Every link gets an owner's notice, so a link with such a notice is left out. */
const ENDING = `
  select files.id as id from files
  where files.status = 'ready' and files.expires_at is not null and files.expires_at > ?1 and files.expires_at <= ?2
    and files.suspended_at is null and files.held_at is null and files.kept_at is null
    and files.user_id is not null and files.deleted_at is null and not files.admin_deleted
    and files.expires_at - files.uploaded_at >= ${SHORTEST_ANNOUNCED_MS}
    and not exists (select 1 from notice_events as told where told.transfer_id = files.id and told.kind = 'ending'
      and told.recipient_id = '' and told.at + ${ANNOUNCED_MS} > files.expires_at)
  order by files.expires_at limit ?3`;
