import { transferSessionOf } from "../callers/sessions.ts";
import { findTransfersWithPages } from "../db/transfers.ts";
import type { Services } from "../services.ts";

/** How many transfers one run of the cron moves: 28,800 a day. */
const LISTS_PER_RUN = 20;

/**
 * Moves lists of transfers that still stand in D1 into the transfers' sessions (decision 051). A list that somebody
 * reads is moved at once. @returns the number of moved lists
 */
export async function moveLists(services: Services): Promise<number> {
  const transfers = await findTransfersWithPages(services.db, LISTS_PER_RUN);
  await Promise.all(transfers.map((file) => transferSessionOf(services, file).move(file.id)));
  return transfers.length;
}
