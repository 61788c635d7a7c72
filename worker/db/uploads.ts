import { and, eq, exists, isNull, or, sql, type SQL, lte, getTableColumns } from "drizzle-orm";
import type { Checksum } from "#domain/checksums.ts";
import type { Lifetime } from "#domain/expiry.ts";
import type { DownloadNotice } from "#domain/notices/when-mailed.ts";
import type { RiskyKind } from "#domain/moderation/risky-kinds.ts";
import { allowsExpiration, FOREVER_GRACE_MS, PLANS, type PlanLimits } from "#domain/plans.ts";
import { MAX_UNFINISHED_IN_ALL } from "#domain/rate-limits.ts";
import type { ObjectLayout } from "#domain/segments.ts";
import { giveBackToKey, keyHasRoom, takeFromKey } from "./api-key-months.ts";
import type { Database } from "./client.ts";
import { storedBytesOf } from "./file-counts.ts";
import { isUploading, type FileRow } from "./files.ts";
import { giveBackRest } from "./growth.ts";
import { manifestDeletions, needsNoManifest } from "./manifests.ts";
import { arrivedNotice, receiptNotice, receivedNotice } from "./notice-events.ts";
import { requestHasRoom, type FileSender } from "./request-room.ts";
import { matchingUploadsQuery } from "./resumable-uploads.ts";
import { retryIdempotent } from "./retries.ts";
import { files, transferNames, users, webhookDeliveries } from "./schema.ts";
import { forgetUploadStart, logUploadEnd, logUploadStart, type AuditCaller } from "./upload-audit.ts";
import { webhookEventInsert, isFile } from "./webhook-events.ts";

export interface NewFile {
  id: string;
  userId: string | null;
  uploadTokenHash: string | null;
  filename: string;
  mimeType: string;
  s3Key: string;
  /** The segments of a single file, their number, and its ETag. Null, 0 and null for everything else. */
  layout: ObjectLayout | null;
  objectCount: number;
  etag: string | null;
  downloadId: string;
  lifetime: Lifetime;
  /** Epoch milliseconds; null where the client sent none. */
  lastModified: number | null;
  fingerprint: string | null;
  /** The announced number of entries; null for a single file. */
  entryCount: number | null;
  message: string | null;
  /** The hash of the link's password; null for a link without a password. */
  passwordHash: string | null;
  /** The most downloads of the link; null for any number. */
  maxDownloads: number | null;
  /** The encryption parameters, as the column of `files`; null for a plain link. */
  seal: string | null;
  accessHash: string | null;
  /** The first encrypted list of files, as base64url, which goes to the upload's session. */
  manifest: string | null;
  /** The file's SHA-256 in hex, as the sender says it; null if the start brought none. */
  sha256: string | null;
  /** The API key that starts the upload; null for a person. */
  apiKeyId: string | null;
  /** The start's `Idempotency-Key`; null if the start has none. */
  startKey: string | null;
  startDigest: string | null;
  /** Whether the upload starts without a size. */
  isOpenEnded: boolean;
  /** The program's label, as the column of `files`; null if the program sets none. */
  transferLabel: string | null;
  /** The header `Upload-Metadata`, as the column of `files`; null for an upload that does not come by tus. */
  tusMetadata: string | null;
  /** The sender and the upload request of an upload through a request; null for all other uploads. */
  sender: FileSender | null;
  /** When the owner gets mail about downloads; null for the account's setting. */
  notify: DownloadNotice | null;
  createdAt: number;
  abandonAt: number;
}

