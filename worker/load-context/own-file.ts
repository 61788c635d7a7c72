import { AppError } from "#domain/errors.ts";
import type { CurrentUser } from "#domain/wire.ts";
import { findNoticeSettings } from "../db/notice-settings.ts";
import { findUnfinishedName, readDetails } from "../files/details.ts";
import { readRecipients } from "../notices/recipients.ts";
import type { Services } from "../services.ts";
import type { OwnFileView } from "../page-types.ts";

/** @param now epoch milliseconds */
export async function findOwnFile(
  services: Services,
  user: CurrentUser,
  id: string,
  now: number,
): Promise<OwnFileView> {
  try {
    const [file, recipients, settings] = await Promise.all([
      readDetails(services, user, id, now),
      readRecipients(services, user, id),
      findNoticeSettings(services.db, user.id),
    ]);
    return { kind: "file", status: 200, file, recipients, accountNotify: settings.downloaded };
  } catch (error) {
    if (isMissing(error)) return findUnfinished(services, user, id);
    throw error;
  }
}

async function findUnfinished(services: Services, user: CurrentUser, id: string): Promise<OwnFileView> {
  try {
    const name = await findUnfinishedName(services, user, id);
    return name === null ? { kind: "missing", status: 404 } : { kind: "unfinished", status: 200, name };
  } catch (error) {
    if (isMissing(error)) return { kind: "missing", status: 404 };
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof AppError && error.code === "FILE_NOT_FOUND";
}
