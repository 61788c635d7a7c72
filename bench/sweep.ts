import { HOUR_MS, SECOND_MS } from "#domain/units.ts";
import { prepareServer } from "../scripts/local-server.ts";
import { addFileRows, countOverdue } from "./support/file-rows.ts";
import type { Row } from "./support/measure.ts";

const EXPIRED = 1_000_000;
const BUDGET_MS = 15 * SECOND_MS;
/** A sweep stops after this many runs, which is more than any machine needs. */
const MAX_RUNS = 100;

/** Measures the cron with a mass of expired files, on a system of its own. */
export async function measureSweep(): Promise<Row[]> {
  const server = await prepareServer();
  try {
    await addFileRows(server, "e", EXPIRED, Date.now() - HOUR_MS);
    await server.start();
    let productMs = 0;
    for (let run = 0; run < MAX_RUNS; run += 1) {
      const started = performance.now();
      await server.runCron();
      productMs += performance.now() - started;
      if ((await countOverdue(server)) === 0)
        return [{ what: `sweep ${EXPIRED} expired rows (limit)`, productMs, floorMs: BUDGET_MS }];
    }
    throw new Error("the sweep does not come to an end");
  } finally {
    await server.stop();
  }
}
