import type { ChangeNoticesRequest, CurrentUser, NoticeSettings } from "#domain/wire.ts";
import { findNoticeSettings, saveNoticeSettings } from "../db/notice-settings.ts";
import type { Services } from "../services.ts";

/** Which mails the account's owner gets. */
export function readNotices({ db }: Services, { id }: CurrentUser): Promise<NoticeSettings> {
  return findNoticeSettings(db, id);
}

/** What is absent stays. @returns the choices afterwards */
export async function changeNotices(
  { db }: Services,
  { id }: CurrentUser,
  change: ChangeNoticesRequest,
): Promise<NoticeSettings> {
  await saveNoticeSettings(db, id, change);
  return findNoticeSettings(db, id);
}