/** The row of an upload that starts. */
function rowOf(file: NewFile): typeof files.$inferInsert {
  return {
    id: file.id,
    userId: file.userId,
    uploadTokenHash: file.uploadTokenHash,
    filename: file.filename,
    originalFilename: file.filename,
    size: file.lifetime.sizeBytes,
    mimeType: file.mimeType,
    s3Key: file.s3Key,
    layout: file.layout,
    objectCount: file.objectCount,
    etag: file.etag,
    downloadId: file.downloadId,
    status: "uploading",
    expiration: file.lifetime.expiration,
    expirationChosen: file.lifetime.expirationChosen,
    chosenEnd: toDate(file.lifetime.chosenEndMs),
    lastModified: file.lastModified === null ? null : new Date(file.lastModified),
    fingerprint: file.fingerprint,
    createdAt: new Date(file.createdAt),
    downloadCount: 0,
    isClaimed: false,
    adminDeleted: false,
    reservedPeriodStart: new Date(file.createdAt),
    abandonAt: new Date(file.abandonAt),
    entryCount: file.entryCount,
    message: file.message,
    passwordHash: file.passwordHash,
    maxDownloads: file.maxDownloads,
    seal: file.seal,
    accessHash: file.accessHash,
    manifestRevision: file.manifest === null ? null : 0,
    sha256: file.sha256,
    sha256Source: file.sha256 === null ? null : "browser",
    apiKeyId: file.apiKeyId,
    startKey: file.startKey,
    startDigest: file.startDigest,
    isOpenEnded: file.isOpenEnded,
    transferLabel: file.transferLabel,
    tusMetadata: file.tusMetadata,
    fileRequestId: file.sender?.fileRequestId ?? null,
    senderName: file.sender?.name ?? null,
    senderEmail: file.sender?.email ?? null,
    senderNote: file.sender?.note ?? null,
    senderNetwork: file.sender?.network ?? null,
    notify: file.notify,
  };
}

function toDate(ms: number | null | undefined): Date | null {
  return ms === null || ms === undefined ? null : new Date(ms);
}

/** The row of an upload that starts, as a select from `users`, from which it takes the billing month. */
function selectionOf(file: NewFile): SQL {
  const values = new Map<string, unknown>(Object.entries(rowOf(file)));
  const columns = Object.entries(getTableColumns(files)).map(([name, column]) =>
    name === "reservedPeriodStart"
      ? sql`${users.currentPeriodStart}`
      : sql`${sql.param(values.get(name) ?? column.default ?? null, column)}`,
  );
  return sql.join(columns, sql`, `);
}

export type Reservation =
  | { kind: "reserved" }
  /** Unfinished uploads of the same file, newest first, or the upload with the same start key. Nothing was reserved. */
  | { kind: "matching"; files: FileRow[] }
  | { kind: "over-limit" };

export interface Reserving {
  file: NewFile;
  caller: AuditCaller;
  limits: PlanLimits;
  /** The most unfinished uploads of the account, this one included. */
  maxUnfinished: number;
  /** What to do if there are unfinished uploads of the same file: return them, or reserve another upload. */
  onMatch?: "return" | "reserve";
}

/** Reserves an upload in one transaction, so that parallel starts cannot exceed the quota (decision 002). */
export async function reserveFile(db: Database, reserving: Reserving): Promise<Reservation> {
  const { file, caller, onMatch = "reserve" } = reserving;
  const { id, userId, apiKeyId, createdAt: at } = file;
  const { sizeBytes } = file.lifetime;
  const log = logUploadStart(db, id, caller, at);
  if (userId === null) {
    // An upload of a visitor needs no room in a quota: visitors have only rate limits.
    await db.batch([db.insert(files).values(rowOf(file)), log]);
    return { kind: "reserved" };
  }
  const matching =
    onMatch === "return"
      ? matchingUploadsQuery(db, userId, { ...file, sizeBytes, isSealed: file.seal !== null })
      : null;
  const conditions = [...roomFor({ ...file, userId }, reserving), ...(matching ? [sql`not exists ${matching}`] : [])];
  const insert = db
    .insert(files)
    .select(sql`select ${selectionOf(file)} from ${users} where ${sql.join(conditions, sql` and `)}`);
  const isInserted = exists(db.select({ id: files.id }).from(files).where(eq(files.id, id)));
  const addToMonth = db
    .update(users)
    .set({
      monthlyUploadTotal: sql`${users.monthlyUploadTotal} + ${sizeBytes}`,
      monthlyUploadCount: sql`${users.monthlyUploadCount} + 1`,
    })
    .where(and(eq(users.id, userId), isInserted));
  const taken = apiKeyId === null ? [] : [takeFromKey(db, apiKeyId, sizeBytes, isInserted)];
  const [matches, inserted] = matching
    ? await db.batch([matching, insert, addToMonth, log, ...taken])
    : [[], ...(await db.batch([insert, addToMonth, log, ...taken]))];
  if (matches.length > 0) return { kind: "matching", files: matches };
  return { kind: inserted.meta.changes === 1 ? "reserved" : "over-limit" };
}

