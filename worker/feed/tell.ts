import type { DownloadReport } from "#domain/feed/followed-downloads.ts";
import type { ReceivedNews } from "#domain/wire.ts";
import type { AccountFeed } from "#durable-objects/feed/account-feed.ts";
import type { FileRow } from "../db/files.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";

/** @param userId the account whose open pages get the news */
export function feedOf({ feeds }: Services, userId: string): DurableObjectStub<AccountFeed> {
  return feeds.get(feeds.idFromName(userId));
}

/**
 * Sends news to an account's open pages after the response. Nothing waits for the news to arrive.
 * @param userId the account
 */
export function tellFeed(services: Services, userId: string, news: ReceivedNews): void {
  services.waitUntil(feedOf(services, userId).tell(news).catch(logFailure));
}

/** Tells the owner's pages of files that arrive through a request. Ignores other files. @param at epoch milliseconds */
export function tellOfReceived(
  services: Services,
  file: Pick<FileRow, "id" | "userId" | "fileRequestId" | "filename" | "size">,
  state: ReceivedNews["state"],
  at: number,
): void {
  const { id: transferId, userId, fileRequestId, filename: title, size: bytes } = file;
  if (userId === null || fileRequestId === null) return;
  tellFeed(services, userId, { type: "received", transferId, requestId: fileRequestId, state, title, bytes, at });
}

/**
 * Reports a download to an account's pages. Never rejects: no download depends on the report.
 * @param userId the account
 */
export async function reportDownload(services: Services, userId: string, report: DownloadReport): Promise<void> {
  try {
    await feedOf(services, userId).report(report);
  } catch (error) {
    logFailure(error);
  }
}

function logFailure(error: unknown): void {
  logError("feed.not_told", error);
}
