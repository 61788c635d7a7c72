import { api, ApiError } from "../api.ts";
import { changeKeptLink, forgetLink, type KeptLink } from "./kept-links.ts";

/** What a link that has ended is answered with. */
const ENDED = [404, 410];

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
      // Whoever is not told stays in doubt, and keeps the key.
      if (error instanceof ApiError && ENDED.includes(error.status)) await forgetLink(downloadId);
    }
  }
}
