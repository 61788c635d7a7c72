import { removeDeletedAccounts } from "../accounts/deletion.ts";
import { refreshOverview } from "../admin/overview.ts";
import { renewMonths } from "../billing/months.ts";
import type { Services } from "../services.ts";
import { insertSweepRun } from "../db/overview.ts";
import { logEvent, logError } from "../log.ts";
import { reconcile } from "./reconciliation.ts";
import { applyRetention } from "./retention.ts";
import { sweep, type SweepResult } from "./sweep.ts";

/**
 * What the cron does each minute. One chore's fault does not keep the others from their turn. What it did is kept for
 * the admin area.
 * @param clock epoch milliseconds
 */
export async function runHousekeeping(services: Services, clock: () => number): Promise<void> {
  const startedAt = clock();
  const failed: string[] = [];
  const chore = async <Result>(name: string, run: () => Promise<Result>): Promise<Result | null> => {
    try {
      const result = await run();
      logEvent(`cron.${name}`, { result });
      return result;
    } catch (error) {
      failed.push(name);
      logError(`cron.${name}_failed`, error);
      return null;
    }
  };
  const swept = await chore("sweep", () => sweep(services, clock));
  const removedAccounts = await chore("accounts", () => removeDeletedAccounts(services, clock()));
  await chore("months", () => renewMonths(services, clock()));
  await chore("retention", () => applyRetention(services, clock()));
  await chore("mail", () => services.outbox.deliver(clock()));
  await chore("reconciliation", () => reconcile(services, clock));
  await chore("overview", () => refreshOverview(services, clock()));
  await chore("log", () =>
    insertSweepRun(services.db, {
      startedAt: new Date(startedAt),
      durationMs: clock() - startedAt,
      ...countsOf(swept),
      removedAccounts: removedAccounts ?? 0,
      failed: failed.join(","),
    }),
  );
}

function countsOf(swept: SweepResult | null) {
  const { expiredFiles = 0, abandonedUploads = 0, incomingObjects = 0 } = swept ?? {};
  return { expiredFiles, abandonedUploads, leftovers: incomingObjects };
}
