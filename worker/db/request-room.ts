import { and, eq, isNotNull, sql, type SQL } from "drizzle-orm";
import { limitFor, PLANS, type PlanLimits } from "#domain/plans.ts";
import { UNFINISHED_PER_REQUEST, UNFINISHED_PER_SENDER } from "#domain/requests/limits.ts";
import type { Database } from "./client.ts";
import { files, uploadRequests, users } from "./schema.ts";

/** The limits of upload requests, for statements that read a row of `upload_requests`. */

/**
 * The running uploads and stored files that fill the limits of a request. Ended uploads and deleted files do not count.
 * Column names are written out, because Drizzle omits the table in a query on one table.
 */
const RECEIVED = `from files as received where received.request_id = upload_requests.id
  and received.status in ('uploading', 'ready') and received.deleted_at is null
  and received.s3_deleted_at is null and received.admin_deleted = 0`;
export const receivedBytes = sql<number>`(select coalesce(sum(received.size), 0) ${sql.raw(RECEIVED)})`;
export const receivedTransfers = sql<number>`(select count(*) ${sql.raw(RECEIVED)})`;

/**
 * The uploads through a request in its owner's present month, including deleted uploads. The SQL also reads `users`.
 */
const TAKEN = `from files as taken where taken.request_id = upload_requests.id
  and taken.status in ('uploading', 'ready') and taken.reserved_period_start = users.current_period_start`;
/** A condition: the file's owner has neither downloaded it nor made a link of it. */
const isUnopened = (table: "files" | "taken") => `${table}.forwarded_at is null and ${table}.download_count = 0`;
const TAKEN_BYTES = `(select coalesce(sum(taken.size), 0) ${TAKEN})`;
const TAKEN_TRANSFERS = `(select count(*) ${TAKEN} and not (taken.deleted_at is not null and ${isUnopened("taken")}))`;

/**
 * A request without a limit may use half of the monthly quota that the account's other uploads leave. If the request
 * has taken `taken`, all uploads have used `used`, and `more` is to come, taken + more <= (month - (used - taken)) / 2
 * means taken + 2 more <= month - used.
 */
const leavesHalfOfBytes = (bytes: SQL, { monthBytes }: Pick<PlanLimits, "monthBytes">) =>
  sql`(upload_requests.most_bytes is not null
    or ${sql.raw(TAKEN_BYTES)} + 2 * ${bytes} <= ${monthBytes} - users.monthly_upload_total)`;
const leavesHalfOfTransfers = ({ monthTransfers }: Pick<PlanLimits, "monthTransfers">) =>
  sql`(upload_requests.most_transfers is not null
    or ${sql.raw(TAKEN_TRANSFERS)} + 2 <= ${monthTransfers} - users.monthly_transfer_count)`;

/** Whether a request is open. @param now epoch milliseconds */
export function isOpen(now: number): SQL {
  return sql`(${uploadRequests.closedAt} is null
    and (${uploadRequests.expiresAt} is null or ${uploadRequests.expiresAt} > ${now}))`;
}

/**
 * The number of older open requests of the owner. If a plan allows fewer requests than are open, it allows the oldest.
 * @param now epoch milliseconds
 */
export function olderOpen(now: number): SQL<number> {
  return sql<number>`(select count(*) from upload_requests as others
    where others.user_id = upload_requests.user_id and others.closed_at is null
      and (others.expires_at is null or others.expires_at > ${now})
      and (others.created_at, others.rowid) < (upload_requests.created_at, upload_requests.rowid))`;
}

/** The number of open requests that the owner's plan allows, for a statement that reads `users`. */
function mostOpenOfPlan(): SQL {
  const cases = PLANS.map(({ id }) => sql`when ${id} then ${limitFor(id).openRequests}`);
  return sql`case ${users.planType} ${sql.join(cases, sql` `)} else 0 end`;
}

/** The upload request and the sender's network of an upload that starts. */
type StartingRequest = Pick<FileSender, "fileRequestId" | "network">;

/**
 * The conditions in the statement that reserves an upload and reads `users`: the request is open, within the owner's
 * plan, and has room.
 * @param limits the limits of the owner's plan
 * @param now epoch milliseconds
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
 * The condition in the statement that grows an upload and reads `files` and `users`: the request has room. The upload
 * may finish even if the request is closed.
 * @param limits the limits of the owner's plan
 */
export function requestHasRoomFor(addedBytes: SQL, limits: Pick<PlanLimits, "monthBytes">): SQL {
  return sql`(${files.fileRequestId} is null or not exists (
    select 1 from ${uploadRequests} where ${uploadRequests.id} = ${files.fileRequestId}
      and (${receivedBytes} + ${addedBytes} > ${uploadRequests.mostBytes}
        or not ${leavesHalfOfBytes(addedBytes, limits)})))`;
}

/**
 * The statement that, if nobody has opened a received file, no longer counts its upload in the month; its bytes still
 * count. In the batch in which the owner deletes the file, the statement precedes the change of the file's row.
 * @param condition on the row of `files`
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

/** The number of unfinished uploads through a request, in all and from one network. */
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

export interface FileSender {
  fileRequestId: string;
  network: string;
  name: string | null;
  email: string | null;
  note: string | null;
}
