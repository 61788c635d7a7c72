import { and, desc, eq, getTableColumns, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import { limitFor, PLANS, type PlanId, type PlanLimits } from "#domain/plans.ts";
import { UNFINISHED_PER_REQUEST, UNFINISHED_PER_SENDER } from "#domain/requests/limits.ts";
import type { Database } from "./client.ts";
import type { ListPosition } from "./files-after.ts";
import type { FileSender } from "./new-files.ts";
import { retryIdempotent } from "./retries.ts";
import { files, uploadRequests, users } from "./schema.ts";

export type UploadRequestRow = typeof uploadRequests.$inferSelect;

/** With what has come, and what its owner's plan allows. */
export interface CountedRequest extends UploadRequestRow {
  /** Stored, and on its way. */
  receivedBytes: number;
  receivedTransfers: number;
  /** How many open requests of the same owner are older. */
  olderOpen: number;
}

export interface FoundRequest extends CountedRequest {
  ownerPlan: string;
  ownerDeletedAt: Date | null;
}

/**
 * What takes up the room of the row of `upload_requests` that a statement reads: uploads that run, and bytes that are
 * there. Whatever ends gives its room back. Names are written out: a column of a query on one table loses its table's.
 */
const RECEIVED = `from files as received where received.request_id = upload_requests.id
  and received.status in ('uploading', 'ready') and received.deleted_at is null
  and received.s3_deleted_at is null and received.admin_deleted = 0`;
const receivedBytes = sql<number>`(select coalesce(sum(received.size), 0) ${sql.raw(RECEIVED)})`;
const receivedTransfers = sql<number>`(select count(*) ${sql.raw(RECEIVED)})`;

/** What the request has taken from its owner's present month, also what is gone since. Reads `users`, too. */
const TAKEN = `from files as taken where taken.request_id = upload_requests.id
  and taken.status in ('uploading', 'ready') and taken.reserved_period_start = users.current_period_start`;
/** Its owner has neither downloaded it nor made a link of it. */
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

function isOpen(now: number): SQL {
  return sql`(${uploadRequests.closedAt} is null
    and (${uploadRequests.expiresAt} is null or ${uploadRequests.expiresAt} > ${now}))`;
}

/** The oldest open requests are those that a plan allows. */
function olderOpen(now: number): SQL<number> {
  return sql<number>`(select count(*) from upload_requests as others
    where others.user_id = upload_requests.user_id and others.closed_at is null
      and (others.expires_at is null or others.expires_at > ${now})
      and (others.created_at, others.rowid) < (upload_requests.created_at, upload_requests.rowid))`;
}

const counted = (now: number) => ({
  ...getTableColumns(uploadRequests),
  receivedBytes,
  receivedTransfers,
  olderOpen: olderOpen(now),
});

const rowid = sql<number>`${uploadRequests}.rowid`;

/** Newest first. @param now epoch milliseconds */
export async function listRequestsOf(db: Database, userId: string, now: number): Promise<CountedRequest[]> {
  return db
    .select(counted(now))
    .from(uploadRequests)
    .where(eq(uploadRequests.userId, userId))
    .orderBy(desc(uploadRequests.createdAt), desc(rowid));
}

/**
 * The same, one page after another: what is added meanwhile moves nothing.
 * @param after null for the first page @returns `end`: the last row's position, if there are more
 */
export async function listRequestsAfter(
  db: Database,
  userId: string,
  after: ListPosition | null,
  limit: number,
  now: number,
): Promise<{ rows: CountedRequest[]; end: ListPosition | null }> {
  const isAfter = after ? sql`(${uploadRequests.createdAt}, ${rowid}) < (${after.at}, ${after.rowid})` : undefined;
  const found = await db
    .select({ ...counted(now), rowid })
    .from(uploadRequests)
    .where(and(eq(uploadRequests.userId, userId), isAfter))
    .orderBy(desc(uploadRequests.createdAt), desc(rowid))
    .limit(limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, end: last && found.length > limit ? { at: last.createdAt.getTime(), rowid: last.rowid } : null };
}

/** @param now epoch milliseconds @returns null for an unknown request, and for another person's */
export async function findRequestOf(
  db: Database,
  userId: string,
  id: string,
  now: number,
): Promise<CountedRequest | null> {
  const [row] = await db
    .select(counted(now))
    .from(uploadRequests)
    .where(and(eq(uploadRequests.id, id), eq(uploadRequests.userId, userId)));
  return row ?? null;
}

/** @param now epoch milliseconds */
export function findRequestByToken(db: Database, token: string, now: number): Promise<FoundRequest | null> {
  return findRequest(db, eq(uploadRequests.token, token), now);
}

/** The sites whose pages may send. @returns null for an unknown token */
export async function findOrigins(db: Database, token: string): Promise<string[] | null> {
  const [row] = await db
    .select({ origins: uploadRequests.origins })
    .from(uploadRequests)
    .where(eq(uploadRequests.token, token));
  return row?.origins ?? null;
}

/** @param now epoch milliseconds */
export function findRequestById(db: Database, id: string, now: number): Promise<FoundRequest | null> {
  return findRequest(db, eq(uploadRequests.id, id), now);
}

async function findRequest(db: Database, condition: SQL, now: number): Promise<FoundRequest | null> {
  const [row] = await db
    .select({ ...counted(now), ownerPlan: users.planType, ownerDeletedAt: users.deletedAt })
    .from(uploadRequests)
    .innerJoin(users, eq(users.id, uploadRequests.userId))
    .where(condition);
  return row ?? null;
}

/** @returns false when the person has `mostOpen` open requests, or is being deleted */
export async function insertRequest(
  db: Database,
  row: UploadRequestRow,
  mostOpen: number,
  now: number,
): Promise<boolean> {
  const columns = Object.entries(getTableColumns(uploadRequests)).map(
    ([name, column]) => sql`${sql.param(row[name as keyof UploadRequestRow], column)}`,
  );
  const { meta } = await db.insert(uploadRequests).select(sql`
    select ${sql.join(columns, sql`, `)} from ${users}
    where ${users.id} = ${row.userId} and ${users.deletedAt} is null
      and (${countOpen(row.userId, now)}) < ${mostOpen}`);
  return meta.changes === 1;
}

function countOpen(userId: string, now: number): SQL {
  return sql`select count(*) from ${uploadRequests} where ${uploadRequests.userId} = ${userId} and ${isOpen(now)}`;
}

type RequestChange = Partial<Omit<UploadRequestRow, "id" | "userId" | "token" | "createdAt" | "guardRevision">>;

/**
 * What is absent stays. Another password ends every grant of the former one.
 * @param mostOpen when the change opens the request @returns false for one open request too many
 */
export async function updateRequest(
  db: Database,
  userId: string,
  id: string,
  change: RequestChange,
  mostOpen: number | null,
  now: number,
): Promise<boolean> {
  const isOwn = and(eq(uploadRequests.id, id), eq(uploadRequests.userId, userId));
  const others = sql`(select count(*) from upload_requests as others where others.user_id = ${userId}
    and others.id <> ${id} and others.closed_at is null
    and (others.expires_at is null or others.expires_at > ${now}))`;
  const { meta } = await retryIdempotent(() =>
    db
      .update(uploadRequests)
      .set({
        ...change,
        ...(change.passwordHash !== undefined && { guardRevision: sql`${uploadRequests.guardRevision} + 1` }),
      })
      .where(and(isOwn, mostOpen === null ? undefined : sql`${others} < ${mostOpen}`)),
  );
  return meta.changes === 1;
}

/** What has come through it stays. @returns false for an unknown request */
export async function deleteRequest(db: Database, userId: string, id: string): Promise<boolean> {
  const { meta } = await db
    .delete(uploadRequests)
    .where(and(eq(uploadRequests.id, id), eq(uploadRequests.userId, userId)));
  return meta.changes === 1;
}

/** How many more open requests each plan allows, for a statement that reads `users`. */
function mostOpenOfPlan(): SQL {
  const cases = PLANS.map(({ id }) => sql`when ${id} then ${limitFor(id).openRequests}`);
  return sql`case ${users.planType} ${sql.join(cases, sql` `)} else 0 end`;
}

/** Through which an upload starts, and from which network. */
type StartingRequest = Pick<FileSender, "requestId" | "network">;

/**
 * For the statement that reserves an upload, which reads `users`: the request is open, within its owner's plan, and has
 * room. @param limits of the owner's plan @param now epoch milliseconds
 */
export function requestHasRoom(
  { requestId, network }: StartingRequest,
  sizeBytes: number,
  limits: PlanLimits,
  now: number,
): SQL {
  const unfinished = (more: SQL) => sql`(select count(*) from ${files}
    where ${files.requestId} = upload_requests.id and ${files.status} = 'uploading' and ${more})`;
  return sql`exists (select 1 from ${uploadRequests}
    where ${uploadRequests.id} = ${requestId} and ${uploadRequests.userId} = ${users.id} and ${isOpen(now)}
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
  return sql`(${files.requestId} is null or not exists (
    select 1 from ${uploadRequests} where ${uploadRequests.id} = ${files.requestId}
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
    .set({ monthlyTransferCount: sql`max(0, ${users.monthlyTransferCount} - 1)` })
    .from(files)
    .where(
      and(
        eq(files.id, id),
        condition,
        isNotNull(files.requestId),
        sql.raw(isUnopened("files")),
        eq(users.id, files.userId),
        eq(users.currentPeriodStart, files.reservedPeriodStart),
      ),
    );
}

/** How many uploads through a request are not finished, in all and from one network. */
export async function countUnfinishedOf(db: Database, { requestId, network }: StartingRequest) {
  const [row] = await db
    .select({
      all: sql<number>`count(*)`,
      ofNetwork: sql<number>`coalesce(sum(${files.senderNetwork} = ${network}), 0)`,
    })
    .from(files)
    .where(and(eq(files.requestId, requestId), sql`${files.status} = 'uploading'`));
  return row ?? { all: 0, ofNetwork: 0 };
}

/** Whose upload it is, by the hash of a sender's upload token. */
export interface SenderRow {
  userId: string;
  planType: string;
  requestId: string;
  /** Null when the request was deleted meanwhile: what runs may finish. */
  mostFileBytes: number | null;
  kinds: string[] | null;
}

/** @param tokenHash SHA-256 of the upload token */
export async function findSender(db: Database, tokenHash: string): Promise<SenderRow | null> {
  const [row] = await db
    .select({
      userId: users.id,
      planType: users.planType,
      requestId: files.requestId,
      mostFileBytes: uploadRequests.mostFileBytes,
      kinds: uploadRequests.kinds,
    })
    .from(files)
    .innerJoin(users, eq(users.id, files.userId))
    .leftJoin(uploadRequests, eq(uploadRequests.id, files.requestId))
    .where(and(eq(files.uploadTokenHash, tokenHash), sql`${files.requestId} is not null`, isNull(users.deletedAt)));
  return row?.requestId == null ? null : { ...row, requestId: row.requestId };
}

export function mostOpenRequests(plan: PlanId): number {
  return limitFor(plan).openRequests;
}
