import { and, eq, isNotNull, sql, type SQL } from "drizzle-orm";
import { limitFor, PLANS, type PlanLimits } from "#domain/plans.ts";
import { UNFINISHED_PER_REQUEST, UNFINISHED_PER_SENDER } from "#domain/requests/limits.ts";
import type { Database } from "./client.ts";
import type { FileSender } from "./new-files.ts";
import { files, uploadRequests, users } from "./schema.ts";

/** What a request may take, for statements that read its row. */

/**
 * What takes up the room of the row of `upload_requests` that a statement reads: uploads that run, and bytes that are
 * there. Whatever ends gives its room back. Names are written out: a column of a query on one table loses its table's.
 */
const RECEIVED = `from files as received where received.request_id = upload_requests.id
  and received.status in ('uploading', 'ready') and received.deleted_at is null
  and received.s3_deleted_at is null and received.admin_deleted = 0`;
export const receivedBytes = sql<number>`(select coalesce(sum(received.size), 0) ${sql.raw(RECEIVED)})`;
export const receivedTransfers = sql<number>`(select count(*) ${sql.raw(RECEIVED)})`;

/** What the request has taken from its owner's present month, also what is gone since. Reads `users`, too. */
const TAKEN = `from files as taken where taken.request_id = upload_requests.id
  and taken.status in ('uploading', 'ready') and taken.reserved_period_start = users.current_period_start`;
/** Whether the owner has neither downloaded a file nor made a link of it. */
const isUnopened = (table: "files" | "taken") => `${table}.forwarded_at is null and ${table}.download_count = 0`;
const TAKEN_BYTES = `(select coalesce(sum(taken.size), 0) ${TAKEN})`;
const TAKEN_TRANSFERS = `(select count(*) ${TAKEN} and not (taken.deleted_at is not null and ${isUnopened("taken")}))`;

/**
 * A request without a bound of its own takes at most half of what it finds in its owner's month. With `taken` by it,
 * `used` by all, and `more` to come, taken + more <= (month - (used - taken)) / 2 is taken + 2 more <= month - used.
 */
const leavesHalfOfBytes = (bytes: SQL, { monthBytes }: Pick<PlanLimits, "monthBytes">) =>
  sql`(upload_requests.most_bytes is not null
    or ${sql.raw(TAKEN_BYTES)} + 2 * ${bytes} <= ${monthBytes} - users.monthly_upload_total)`;
const leavesHalfOfTransfers = ({ monthTransfers }: Pick<PlanLimits, "monthTransfers">) =>
  sql`(upload_requests.most_transfers is not null
    or ${sql.raw(TAKEN_TRANSFERS)} + 2 <= ${monthTransfers} - users.monthly_transfer_count)`;

/** @param now epoch milliseconds */
export function isOpen(now: number): SQL {
  return sql`(${uploadRequests.closedAt} is null
    and (${uploadRequests.expiresAt} is null or ${uploadRequests.expiresAt} > ${now}))`;
}

/** How many older requests of the owner are open. A plan allows the oldest ones. @param now epoch milliseconds */
export function olderOpen(now: number): SQL<number> {
  return sql<number>`(select count(*) from upload_requests as others
    where others.user_id = upload_requests.user_id and others.closed_at is null
      and (others.expires_at is null or others.expires_at > ${now})
      and (others.created_at, others.rowid) < (upload_requests.created_at, upload_requests.rowid))`;
}

/** How many more open requests each plan allows, for a statement that reads `users`. */
function mostOpenOfPlan(): SQL {
  const cases = PLANS.map(({ id }) => sql`when ${id} then ${limitFor(id).openRequests}`);
  return sql`case ${users.planType} ${sql.join(cases, sql` `)} else 0 end`;
}

/** Through which an upload starts, and from which network. */
type StartingRequest = Pick<FileSender, "fileRequestId" | "network">;

/**
 * For the statement that reserves an upload, which reads `users`: the request is open, within its owner's plan, and has
 * room. @param limits of the owner's plan @param now epoch milliseconds
 */
export function requestHasRoom(
  { fileRequestId, network }: StartingRequest,
  sizeBytes: number,
  limits: PlanLimits,
  now: number,
): SQL {
  const unfinished = (more: SQL) => sql`(select count(*) from ${files}
    where ${files.fileRequestId} = upload_requests.id and ${files.status} = 'uploading' and ${more})`;
  return sql`exists (select 1 from ${uploadRequests}
    where ${uploadRequests.id} = ${fileRequestId} and ${uploadRequests.userId} = ${users.id} and ${isOpen(now)}
      and ${users.deletedAt} is null and ${olderOpen(now)} < ${mostOpenOfPlan()}
      and (${uploadRequests.mostBytes} is null or ${receivedBytes} + ${sizeBytes} <= ${uploadRequests.mostBytes})
      and (${uploadRequests.mostTransfers} is null or ${receivedTransfers} + 1 <= ${uploadRequests.mostTransfers})
      and ${leavesHalfOfBytes(sql`${sizeBytes}`, limits)} and ${leavesHalfOfTransfers(limits)}
      and ${unfinished(sql`true`)} < ${UNFINISHED_PER_REQUEST}
      and ${unfinished(sql`${files.senderNetwork} = ${network}`)} < ${UNFINISHED_PER_SENDER})`;
}

/**
 * For the statement in which an upload of a request grows, and which reads `files` and `users`. An upload that runs may
 * finish. @param limits of the owner's plan
 */
export function requestHasRoomFor(addedBytes: SQL, limits: Pick<PlanLimits, "monthBytes">): SQL {
  return sql`(${files.fileRequestId} is null or not exists (
    select 1 from ${uploadRequests} where ${uploadRequests.id} = ${files.fileRequestId}
      and (${receivedBytes} + ${addedBytes} > ${uploadRequests.mostBytes}
        or not ${leavesHalfOfBytes(addedBytes, limits)})))`;
}

/**
 * For the batch in which an owner deletes what came, before its row changes: what nobody has opened gives its upload back
 * to the month that it came from. Its bytes were sent, and stay counted. @param condition on the row of `files`
 */
export function giveBackUnopened(db: Database, id: string, condition: SQL) {
  return db
    .update(users)
    .set({ monthlyUploadCount: sql`max(0, ${users.monthlyUploadCount} - 1)` })
    .from(files)
    .where(
      and(
        eq(files.id, id),
        condition,
        isNotNull(files.fileRequestId),
        sql.raw(isUnopened("files")),
        eq(users.id, files.userId),
        eq(users.currentPeriodStart, files.reservedPeriodStart),
      ),
    );
}

/** How many uploads through a request are not finished, in all and from one network. */
export async function countUnfinishedOf(db: Database, { fileRequestId, network }: StartingRequest) {
  const [row] = await db
    .select({
      all: sql<number>`count(*)`,
      ofNetwork: sql<number>`coalesce(sum(${files.senderNetwork} = ${network}), 0)`,
    })
    .from(files)
    .where(and(eq(files.fileRequestId, fileRequestId), sql`${files.status} = 'uploading'`));
  return row ?? { all: 0, ofNetwork: 0 };
}
