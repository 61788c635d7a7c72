import { SECOND_MS } from "#domain/units.ts";
import type { FileRow } from "../db/files.ts";
import { findScanState } from "../db/scans.ts";
import type { Services } from "../services.ts";

/** How soon a download ends after the scanner has found something. */
const ASK_EVERY_MS = 3 * SECOND_MS;

/**
 * Watches the scan of a link while its bytes are sent.
 * @param everyMs only tests set it
 * @returns `signal`: aborts once the scanner has found something; null for a link that the scanner has seen, or never
 * sees. Call `stop` when the bytes are sent
 */
export function watchScan(
  { db, settings }: Services,
  { id, seal, status, scanState }: Pick<FileRow, "id" | "seal" | "status" | "scanState">,
  everyMs = ASK_EVERY_MS,
): { signal: AbortSignal | null; stop(): void } {
  const waits = seal === null && (scanState === "pending" || status === "uploading");
  if (settings.scan === null || !waits) return { signal: null, stop: () => undefined };
  const cut = new AbortController();
  const ask = async () => {
    const state = await findScanState(db, id);
    if (state === "infected") cut.abort(new Error("the scanner has found something"));
    if (state !== "pending" && state !== null) clearInterval(timer);
  };
  const timer = setInterval(() => {
    // The next question deals with a failure.
    ask().catch(() => undefined);
  }, everyMs);
  return { signal: cut.signal, stop: () => clearInterval(timer) };
}