/** The conditions on the owner's row in `users` for an upload to start. */
function roomFor(file: NewFile & { userId: string }, { limits, maxUnfinished }: Reserving): SQL[] {
  const { apiKeyId, sender, createdAt } = file;
  const { sizeBytes } = file.lifetime;
  const isOwner = sql`${users.id} = ${file.userId}`;
  const monthHasBytes = sql`${users.monthlyUploadTotal} + ${sizeBytes} <= ${limits.monthBytes}`;
  const monthHasTransfers = sql`${users.monthlyUploadCount} + 1 <= ${limits.monthTransfers}`;
  const fewAreUnfinished = isBelowUnfinishedLimit(file, maxUnfinished);
  const monthRuns = sql`${users.currentPeriodEnd} > ${createdAt}`;
  const isNotSuspended = sql`${users.suspendedAt} is null`;
  const conditions = [isOwner, isNotSuspended, monthHasBytes, monthHasTransfers, fewAreUnfinished, monthRuns];
  if (apiKeyId !== null) conditions.push(keyHasRoom(sql`${apiKeyId}`, sql`${sizeBytes}`, createdAt));
  if (sender !== null) conditions.push(requestHasRoom(sender, sizeBytes, limits, createdAt));
  conditions.push(isBelowStorageLimit(file, limits));
  return conditions;
}

function isBelowStorageLimit({ userId, lifetime }: NewFile, { storedBytes }: PlanLimits): SQL {
  if (storedBytes === null) return sql`true`;
  return sql`${storedBytesOf(sql`${userId}`)} + ${lifetime.sizeBytes} <= ${storedBytes}`;
}

/** The bytes that an unfinished upload has taken from the month. */
const reservedBytes = sql`(${files.size} + ${files.pictureBytes})`;

/** Columns that nobody reads once an upload has ended, so that a row takes less room from then on. */
const ONLY_WHILE_UPLOADING = { fingerprint: null, senderNetwork: null };

/**
 * Ends an upload. Returns the upload's quota once, in the month of the reservation.
 * @returns whether this call ended the upload; false also when D1's answer to the first try was lost
 */
export async function releaseFile(
  db: Database,
  id: string,
  status: "failed" | "cancelled",
  code: string,
): Promise<boolean> {
  const end = { fileId: id, status: "failed", code, at: Date.now() } as const;
  const [, , , ended] = await retryIdempotent(() =>
    db.batch([
      logUploadEnd(db, end, isUploading),
      giveBackToKey(db, id, reservedBytes, isUploading),
      releaseQuota(db, id),
      db
        .update(files)
        .set({ status, ...ONLY_WHILE_UPLOADING })
        .where(and(eq(files.id, id), isUploading)),
      ...manifestDeletions(db, id, status),
    ]),
  );
  return ended.meta.changes === 1;
}

/** Deletes an unfinished upload that was over the rate limit, with its audit row, and releases its quota. */
export async function withdrawFile(db: Database, id: string): Promise<void> {
  await retryIdempotent(() =>
    db.batch([
      giveBackToKey(db, id, reservedBytes, isUploading),
      releaseQuota(db, id),
      forgetUploadStart(db, id),
      db.delete(files).where(and(eq(files.id, id), isUploading)),
    ]),
  );
}

function releaseQuota(db: Database, id: string) {
  return db
    .update(users)
    .set({
      monthlyUploadTotal: sql`max(0, ${users.monthlyUploadTotal} - ${reservedBytes})`,
      monthlyUploadCount: sql`max(0, ${users.monthlyUploadCount} - 1)`,
    })
    .from(files)
    .where(
      and(
        eq(files.id, id),
        isUploading,
        eq(users.id, files.userId),
        eq(users.currentPeriodStart, files.reservedPeriodStart),
      ),
    );
}

export interface Finished {
  /** The strong ETag, unquoted: of the file, or of a transfer's ZIP. */
  etag: string;
  /**
   * The number of stored bytes; the rest of the reservation is given back. Null for an upload that started with its
   * size.
   */
  sizeBytes: number | null;
  /** The checksum of a single file. With null, the checksum that the sender gave at the start stays. */
  checksum: Checksum | null;
  /** The risky kinds of the files. */
  risk: RiskyKind[];
  /** Set for a transfer only. */
  list?: Pick<FileRow, "zipSize" | "entryCount" | "objectCount">;
  /** The names by which a search finds a plain transfer. */
  names?: string;
  /** Epoch milliseconds. */
  uploadedAt: number;
  /** Epoch milliseconds; null for a file that never expires. */
  expiresAt: number | null;
}

