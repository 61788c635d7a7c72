import type { PictureKind } from "#domain/pictures/limits.ts";
import type { Settings } from "./settings.ts";

export function shareUrl({ origin }: Settings, downloadId: string): string {
  return `${origin}/download/${downloadId}`;
}

/** The link with one recipient's token. */
export function recipientUrl(settings: Settings, downloadId: string, token: string): string {
  return `${shareUrl(settings, downloadId)}?for=${token}`;
}

/**
 * The URL of the page that stops mails. A POST to the same URL stops the mails at once.
 * @param token from `issueUnsubscribe`
 */
export function unsubscribeUrl({ origin }: Settings, token: string): string {
  return `${origin}/unsubscribe/${token}`;
}

export function contentUrl({ origin }: Settings, downloadId: string): string {
  return `${origin}${contentPath(downloadId)}`;
}

export function contentPath(downloadId: string): string {
  return `/api/files/download/${downloadId}/content`;
}

/** @param n entry number; null for a single file */
export function pictureUrl({ origin }: Settings, downloadId: string, n: number | null, kind: PictureKind): string {
  return `${origin}/api/files/download/${downloadId}/${n === null ? kind : `entries/${n}/${kind}`}`;
}

/** @param n the number of an entry of a transfer */
export function entryContentPath(downloadId: string, n: number): string {
  return `/api/files/download/${downloadId}/entries/${n}/content`;
}

export function toIso(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}

/** How many characters of the ETag name the version of an archive. */
export const VERSION_CHARACTERS = 8;

/**
 * The URL of a transfer's ZIP.
 * @param etag the unquoted ETag, which is part of the URL, so that other bytes have another URL
 */
export function archiveUrl(settings: Settings, downloadId: string, etag: string): string {
  return `${contentUrl(settings, downloadId)}?v=${etag.slice(0, VERSION_CHARACTERS)}`;
}

/**
 * The URL of the page that deletes a file. A DELETE to the same URL deletes the file at once.
 * @param token from `issueDeletion`
 */
export function deletionUrl({ origin }: Settings, fileId: string, token: string): string {
  return `${origin}/delete/${fileId}/${token}`;
}
