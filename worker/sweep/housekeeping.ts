import { removeDeletedAccounts } from "../accounts/deletion.ts";
import { renewMonths } from "../billing/months.ts";
import type { Services } from "../context.ts";
import { forgetOldTraces } from "./retention.ts";
import { sweep } from "./sweep.ts";

/**
 * What the cron does each minute. One chore's fault does not keep the others from their turn.
 * @param clock epoch milliseconds
 */
export async function runHousekeeping(services: Services, clock: () => number): Promise<void> {
  const chores = {
    sweep: () => sweep(services, clock),
    accounts: () => removeDeletedAccounts(services, clock()),
    months: () => renewMonths(services, clock()),
    retention: () => forgetOldTraces(services, clock()),
    mail: () => services.outbox.deliver(clock()),
  };
  for (const [chore, run] of Object.entries(chores)) {
    try {
      console.log({ event: `cron.${chore}`, result: await run() });
    } catch (error) {
      console.error({ event: `cron.${chore}_failed`, error: String(error) });
    }
  }
}
