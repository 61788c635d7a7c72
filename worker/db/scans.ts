import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { ScanState } from "#domain/moderation/scan.ts";
import { caseUpsert } from "./cases.ts";
import type { Database } from "./client.ts";
import type { FileRow } from "./files.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { retryIdempotent } from "./retries.ts";
import { files, scannerOutages } from "./schema.ts";

/** Notes that the scanner has found nothing in a link that waits for it. */
export async function saveScanned(
  db: Database,
  id: string,
  state: Exclude<ScanState, "pending" | "infected">,
  now: number,
): Promise<void> {
  await retryIdempotent(() =>
    db
      .update(files)
      .set({ scanState: state, scannedAt: new Date(now) })
      .where(and(eq(files.id, id), eq(files.scanState, "pending"))),
  );
}

export interface Finding {
  /** The scanner's name for it. */
  name: string;
  /** The path in a transfer; null for a single file. */
  path: string | null;
}

/**
 * Closes a link to everybody but its owner and administrators, and puts it into the administrator's queue.
 * @param mail to the owner; null for the file of a visitor
 * @returns false if the link did not wait for the scanner any more
 */
export async function saveInfected(
  db: Database,
  { id, userId, filename }: Pick<FileRow, "id" | "userId" | "filename">,
  { name, path }: Finding,
  mail: DueMail | null,
  now: number,
): Promise<boolean> {
  const close = db
    .update(files)
    .set({ scanState: "infected", scannedAt: new Date(now), scanFinding: name })
    .where(and(eq(files.id, id), eq(files.scanState, "pending")))
    .returning({ id: files.id });
  const detail = { finding: name, name: path ?? filename };
  const openCase = caseUpsert(db, { kind: "scan", fileId: id, userId, detail }, now);
  const [closed] = mail
    ? await db.batch([close, outboxInsert(db, mail, sql`changes() > 0`, now), openCase])
    : await db.batch([close, openCase]);
  return closed.length > 0;
}

export async function findScanState(db: Database, id: string): Promise<ScanState | null> {
  const [row] = await db.select({ state: files.scanState }).from(files).where(eq(files.id, id));
  return row?.state ?? null;
}

/** Links that have waited for the scanner since before a time, the oldest first. @param before epoch milliseconds */
export async function listWaitingScans(db: Database, before: number, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: files.id })
    .from(files)
    .where(and(sql`${files.scanState} = 'pending'`, lt(files.uploadedAt, new Date(before))))
    .orderBy(files.uploadedAt)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Notes that the scanner did not answer as it should. The first time since it last did counts. */
export async function noteScannerFailure(db: Database, reason: string, now: number): Promise<void> {
  await db
    .insert(scannerOutages)
    .values({ id: 1, since: new Date(now), reason })
    .onConflictDoNothing();
}

export async function endScannerOutage(db: Database): Promise<void> {
  await db.delete(scannerOutages);
}

export async function findScannerOutage(db: Database) {
  const [row] = await db.select().from(scannerOutages).limit(1);
  return row ?? null;
}

/** Saves the mail about the outage that began at `since`. @returns false if the administrator was told before */
export async function saveOutageMail(db: Database, since: Date, mail: DueMail, now: number): Promise<boolean> {
  const [told] = await db.batch([
    db
      .update(scannerOutages)
      .set({ toldAt: new Date(now) })
      .where(and(eq(scannerOutages.since, since), isNull(scannerOutages.toldAt))),
    outboxInsert(db, mail, sql`changes() > 0`, now),
  ]);
  return told.meta.changes > 0;
}
