import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { FinishedDownload } from "#worker/db/download-counts.ts";

/** A download by somebody with the bare link, as its message tells it. @param file the id of the file */
export function finishedDownload(file: string, more: Partial<FinishedDownload> = {}): FinishedDownload {
  const id = crypto.randomUUID().replaceAll("-", "");
  return { id, file, entry: null, token: null, isOwner: false, at: Date.now(), ...more };
}

/**
 * Waits until the downloads that have been sent to the queue are counted: sends one more, of no file and long ago. The
 * local queue hands messages over in their order.
 */
export async function downloadsCounted(): Promise<void> {
  const last = finishedDownload("no file", { at: 0 });
  await env.DOWNLOADS.send(last);
  await vi.waitUntil(
    () => env.DB.prepare("select 1 from counted_downloads where day = 0 and id = unhex(?)").bind(last.id).first(),
    60_000,
  );
}