/**
 * Prevents that a file becomes ready after the deletion of its owner's account began, because it would outlive the
 * account.
 */
const ownerIsNotDeleted = sql`
  (${files.userId} is null
    or exists (select 1 from ${users} where ${users.id} = ${files.userId} and ${users.deletedAt} is null))`;

type ReadyOutcome =
  { kind: "ready"; expiresAt: number | null; deliveries: string[] } | { kind: "ended" } | { kind: "manifest-missing" };

/**
 * Makes an upload ready. Idempotent. @param isScanned whether a plain link then waits for the scanner @returns "ended" also when the owner's account is being deleted. `deliveries`: the
 * ids of the deliveries that this call has caused, for the queue of webhooks
 */
export async function markReady(
  db: Database,
  id: string,
  { etag, sizeBytes, checksum, risk, list, names, uploadedAt, expiresAt }: Finished,
  isScanned = false,
): Promise<ReadyOutcome> {
  const isOwn = and(eq(files.id, id), isUploading, eq(files.adminDeleted, false), ownerIsNotDeleted, needsNoManifest);
  const isReady = sql`${files.status} = 'ready'`;
  const statements = [
    db
      .update(files)
      .set({
        status: "ready",
        ...ONLY_WHILE_UPLOADING,
        etag,
        ...(sizeBytes !== null && { size: sizeBytes }),
        // If `finished` has no checksum, the checksum that the sender gave at the start stays.
        ...(checksum && { sha256: checksum.sha256, sha256Source: checksum.source }),
        ...(risk.length > 0 && { risk }),
        ...(isScanned && { scanState: sql`case when ${files.seal} is null then 'pending' end` }),
        ...(list && { ...list, zipChangedAt: new Date(uploadedAt) }),
        uploadedAt: new Date(uploadedAt),
        expiresAt: sql`case when ${files.endReason} = 'downloads' then ${uploadedAt} else ${withinPlan(
          expiresAt,
          uploadedAt,
        )} end`,
      })
      .where(isOwn),
    db
      .select({
        status: files.status,
        expiresAt: files.expiresAt,
        seal: files.seal,
        manifestFinal: files.manifestFinal,
      })
      .from(files)
      .where(eq(files.id, id)),
    logUploadEnd(db, { fileId: id, status: "success", code: "COMPLETED", at: uploadedAt }, isReady),
    webhookEventInsert(
      db,
      "transfer.uploaded",
      isFile(id, sql`${isReady} and ${files.fileRequestId} is null`),
      uploadedAt,
      uploadedAt,
    ).returning({ id: webhookDeliveries.id }),
    webhookEventInsert(
      db,
      "request.received",
      isFile(id, sql`${isReady} and ${files.fileRequestId} is not null`),
      uploadedAt,
      uploadedAt,
    ).returning({ id: webhookDeliveries.id }),
    arrivedNotice(db, id, uploadedAt),
    receivedNotice(db, id, uploadedAt),
    receiptNotice(db, id, uploadedAt),
    ...(names === undefined ? [] : [namesInsert(db, id, names)]),
  ] as const;
  const [, rows, , uploaded, received] = await retryIdempotent(async () => {
    if (sizeBytes === null) return db.batch(statements);
    const [, , ...results] = await db.batch([...giveBackRest(db, id, sizeBytes, isOwn), ...statements]);
    return results;
  });
  const [row] = rows;
  if (row?.status === "ready")
    return {
      kind: "ready",
      expiresAt: row.expiresAt?.getTime() ?? null,
      deliveries: [...uploaded, ...received].map((delivery) => delivery.id),
    };
  const lacksManifest = row?.status === "uploading" && row.seal !== null && !row.manifestFinal;
  return { kind: lacksManifest ? "manifest-missing" : "ended" };
}

/** Does nothing for a transfer that was deleted before this statement is repeated. */
function namesInsert(db: Database, id: string, names: string) {
  return db
    .insert(transferNames)
    .select(
      sql`select ${files.id}, ${names} from ${files} where ${files.id} = ${id} and ${files.status} = 'ready'
        and ${files.deletedAt} is null and ${files.s3DeletedAt} is null`,
    )
    .onConflictDoNothing();
}

