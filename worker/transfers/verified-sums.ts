import { decodePlaces } from "#domain/transfers/pages.ts";
import { layOutZip } from "#domain/zip.ts";
import type { Database } from "../db/client.ts";
import { saveCorrectedSums, saveSums, type VerifiedSum } from "../db/entry-sums.ts";
import { findFileWithPages } from "../db/entry-wipes.ts";
import { logWarning } from "../log.ts";

/** A removal may change the list before the sums are written. The call starts over this many times. */
const MAX_ATTEMPTS = 50;

/**
 * Replaces sums of a ready transfer that its sender had wrong. The ZIP's ETag and date change with a CRC-32. Idempotent.
 * @param now epoch milliseconds @throws Error when the list changed each time
 */
export async function correctSums(db: Database, fileId: string, sums: VerifiedSum[], now: number): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const found = await findFileWithPages(db, fileId);
    const etagBefore = found?.file.etag;
    // The transfer has been deleted meanwhile.
    if (!found || !etagBefore || found.pages.length === 0) return;
    const places = found.pages.flatMap(decodePlaces);
    for (const { n, crc32 } of sums) {
      const place = places[n];
      if (place) place.crc32 = crc32;
    }
    const zip = await layOutZip(places.filter(({ removedAt }) => removedAt === null));
    const etag = zip.etag.replaceAll('"', "");
    if (etag === etagBefore) {
      await saveSums(db, fileId, sums);
      return;
    }
    if (await saveCorrectedSums(db, fileId, sums, { etagBefore, etag }, now)) {
      logWarning("transfer.sums_corrected", { fileId, entries: sums.map(({ n }) => n) });
      return;
    }
  }
  throw new Error(`the list of transfer ${fileId} changed ${MAX_ATTEMPTS} times meanwhile`);
}
