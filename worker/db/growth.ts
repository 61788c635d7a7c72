import { and, eq, gt, sql, type SQL } from "drizzle-orm";
import { giveBackToKey, keyHasRoom, takeMoreFromKey } from "./api-key-months.ts";
import type { Database } from "./client.ts";
import { storedBytesOf } from "./file-counts.ts";
import { isUploading } from "./files.ts";
import { retryIdempotent } from "./retries.ts";
import { files, users } from "./schema.ts";
import { requestHasRoomFor } from "./request-room.ts";

/** Statements that reserve space for uploads whose size changes while they are sent. */

/**
 * Takes bytes and entries from the owner's month for a growing upload: the difference between `totals` and the row.
 * Idempotent.
 * @param totals the new totals, without `entries` for a single file
 * @returns "full" when the month or the plan has no room, or a new month has begun; "ended" when the upload has ended
 */
export async function growUpload(
  db: Database,
  id: string,
  totals: { entries: number; bytes: number },
  limits: { monthBytes: number; storedBytes: number | null },
  now: number,
): Promise<"grown" | "full" | "ended"> {
  const added = sql`max(0, ${totals.bytes} - ${files.size})`;
  const hasRoomInMonth = and(
    eq(users.currentPeriodStart, files.reservedPeriodStart),
    gt(users.currentPeriodEnd, new Date(now)),
    sql`${users.monthlyUploadTotal} + ${added} <= ${limits.monthBytes}`,
    limits.storedBytes === null
      ? sql`true`
      : sql`${storedBytesOf(sql`${users.id}`)} + ${added} <= ${limits.storedBytes}`,
    requestHasRoomFor(added, limits),
  );
  const hasRoom = and(hasRoomInMonth, keyHasRoom(sql`${files.apiKeyId}`, added, now));
  // Whether the previous statement took the bytes (`changes()` counts its rows), or the upload belongs to a visitor,
  // who has no month.
  const wasTaken = sql`(${files.userId} is null or changes() = 1)`;
  const wasTakenFromKey = sql`(${files.apiKeyId} is null or changes() = 1)`;
  const [, , , rows] = await retryIdempotent(() =>
    db.batch([
      takeMoreFromKey(db, id, added, and(isUploading, hasRoom)),
      db
        .update(users)
        .set({ monthlyUploadTotal: sql`${users.monthlyUploadTotal} + ${added}` })
        .from(files)
        .where(and(eq(files.id, id), isUploading, eq(users.id, files.userId), wasTakenFromKey, hasRoomInMonth)),
      db
        .update(files)
        .set({
          size: sql`max(${files.size}, ${totals.bytes})`,
          entryCount: sql`max(${files.entryCount}, ${totals.entries})`,
        })
        .where(and(eq(files.id, id), isUploading, wasTaken)),
      db
        .select({ size: files.size, entryCount: files.entryCount, status: files.status })
        .from(files)
        .where(eq(files.id, id)),
    ]),
  );
  const [row] = rows;
  if (row?.status !== "uploading") return "ended";
  return row.size >= totals.bytes && (row.entryCount ?? 0) >= totals.entries ? "grown" : "full";
}

/**
 * The statement that gives back reserved bytes that were not sent, for the batch that makes an upload ready. In the
 * batch, this statement precedes the change of the upload's row.
 * @param sizeBytes the bytes that were sent
 * @param condition on the row of `files`
 */
export function giveBackRest(db: Database, id: string, sizeBytes: number, condition: SQL | undefined) {
  const month = db
    .update(users)
    .set({ monthlyUploadTotal: sql`max(0, ${users.monthlyUploadTotal} - (${files.size} - ${sizeBytes}))` })
    .from(files)
    .where(
      and(
        eq(files.id, id),
        condition,
        eq(users.id, files.userId),
        eq(users.currentPeriodStart, files.reservedPeriodStart),
      ),
    );
  return [giveBackToKey(db, id, sql`(${files.size} - ${sizeBytes})`, condition), month] as const;
}
