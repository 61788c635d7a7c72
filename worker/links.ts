import type { Settings } from "./settings.ts";

/** The page that a sender shares. */
export function shareUrl({ origin }: Settings, downloadId: string): string {
  return `${origin}/download/${downloadId}`;
}

/** The file's bytes. */
export function contentUrl({ origin }: Settings, downloadId: string): string {
  return `${origin}/api/files/download/${downloadId}/content`;
}

/** Epoch milliseconds as the wire has them: ISO 8601, null for never. */
export function toIso(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
