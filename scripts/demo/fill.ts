import { fillAccounts } from "./accounts.ts";
import { DemoLinks } from "./links.ts";
import { fillModeration } from "./moderation.ts";
import { fillNumbers } from "./numbers.ts";
import { fillRequests } from "./requests.ts";
import { fillTransfers } from "./transfers.ts";

export interface DemoServer {
  origin: string;
  /** The folder of the server's local data. */
  folder: string;
  /** The configured administrator. */
  admin: { username: string; password: string };
}

/**
 * Fills a local system through its own calls, and writes into its database what only time could make. Safe to repeat:
 * existing data stays, and a link that has ended since the last run is sent again.
 * @returns the links by name
 */
export async function fillDemo({ origin, folder, admin }: DemoServer): Promise<DemoLinks> {
  const people = await fillAccounts(origin, admin);
  const links = new DemoLinks(folder, origin);
  await fillTransfers(people, links);
  await fillRequests(people, links);
  await fillModeration(people, links);
  await fillNumbers(origin, Date.now());
  const cron = await fetch(`${origin}/cdn-cgi/handler/scheduled`);
  if (!cron.ok) throw new Error(`the cron answered ${cron.status}: ${await cron.text()}`);
  return links;
}
