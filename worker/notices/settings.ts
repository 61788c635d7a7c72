import type { ChangeNoticesRequest, CurrentUser, NoticeSettings } from "#domain/wire.ts";
import { findNoticeSettings, saveNoticeSettings } from "../db/notice-settings.ts";
import type { Services } from "../services.ts";

/** What an account's owner wants to be mailed. */
export function readNotices({ db }: Services, { id }: Pick<CurrentUser, "id">): Promise<NoticeSettings> {
  return findNoticeSettings(db, id);
}

/** What is absent stays. @returns what holds then */
export async function changeNotices(
  { db }: Services,
  { id }: Pick<CurrentUser, "id">,
  change: ChangeNoticesRequest,
): Promise<NoticeSettings> {
  await saveNoticeSettings(db, id, change);
  return findNoticeSettings(db, id);
}
