import type { Settings } from "./settings.ts";

export function shareUrl({ origin }: Settings, downloadId: string): string {
  return `${origin}/download/${downloadId}`;
}

export function contentUrl({ origin }: Settings, downloadId: string): string {
  return `${origin}/api/files/download/${downloadId}/content`;
}

export function toIso(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
