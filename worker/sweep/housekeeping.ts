import { MINUTE_MS } from "#domain/units.ts";
import { refreshOverview } from "../admin/overview.ts";
import { removeDeletedAccounts } from "../admin/remove-account.ts";
import { renewMonths } from "../billing/months.ts";
import type { Database } from "../db/client.ts";
import { insertSweepRun, listSweepRuns, type SweepRunRow } from "../db/overview.ts";
import { watchDatabase } from "../diagnostics/database-size.ts";
import { remindOfKeys } from "../keys/keys.ts";
import { logEvent, logError } from "../log.ts";
import { finishSuspensions } from "../moderation/suspension.ts";
import { watchScans } from "../moderation/scan-link.ts";
import { makeNoticeMails } from "../notices/make-mails.ts";
import type { Services } from "../services.ts";
import { finishWipes } from "../transfers/wipe.ts";
import { queueDue } from "../webhooks/deliver.ts";
import { checkFileCounts } from "./file-counts.ts";
import { moveLists } from "./lists.ts";
import { reconcile } from "./reconciliation.ts";
import { resealSecrets } from "./reseal.ts";
import { applyRetention } from "./retention.ts";
import { sweep, type SweepResult } from "./sweep.ts";

/**
 * The least time between two runs without work whose rows are kept: `/api/health` misses the cron after five minutes
 * without a row. The time ends half a minute before the third run after a kept one.
 */
const IDLE_RUN_KEPT_MS = 2.5 * MINUTE_MS;

/** Runs all chores of the cron. A failed chore does not stop the others. @param clock returns epoch milliseconds */
export async function runHousekeeping(services: Services, clock: () => number): Promise<void> {
  const startedAt = clock();
  const failedChores: string[] = [];
  const runChore = async <Result>(name: string, run: () => Promise<Result>): Promise<Result | null> => {
    try {
      const result = await run();
      logEvent(`cron.${name}`, { result });
      return result;
    } catch (error) {
      failedChores.push(name);
      logError(`cron.${name}_failed`, error);
      return null;
    }
  };
  const sweepResult = await runChore("sweep", () => sweep(services, clock));
  await runChore("wipes", () => finishWipes(services));
  await runChore("lists", () => moveLists(services));
  await runChore("suspensions", () => finishSuspensions(services, clock()));
  const removedAccounts = await runChore("accounts", () => removeDeletedAccounts(services, clock()));
  await runChore("months", () => renewMonths(services, clock()));
  await runChore("retention", () => applyRetention(services, clock()));
  await runChore("file_counts", () => checkFileCounts(services, clock()));
  await runChore("keys", () => remindOfKeys(services, clock()));
  await runChore("notices", () => makeNoticeMails(services, clock()));
  await runChore("mail", () => services.outbox.hurry(clock()));
  await runChore("data_keys", () => resealSecrets(services));
  await runChore("webhooks", () => queueDue(services, clock));
  await runChore("scans", () => watchScans(services, clock()));
  await runChore("reconciliation", () => reconcile(services, clock));
  await runChore("overview", () => refreshOverview(services, clock()));
  await runChore("database", () => watchDatabase(services, clock()));
  await runChore("log", () =>
    keepRun(services.db, {
      startedAt: new Date(startedAt),
      durationMs: clock() - startedAt,
      ...toRunCounts(sweepResult),
      removedAccounts: removedAccounts ?? 0,
      failed: failedChores.join(","),
    }),
  );
}

function toRunCounts(result: SweepResult | null) {
  const { expiredFiles = 0, abandonedUploads = 0, incomingObjects = 0 } = result ?? {};
  return { expiredFiles, abandonedUploads, leftovers: incomingObjects };
}

/**
 * Saves the row of a run, unless the run did nothing and soon follows a run that went well, because a row, with its
 * deletion later, costs four written rows.
 */
async function keepRun(db: Database, run: Omit<SweepRunRow, "id">): Promise<void> {
  const { startedAt, expiredFiles, abandonedUploads, leftovers, removedAccounts, failed } = run;
  const isIdle = failed === "" && expiredFiles + abandonedUploads + leftovers + removedAccounts === 0;
  const [last] = isIdle ? await listSweepRuns(db, 1) : [];
  const isSoon = last?.failed === "" && startedAt.getTime() - last.startedAt.getTime() < IDLE_RUN_KEPT_MS;
  if (!isSoon) await insertSweepRun(db, run);
}
