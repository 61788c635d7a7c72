import type { KeptLink } from "#engine/sealing/link-keys.ts";
import { api, ApiError } from "../api.ts";
import { changeKeptLink, forgetLink, forgetLinksOf, listKeptLinks } from "./kept-links.client.ts";

/**
 * Forgets the keys of links that have ended, as the server confirms: another device may have extended an expired link.
 * Unfinished uploads are checked too. @param now epoch milliseconds
 */
export async function forgetEndedLinks(links: readonly KeptLink[], now: number): Promise<void> {
  const due = links.filter(
    ({ expiresAt, fingerprint }) => fingerprint !== null || (expiresAt !== null && expiresAt <= now),
  );
  for (const { downloadId } of due) {
    try {
      const { expiresAt = null, status } = await api.downloadInfo(downloadId);
      const isFinished = status === "ready" && { fingerprint: null };
      await changeKeptLink(downloadId, { expiresAt: expiresAt === null ? null : Date.parse(expiresAt), ...isFinished });
    } catch (error) {
      // Any other error says nothing about the link, so its key stays.
      if (hasEnded(error)) await forgetLink(downloadId);
    }
  }
}

/** A link whose download limit is used up has not ended for good: its owner may raise the limit. */
function hasEnded(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 404 || (error.status === 410 && error.body.code === "FILE_EXPIRED");
}

/**
 * Forgets keys of accounts that have signed out, as the server confirms. @param userId the account that the page takes
 * to be signed in
 */
export async function forgetLinksOfOthers(userId: string | null): Promise<void> {
  const senders = new Set((await listKeptLinks()).map((link) => link.userId));
  const others = [...senders].filter((id) => id !== null && id !== userId);
  if (others.length === 0) return;
  const me = await api.me();
  for (const other of others) if (other !== null && other !== me?.id) await forgetLinksOf(other);
}
