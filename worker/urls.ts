import type { Settings } from "./settings.ts";

export function shareUrl({ origin }: Settings, downloadId: string): string {
  return `${origin}/download/${downloadId}`;
}

/** A recipient's own link. */
export function recipientUrl(settings: Settings, downloadId: string, token: string): string {
  return `${shareUrl(settings, downloadId)}?for=${token}`;
}

/** A page that stops mail; a POST to it does so at once. @param token from `issueUnsubscribe` */
export function unsubscribeUrl({ origin }: Settings, token: string): string {
  return `${origin}/unsubscribe/${token}`;
}

export function contentUrl({ origin }: Settings, downloadId: string): string {
  return `${origin}/api/files/download/${downloadId}/content`;
}

export function toIso(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}

/** How many characters of the ETag name the version of an archive. */
export const VERSION_CHARACTERS = 8;

/** A transfer's ZIP. @param etag unquoted; another one means other bytes, so another address */
export function archiveUrl(settings: Settings, downloadId: string, etag: string): string {
  return `${contentUrl(settings, downloadId)}?v=${etag.slice(0, VERSION_CHARACTERS)}`;
}

/** A page that deletes a file; DELETE to it does so at once. @param token from `issueDeletion` */
export function deletionUrl({ origin }: Settings, fileId: string, token: string): string {
  return `${origin}/delete/${fileId}/${token}`;
}
