import { and, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { MAX_PICTURE_FORMS, type StoredPicture } from "#domain/pictures/limits.ts";
import type { PlanLimits } from "#domain/plans.ts";
import { SETTLED_SESSION_TTL_MS } from "#domain/upload-lifetime.ts";
import { keyHasRoom, takeMoreFromKey } from "./api-key-months.ts";
import type { Database } from "./client.ts";
import { isOwnedBy, isUploading, type OwnerKey } from "./files.ts";
import { requestHasRoomFor } from "./request-room.ts";
import { retryIdempotent } from "./retries.ts";
import { files, users } from "./schema.ts";

/**
 * Takes the bytes of pictures from the month of a link's owner, and the number of an object for them. If the answer is
 * lost, the number stays without an object.
 * @param now epoch milliseconds
 * @returns the object's number; null if the month has no room or another month has begun, and if the link takes no
 * pictures (any more)
 */
export async function takePictureObject(
  db: Database,
  id: string,
  bytes: number,
  limits: Pick<PlanLimits, "monthBytes">,
  now: number,
): Promise<number | null> {
  const added = sql`${bytes}`;
  const isFresh = and(
    sql`${files.status} = 'ready'`,
    gt(files.uploadedAt, new Date(now - SETTLED_SESSION_TTL_MS)),
    or(isNull(files.expiresAt), gt(files.expiresAt, new Date(now))),
  );
  const takesPictures = and(
    or(isUploading, isFresh),
    isNull(files.deletedAt),
    eq(files.adminDeleted, false),
    lt(files.pictureObjects, MAX_PICTURE_FORMS),
  );
  const hasRoomInMonth = and(
    eq(users.currentPeriodStart, files.reservedPeriodStart),
    gt(users.currentPeriodEnd, new Date(now)),
    sql`${users.monthlyUploadTotal} + ${added} <= ${limits.monthBytes}`,
    requestHasRoomFor(added, limits),
  );
  const hasRoom = and(hasRoomInMonth, keyHasRoom(sql`${files.apiKeyId}`, added, now));
  // `changes()` counts the rows of the previous statement. A visitor has no month.
  const wasTakenFromKey = sql`(${files.apiKeyId} is null or changes() = 1)`;
  const wasTaken = sql`(${files.userId} is null or changes() = 1)`;
  const [, , taken] = await db.batch([
    takeMoreFromKey(db, id, added, and(takesPictures, hasRoom)),
    db
      .update(users)
      .set({ monthlyUploadTotal: sql`${users.monthlyUploadTotal} + ${added}` })
      .from(files)
      .where(and(eq(files.id, id), eq(users.id, files.userId), takesPictures, wasTakenFromKey, hasRoomInMonth)),
    db
      .update(files)
      .set({
        pictureObjects: sql`${files.pictureObjects} + 1`,
        pictureBytes: sql`${files.pictureBytes} + ${added}`,
      })
      .where(and(eq(files.id, id), takesPictures, wasTaken))
      .returning({ pictureObjects: files.pictureObjects }),
  ]);
  const [row] = taken;
  return row ? row.pictureObjects - 1 : null;
}

/** Saves the first pictures of a link. @param pictures null for none */
export async function saveFirstPictures(db: Database, id: string, pictures: StoredPicture[] | null): Promise<void> {
  await retryIdempotent(() => db.update(files).set({ firstPictures: pictures }).where(eq(files.id, id)));
}

/** The number of a link's objects with pictures. @returns 0 for an unknown link */
export async function countPictureObjects(db: Database, id: string): Promise<number> {
  const [row] = await db.select({ pictureObjects: files.pictureObjects }).from(files).where(eq(files.id, id));
  return row?.pictureObjects ?? 0;
}

/**
 * Saves whether previews of a link show its first picture; null for the account's setting.
 * @returns false if the owner has no such link
 */
export async function saveShowsPicture(
  db: Database,
  id: string,
  owner: OwnerKey,
  showsPicture: boolean | null,
): Promise<boolean> {
  const isOwn = and(eq(files.id, id), isOwnedBy(owner), isNull(files.deletedAt));
  const { meta } = await retryIdempotent(() => db.update(files).set({ showsPicture }).where(isOwn));
  return meta.changes === 1;
}

/** Whether previews of an account's links show their first picture. */
export async function findShowsPictures(db: Database, userId: string): Promise<boolean> {
  const [row] = await db.select({ showsPictures: users.showsPictures }).from(users).where(eq(users.id, userId));
  return row?.showsPictures ?? true;
}

export async function saveShowsPictures(db: Database, userId: string, showsPictures: boolean): Promise<void> {
  await retryIdempotent(() => db.update(users).set({ showsPictures }).where(eq(users.id, userId)));
}
