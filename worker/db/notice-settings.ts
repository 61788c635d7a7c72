import { and, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import type { StoppableMail } from "#domain/notices/tokens.ts";
import { DEFAULT_DOWNLOAD_NOTICE, type DownloadNotice } from "#domain/notices/when-mailed.ts";
import type { ChangeNoticesRequest, NoticeSettings } from "#domain/wire.ts";
import type { Database } from "./client.ts";
import { retryIdempotent } from "./retries.ts";
import { files, mailStops, noticeSettings, uploadRequests, users } from "./schema.ts";

const DEFAULTS: NoticeSettings = {
  downloaded: DEFAULT_DOWNLOAD_NOTICE,
  arrived: true,
  ending: true,
  timeZone: "UTC",
};

export async function findNoticeSettings(db: Database, userId: string): Promise<NoticeSettings> {
  const { downloaded, arrived, ending, timeZone } = noticeSettings;
  const [row] = await db
    .select({ downloaded, arrived, ending, timeZone })
    .from(noticeSettings)
    .where(eq(noticeSettings.userId, userId))
    .limit(1);
  return row ?? DEFAULTS;
}

/** Saves an account's settings for mails. An absent setting stays unchanged. */
export async function saveNoticeSettings(db: Database, userId: string, change: ChangeNoticesRequest): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await retryIdempotent(() => settingsUpsert(db, userId, change));
}

function settingsUpsert(db: Database, userId: string, change: ChangeNoticesRequest) {
  return db
    .insert(noticeSettings)
    .values({ userId, ...change })
    .onConflictDoUpdate({ target: noticeSettings.userId, set: change });
}

/**
 * @param notify when the owner gets mail about the link's downloads; null for the account's setting
 * @returns false when the account has no such link
 */
export async function setNotify(
  db: Database,
  id: string,
  userId: string,
  notify: DownloadNotice | null,
): Promise<boolean> {
  const { meta } = await retryIdempotent(() =>
    db
      .update(files)
      .set({ notify })
      .where(and(eq(files.id, id), eq(files.userId, userId), isNull(files.deletedAt))),
  );
  return meta.changes === 1;
}

/** Saves the language of the person's last request. */
export async function saveLocale(db: Database, userId: string, locale: (typeof users.$inferSelect)["locale"]) {
  await retryIdempotent(() => db.update(users).set({ locale }).where(eq(users.id, userId)));
}

type OwnMail = Exclude<StoppableMail, "files">;

/**
 * Switches one kind of mails to an account's owner on or off. Switching off also changes the links and requests that
 * have a setting of their own.
 */
export async function switchOwnMails(db: Database, userId: string, kind: OwnMail, isOn: boolean): Promise<void> {
  if (kind === "arrived" || kind === "ending") return saveNoticeSettings(db, userId, { [kind]: isOn });
  if (kind === "received") return switchRequests(db, userId, isOn ? "each" : "off", isOn ? "off" : "each");
  const stopped: DownloadNotice[] = kind === "day" ? ["daily"] : ["first", "each"];
  if (isOn) return saveNoticeSettings(db, userId, { downloaded: kind === "day" ? "daily" : DEFAULT_DOWNLOAD_NOTICE });
  const ofLinks = db
    .update(files)
    .set({ notify: "off" })
    .where(
      and(
        eq(files.userId, userId),
        sql`${files.status} in ('uploading', 'ready')`,
        isNull(files.s3DeletedAt),
        inArray(files.notify, stopped),
      ),
    );
  const ofAccount = db
    .insert(noticeSettings)
    .values({ userId, downloaded: kind === "day" ? DEFAULT_DOWNLOAD_NOTICE : "off" })
    .onConflictDoUpdate({
      target: noticeSettings.userId,
      set: { downloaded: "off" },
      setWhere: inArray(noticeSettings.downloaded, stopped),
    });
  await retryIdempotent(() => db.batch([ofAccount, ofLinks]));
  if (kind === "day") await switchRequests(db, userId, "off", "daily");
}

async function switchRequests(db: Database, userId: string, to: "each" | "off", from: "each" | "daily" | "off") {
  await retryIdempotent(() =>
    db
      .update(uploadRequests)
      .set({ notify: to })
      .where(and(eq(uploadRequests.userId, userId), eq(uploadRequests.notify, from))),
  );
}

/** Whether an account's owner still gets any mail of the given kind. */
export async function sendsOwnMails(db: Database, userId: string, kind: OwnMail): Promise<boolean> {
  const settings = await findNoticeSettings(db, userId);
  if (kind === "arrived" || kind === "ending") return settings[kind];
  if (kind === "received") {
    return (
      (await db.$count(uploadRequests, and(eq(uploadRequests.userId, userId), ne(uploadRequests.notify, "off")))) > 0
    );
  }
  return kind === "day" ? settings.downloaded === "daily" : settings.downloaded !== "off";
}

/** @param userId the account whose mails the address refuses; "" for all mails */
export async function stopMail(db: Database, addressDigest: string, userId: string, now: number): Promise<void> {
  await retryIdempotent(() =>
    db
      .insert(mailStops)
      .values({ addressDigest, userId, createdAt: new Date(now) })
      .onConflictDoNothing(),
  );
}

/** Lets an address get mail of this account again, even if the address had refused all mails. */
export async function resumeMail(db: Database, addressDigest: string, userId: string): Promise<void> {
  await retryIdempotent(() =>
    db
      .delete(mailStops)
      .where(and(eq(mailStops.addressDigest, addressDigest), inArray(mailStops.userId, ["", userId]))),
  );
}

/** @returns the accounts whose mails the address refuses; "" stands for all mails */
export async function listStops(db: Database, addressDigest: string, userId: string): Promise<string[]> {
  const rows = await db
    .select({ userId: mailStops.userId })
    .from(mailStops)
    .where(and(eq(mailStops.addressDigest, addressDigest), inArray(mailStops.userId, ["", userId])));
  return rows.map((row) => row.userId);
}
