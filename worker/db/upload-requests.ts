import { and, desc, eq, getTableColumns, isNull, sql, type SQL } from "drizzle-orm";
import { limitFor, type PlanId } from "#domain/plans.ts";
import type { Database } from "./client.ts";
import type { ListPosition } from "./files-after.ts";
import { isOpen, olderOpen, receivedBytes, receivedTransfers } from "./request-room.ts";
import { retryIdempotent } from "./retries.ts";
import { files, uploadRequests, users } from "./schema.ts";

export type UploadRequestRow = typeof uploadRequests.$inferSelect;

/** An upload request with the counts that its limits apply to. */
export interface CountedRequest extends UploadRequestRow {
  /** The bytes of the request's files that are stored or being uploaded. */
  receivedBytes: number;
  receivedTransfers: number;
  /** The number of older open requests of the same owner. */
  olderOpen: number;
}

export interface FoundRequest extends CountedRequest {
  ownerPlan: string;
  ownerDeletedAt: Date | null;
  ownerSuspendedAt: Date | null;
}

const counted = (now: number) => ({
  ...getTableColumns(uploadRequests),
  receivedBytes,
  receivedTransfers,
  olderOpen: olderOpen(now),
});

const rowid = sql<number>`${uploadRequests}.rowid`;

/** Lists a person's requests, newest first. @param now epoch milliseconds */
export async function listRequestsOf(db: Database, userId: string, now: number): Promise<CountedRequest[]> {
  return db
    .select(counted(now))
    .from(uploadRequests)
    .where(eq(uploadRequests.userId, userId))
    .orderBy(desc(uploadRequests.createdAt), desc(rowid));
}

/**
 * Lists a person's requests, newest first, page by page. New requests do not shift later pages.
 * @param after null for the first page
 * @returns `end`: the position of the page's last row, if more rows follow
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

/** @param now epoch milliseconds @returns null for an unknown request, and for another person's request */
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

/** The sites whose pages may send files through a request. @returns null for an unknown token */
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
    .select({
      ...counted(now),
      ownerPlan: users.planType,
      ownerDeletedAt: users.deletedAt,
      ownerSuspendedAt: users.suspendedAt,
    })
    .from(uploadRequests)
    .innerJoin(users, eq(users.id, uploadRequests.userId))
    .where(condition);
  return row ?? null;
}

/**
 * Inserts an upload request.
 * @returns false when the person has `mostOpen` open requests, or is being deleted or suspended
 */
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
    where ${users.id} = ${row.userId} and ${users.deletedAt} is null and ${users.suspendedAt} is null
      and (${countOpen(row.userId, now)}) < ${mostOpen}`);
  return meta.changes === 1;
}

function countOpen(userId: string, now: number): SQL {
  return sql`select count(*) from ${uploadRequests} where ${uploadRequests.userId} = ${userId} and ${isOpen(now)}`;
}

type RequestChange = Partial<Omit<UploadRequestRow, "id" | "userId" | "token" | "createdAt" | "guardRevision">>;

/**
 * Changes the given columns. A change of the password voids earlier grants.
 * @param mostOpen how many open requests the person may have; set only if the change opens the request
 * @returns false if the person would have too many open requests
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

/** Deletes a request. Received files stay. @returns false for an unknown request */
export async function deleteRequest(db: Database, userId: string, id: string): Promise<boolean> {
  const { meta } = await db
    .delete(uploadRequests)
    .where(and(eq(uploadRequests.id, id), eq(uploadRequests.userId, userId)));
  return meta.changes === 1;
}

/** The account and request to which a sender's upload belongs. */
export interface SenderRow {
  userId: string;
  planType: string;
  fileRequestId: string;
  /** Null when the request was deleted after the upload started: such an upload may finish. */
  mostFileBytes: number | null;
  kinds: string[] | null;
}

/** @param tokenHash SHA-256 of the upload token */
export async function findSender(db: Database, tokenHash: string): Promise<SenderRow | null> {
  const [row] = await db
    .select({
      userId: users.id,
      planType: users.planType,
      fileRequestId: files.fileRequestId,
      mostFileBytes: uploadRequests.mostFileBytes,
      kinds: uploadRequests.kinds,
    })
    .from(files)
    .innerJoin(users, eq(users.id, files.userId))
    .leftJoin(uploadRequests, eq(uploadRequests.id, files.fileRequestId))
    .where(
      and(
        eq(files.uploadTokenHash, tokenHash),
        sql`${files.fileRequestId} is not null`,
        isNull(users.deletedAt),
        isNull(users.suspendedAt),
      ),
    );
  return row?.fileRequestId == null ? null : { ...row, fileRequestId: row.fileRequestId };
}

export function mostOpenRequests(plan: PlanId): number {
  return limitFor(plan).openRequests;
}
