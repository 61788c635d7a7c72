import type { KeptLink } from "#engine/sealing/link-keys.ts";
import { api, ApiError } from "../api.ts";
import { changeKeptLink, forgetLink, forgetLinksOf, listKeptLinks } from "./kept-links.client.ts";

/**
 * Forgets the keys of links that have ended. Those that should have ended, and unfinished ones, are asked for: another
 * device may have given them more time.
 * @param now epoch milliseconds
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
      // After any other answer the key stays.
      if (hasEnded(error)) await forgetLink(downloadId);
    }
  }
}

/** A limit that is used up may be raised. */
function hasEnded(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 404 || (error.status === 410 && error.body.code === "FILE_EXPIRED");
}

/** Forgets the keys of people who have left, once the server says so. @param userId who seems to be signed in */
export async function forgetLinksOfOthers(userId: string | null): Promise<void> {
  const senders = new Set((await listKeptLinks()).map((link) => link.userId));
  const others = [...senders].filter((id) => id !== null && id !== userId);
  if (others.length === 0) return;
  const me = await api.me();
  for (const other of others) if (other !== null && other !== me?.id) await forgetLinksOf(other);
}