/** Saves the sum that the server has computed of a stored file, in place of a sum that the sender has told. */
export async function saveServerSum(db: Database, id: string, sha256: string): Promise<void> {
  await retryIdempotent(() =>
    db
      .update(files)
      .set({ sha256, sha256Source: "server" })
      .where(and(eq(files.id, id), or(isNull(files.sha256), sql`${files.sha256Source} is not 'server'`))),
  );
}

/** Bounds an expiry that only a plan with files kept forever allows. @param expiresAt null for never */
function withinPlan(expiresAt: number | null, uploadedAt: number): SQL {
  const ends = expiryWithoutForeverPlan(uploadedAt);
  if (expiresAt === null) return ends;
  return sql`case when ${files.expiration} = 'never' then min(${expiresAt}, coalesce(${ends}, ${expiresAt})) else ${expiresAt} end`;
}

/** The expiry of a file with expiration "never": null, unless the owner no longer has a plan that allows such files. */
function expiryWithoutForeverPlan(uploadedAt: number): SQL {
  const foreverPlans = JSON.stringify(PLANS.filter(({ id }) => allowsExpiration(id, "never")).map(({ id }) => id));
  return sql`
    (select ${uploadedAt + FOREVER_GRACE_MS} from ${users}
      where ${users.id} = ${files.userId} and ${users.planType} not in (select value from json_each(${foreverPlans})))`;
}

export async function changeExpiration(db: Database, id: string, lifetime: Lifetime): Promise<void> {
  const { expiration, expirationChosen, chosenEndMs } = lifetime;
  await retryIdempotent(() =>
    db
      .update(files)
      .set({ expiration, expirationChosen, chosenEnd: toDate(chosenEndMs) })
      .where(and(eq(files.id, id), isUploading)),
  );
}

type Starting = Pick<NewFile, "id" | "apiKeyId" | "transferLabel"> & { userId: string };

/** The value by which unfinished uploads are counted: an API key's uploads with the same label share one value. */
const counted = sql`coalesce(${files.apiKeyId} || ' ' || ${files.transferLabel}, ${files.id})`;

function countedOf({ id, apiKeyId, transferLabel }: Starting): string {
  return apiKeyId === null || transferLabel === null ? id : `${apiKeyId} ${transferLabel}`;
}

/** The number of the owner's unfinished uploads, without those that count as one with the starting upload. */
function othersCounted(file: Starting): SQL<number> {
  return sql<number>`count(distinct case when ${counted} <> ${countedOf(file)} then ${counted} end)`;
}

/**
 * A condition of the statement that reserves an upload: the owner has few enough unfinished uploads. Uploads of
 * strangers through requests do not count, because they have a limit of their own.
 * @param max the most unfinished uploads, including the starting one; `Infinity` for no limit
 */
function isBelowUnfinishedLimit(file: Starting, max: number): SQL {
  if (!Number.isFinite(max)) return sql`true`;
  return sql`(select ${othersCounted(file)} < ${max} and count(*) < ${MAX_UNFINISHED_IN_ALL}
    from ${files} where ${files.userId} = ${file.userId} and ${isUploading} and ${files.fileRequestId} is null)`;
}

/** @param max as in `isBelowUnfinishedLimit` @returns the limit that a starting upload would exceed; null for none */
export async function findExceededLimit(db: Database, file: Starting, max: number): Promise<number | null> {
  if (!Number.isFinite(max)) return null;
  const [row] = await db
    .select({ others: othersCounted(file), all: sql<number>`count(*)` })
    .from(files)
    .where(and(eq(files.userId, file.userId), isUploading, isNull(files.fileRequestId)));
  if (row && row.others >= max) return max;
  return row && row.all >= MAX_UNFINISHED_IN_ALL ? MAX_UNFINISHED_IN_ALL : null;
}

export type PossiblyAbandoned = Pick<FileRow, "id" | "entryCount">;

export async function listPossiblyAbandoned(db: Database, now: number, limit: number): Promise<PossiblyAbandoned[]> {
  return db
    .select({ id: files.id, entryCount: files.entryCount })
    .from(files)
    .where(and(isUploading, lte(files.abandonAt, new Date(now))))
    .orderBy(files.abandonAt)
    .limit(limit);
}

export async function postponeAbandonment(db: Database, id: string, until: number): Promise<void> {
  await retryIdempotent(() =>
    db
      .update(files)
      .set({ abandonAt: new Date(until) })
      .where(and(eq(files.id, id), isUploading)),
  );
}
