import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { MINUTE_MS } from "#domain/units.ts";
import { servicesFor } from "#worker/services.ts";
import { runHousekeeping } from "#worker/sweep/housekeeping.ts";
import { runSql, sendFile, signUp } from "../support/worker.ts";

const START = Date.UTC(2030, 0, 15, 12, 30);

beforeEach(() => runSql("delete from sweep_runs"));

async function runAt(...minutes: number[]): Promise<void> {
  for (const minute of minutes) await runHousekeeping(servicesFor(env), () => START + minute * MINUTE_MS);
}

/** The minutes of the runs that are kept. */
async function kept(): Promise<number[]> {
  const query = env.DB.prepare("select started_at as at from sweep_runs order by started_at");
  const { results } = await query.all<{ at: number }>();
  return results.map(({ at }) => (at - START) / MINUTE_MS);
}

it("of the cron's runs without work each third is kept", async () => {
  await runAt(0, 1, 2, 3, 4, 5, 6, 7);
  expect(await kept()).toEqual([0, 3, 6]);
});

it("a run that worked is kept, and one after a run that failed", async () => {
  await runAt(0);
  const { uploadId } = await sendFile(await signUp(), "hello");
  await runSql("update files set expires_at = 1 where id = ?", uploadId);
  await runAt(1, 2);
  expect(await kept()).toEqual([0, 1]);
  await runSql("update sweep_runs set failed = 'mail' where started_at > ?", START);
  await runAt(3, 4);
  expect(await kept()).toEqual([0, 1, 3]);
});
