import { anySessionOf, transferSessionOf } from "../callers/sessions.ts";
import { findLinksWithManifests } from "../db/manifests.ts";
import { findTransfersWithPages } from "../db/transfers.ts";
import type { Services } from "../services.ts";

/** How many lists of each kind one run of the cron moves: 28,800 a day. */
const LISTS_PER_RUN = 20;

/**
 * Moves lists of transfers, and encrypted lists, that still stand in D1 into the sessions (decision 051). A list that
 * somebody reads is moved without waiting for the cron.
 * @returns the number of moved lists
 */
export async function moveLists(services: Services): Promise<number> {
  const [transfers, links] = await Promise.all([
    findTransfersWithPages(services.db, LISTS_PER_RUN),
    findLinksWithManifests(services.db, LISTS_PER_RUN),
  ]);
  await Promise.all([
    ...transfers.map((file) => transferSessionOf(services, file).move(file.id)),
    ...links.map((file) => anySessionOf(services, file).moveManifest(file.id)),
  ]);
  return transfers.length + links.length;
}
