import { SECOND_MS } from "#domain/units.ts";
import type { Health, HealthCheck } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { pingDatabase } from "../db/health.ts";
import { logError } from "../log.ts";
import { pingStore } from "../storage/objects.ts";

/** Longer than this, and whoever waits for a page has gone. */
const PATIENCE_MS = 5 * SECOND_MS;

/** The object that is asked: nobody's calls are counted there. */
const ASKED = "health";

/**
 * Asks each of the three stores for the least it can answer: D1 for a one, R2 for an object that is not there, a
 * Durable Object for what it has counted, which is nothing.
 */
export async function checkHealth({ db, bucket, limiters }: Services): Promise<Health> {
  const [database, storage, durableObjects] = await Promise.all([
    check("database", () => pingDatabase(db)),
    check("storage", () => pingStore(bucket)),
    check("durableObjects", () => limiters.get(limiters.idFromName(ASKED)).countedCalls()),
  ]);
  const checks = { database, storage, durableObjects };
  return { ok: Object.values(checks).every(({ ok }) => ok), checks };
}

async function check(name: string, ask: () => Promise<unknown>): Promise<HealthCheck> {
  const from = Date.now();
  try {
    await withPatience(ask());
    return { ok: true, ms: Date.now() - from };
  } catch (error) {
    logError("health.failed", error, { check: name });
    return { ok: false, ms: Date.now() - from };
  }
}

async function withPatience(answer: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${PATIENCE_MS} ms`));
    }, PATIENCE_MS);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
