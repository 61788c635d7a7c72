import { and, desc, eq, exists, getTableColumns, isNull, sql, type SQL } from "drizzle-orm";
import type { Checksum } from "#domain/checksum.ts";
import type { Lifetime } from "#domain/expiry.ts";
import { allowsExpiration, FOREVER_GRACE_MS, PLANS, type PlanLimits } from "#domain/plans.ts";
import { logUploadEvent, startedId, type AuditCaller, type UploadEvent } from "./upload-audit.ts";
import type { Database } from "./client.ts";
import { repeatable } from "./retries.ts";
import { isUploading, type FileRow } from "./files.ts";
import { files, uploadAuditLogs, users } from "./schema.ts";
import { matchingUploadsQuery } from "./resumable-uploads.ts";

/** What is known of a file before its first byte. */
export interface NewFile {
  id: string;
  /** Null for a visitor's upload, which `uploadTokenHash` belongs to. */
  userId: string | null;
  uploadTokenHash: string | null;
  filename: string;
  mimeType: string;
  s3Key: string;
  downloadId: string;
  lifetime: Lifetime;
  /** Epoch milliseconds, or null where the client did not say. */
  lastModified: number | null;
  fingerprint: string | null;
  createdAt: number;
  abandonAt: number;
}

/** What became of a reservation. */
export type Reservation =
  | { kind: "reserved" }
  /** Unfinished uploads of that very file, newest first: nothing was reserved. */
  | { kind: "twins"; files: FileRow[] }
  | { kind: "refused" };

/**
 * Adds the file and takes its size and one transfer from its owner's month, or does neither.
 * The row is inserted only when both fit a month that has not ended, and the totals move only when the row is there, in one transaction:
 * parallel starts cannot overshoot.
 * @param maxUnfinished unfinished uploads that the owner may have, this one among them; Infinity for any number
 * @param unlessTwins whether an unfinished upload of that very file is to go on instead
 */
export async function reserveFile(
  db: Database,
  file: NewFile,
  limits: PlanLimits,
  maxUnfinished: number,
  caller: AuditCaller,
  unlessTwins = false,
): Promise<Reservation> {
  const started: UploadEvent = { fileId: file.id, status: "success", code: "STARTED", caller, at: file.createdAt };
  const log = logUploadEvent(db, started, sql`true`);
  if (file.userId === null) {
    // A visitor has no month to take from: the limit on calls is what holds them.
    await db.batch([db.insert(files).values(rowOf(file)), log]);
    return { kind: "reserved" };
  }
  const matchingUploads = unlessTwins
    ? matchingUploadsQuery(db, file.userId, { ...file, sizeBytes: file.lifetime.sizeBytes })
    : null;
  const insert = insertIfItFits(db, { ...file, userId: file.userId }, limits, maxUnfinished, matchingUploads);
  const take = db
    .update(users)
    .set({
      monthlyUploadTotal: sql`${users.monthlyUploadTotal} + ${file.lifetime.sizeBytes}`,
      monthlyTransferCount: sql`${users.monthlyTransferCount} + 1`,
    })
    .where(
      and(eq(users.id, file.userId), exists(db.select({ id: files.id }).from(files).where(eq(files.id, file.id)))),
    );
  const [found, inserted] = matchingUploads
    ? await db.batch([matchingUploads, insert, take, log])
    : [[], ...(await db.batch([insert, take, log]))];
  if (found.length > 0) return { kind: "twins", files: found };
  return { kind: inserted.meta.changes === 1 ? "reserved" : "refused" };
}

function insertIfItFits(
  db: Database,
  file: NewFile & { userId: string },
  limits: PlanLimits,
  maxUnfinished: number,
  matchingUploads: ReturnType<typeof matchingUploadsQuery> | null,
) {
  const hasRoom = Number.isFinite(maxUnfinished)
    ? sql`(select count(*) from ${files} where ${files.userId} = ${file.userId} and ${isUploading}) < ${maxUnfinished}`
    : sql`true`;
  return db.insert(files).select(sql`
    select ${selectionOf(file)} from ${users}
    where ${users.id} = ${file.userId}
      and ${users.monthlyUploadTotal} + ${file.lifetime.sizeBytes} <= ${limits.monthBytes}
      and ${users.monthlyTransferCount} + 1 <= ${limits.monthTransfers}
      and ${hasRoom}
      and ${users.currentPeriodEnd} > ${file.createdAt}
      and ${matchingUploads ? sql`not exists ${matchingUploads}` : sql`true`}
      and ${fitsStored(file, limits)}`);
}

/** Whether what the owner has stored at this time leaves room; only a plan that limits it has it added up. */
function fitsStored(file: NewFile, { storedBytes }: PlanLimits): SQL {
  if (storedBytes === null) return sql`true`;
  return sql`
    (select coalesce(sum(${files.size}), 0) from ${files}
      where ${files.userId} = ${file.userId} and ${files.status} in ('uploading', 'ready') and ${files.s3DeletedAt} is null)
    + ${file.lifetime.sizeBytes} <= ${storedBytes}`;
}

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
    downloadId: file.downloadId,
    status: "uploading",
    expiration: file.lifetime.expiration,
    expirationChosen: file.lifetime.expirationChosen,
    lastModified: file.lastModified === null ? null : new Date(file.lastModified),
    fingerprint: file.fingerprint,
    createdAt: new Date(file.createdAt),
    downloadCount: 0,
    isExpired: false,
    adminDeleted: false,
    reservedPeriodStart: new Date(file.createdAt),
    abandonAt: new Date(file.abandonAt),
  };
}

/** Every column of a new file's row, in the table's order, as `insert … select` wants them. */
function selectionOf(file: NewFile): SQL {
  const values = new Map<string, unknown>(Object.entries(rowOf(file)));
  const columns = Object.entries(getTableColumns(files)).map(([name, column]) =>
    name === "reservedPeriodStart"
      ? sql`${users.currentPeriodStart}`
      : sql`${sql.param(values.get(name) ?? null, column)}`,
  );
  return sql.join(columns, sql`, `);
}

/**
 * Ends an unfinished upload and gives its reservation back: once, and only to the billing month it was taken from.
 * @param code why, for the audit log
 * @returns whether this call ended it; false when it had already ended, or where the answer that it did was lost
 */
export async function releaseFile(
  db: Database,
  id: string,
  status: "failed" | "cancelled",
  code: string,
): Promise<boolean> {
  const event: UploadEvent = { fileId: id, status: "failed", code, at: Date.now() };
  const [, , ended] = await repeatable(() =>
    db.batch([
      logUploadEvent(db, event, isUploading),
      giveBack(db, id),
      db
        .update(files)
        .set({ status })
        .where(and(eq(files.id, id), isUploading)),
    ]),
  );
  return ended.meta.changes === 1;
}

/**
 * Removes an unfinished upload that should not have begun, with its rows in the audit log, and gives its reservation
 * back as `releaseFile` does.
 */
export async function withdrawFile(db: Database, id: string): Promise<void> {
  await repeatable(() =>
    db.batch([
      giveBack(db, id),
      db.delete(uploadAuditLogs).where(eq(uploadAuditLogs.id, startedId(id))),
      db.delete(files).where(and(eq(files.id, id), isUploading)),
    ]),
  );
}

/** The statement that gives an unfinished upload's size and transfer back to the billing month they were taken from. */
function giveBack(db: Database, id: string) {
  return db
    .update(users)
    .set({
      monthlyUploadTotal: sql`max(0, ${users.monthlyUploadTotal} - ${files.size})`,
      monthlyTransferCount: sql`max(0, ${users.monthlyTransferCount} - 1)`,
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

export interface FinishedObject {
  etag: string;
  checksum: Checksum | null;
  uploadedAt: number;
  expiresAt: number | null;
}

/** Whether a file's owner, where it has one, is not being deleted: what goes live later would outlive the account. */
const hasNoDepartedOwner = sql`
  (${files.userId} is null
    or exists (select 1 from ${users} where ${users.id} = ${files.userId} and ${users.deletedAt} is null))`;

/**
 * Turns an unfinished upload into a file that can be downloaded. A second call changes nothing and answers the same.
 * @returns the file's expiry as it stands, or null when the upload was ended or removed meanwhile, or its owner's account
 * is being deleted
 */
export async function markFileReady(
  db: Database,
  id: string,
  object: FinishedObject,
): Promise<{ expiresAt: number | null } | null> {
  const [, rows] = await repeatable(() =>
    db.batch([
      db
        .update(files)
        .set({
          status: "ready",
          etag: object.etag,
          sha256: object.checksum?.sha256 ?? null,
          sha256Source: object.checksum?.source ?? null,
          uploadedAt: new Date(object.uploadedAt),
          expiresAt: object.expiresAt === null ? whereForeverIsOver(object.uploadedAt) : new Date(object.expiresAt),
        })
        .where(and(eq(files.id, id), isUploading, hasNoDepartedOwner)),
      db.select({ status: files.status, expiresAt: files.expiresAt }).from(files).where(eq(files.id, id)),
      logUploadEvent(
        db,
        { fileId: id, status: "success", code: "COMPLETED", at: object.uploadedAt },
        sql`${files.status} = 'ready'`,
      ),
    ]),
  );
  const row = rows[0];
  return row?.status === "ready" ? { expiresAt: row.expiresAt?.getTime() ?? null } : null;
}

/** Notes the checksum of a finished file that has none. */
export async function saveChecksum(db: Database, id: string, { sha256, source }: Checksum): Promise<void> {
  await repeatable(() =>
    db
      .update(files)
      .set({ sha256, sha256Source: source })
      .where(and(eq(files.id, id), isNull(files.sha256))),
  );
}

/** When a file ends that was to be kept forever: never, unless its owner has left the plan that allows it meanwhile. */
function whereForeverIsOver(uploadedAt: number): SQL {
  const keeping = JSON.stringify(PLANS.filter(({ id }) => allowsExpiration(id, "never")).map(({ id }) => id));
  return sql`
    (select ${uploadedAt + FOREVER_GRACE_MS} from ${users}
      where ${users.id} = ${files.userId} and ${users.planType} not in (select value from json_each(${keeping})))`;
}

/** Notes the expiration that was chosen when an upload went on. */
export async function changeExpiration(db: Database, id: string, lifetime: Lifetime): Promise<void> {
  const { expiration, expirationChosen } = lifetime;
  await repeatable(() =>
    db
      .update(files)
      .set({ expiration, expirationChosen })
      .where(and(eq(files.id, id), isUploading)),
  );
}

/** How many unfinished uploads a person has. */
export async function countUnfinished(db: Database, userId: string): Promise<number> {
  return db.$count(files, and(eq(files.userId, userId), isUploading));
}

/** More unfinished uploads than the limits on calls let anybody have. */
const UNFINISHED_SHOWN = 100;

/** A person's unfinished uploads, newest first. */
export async function listUnfinishedFiles(db: Database, userId: string): Promise<FileRow[]> {
  return db
    .select()
    .from(files)
    .where(and(eq(files.userId, userId), isUploading))
    .orderBy(desc(files.createdAt))
    .limit(UNFINISHED_SHOWN);
}
