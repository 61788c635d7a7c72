import { SECOND_MS } from "#domain/units.ts";
import type { Health, HealthCheck } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { pingDatabase } from "../db/health.ts";
import { logError } from "../log.ts";
import { pingStore } from "../storage/objects.ts";

const CHECK_TIMEOUT_MS = 5 * SECOND_MS;

/** A rate limiter that counts no calls. */
const HEALTH_LIMITER_NAME = "health";

export async function checkHealth({ db, bucket, limiters }: Services): Promise<Health> {
  const [database, storage, durableObjects] = await Promise.all([
    check("database", () => pingDatabase(db)),
    check("storage", () => pingStore(bucket)),
    check("durableObjects", () => limiters.get(limiters.idFromName(HEALTH_LIMITER_NAME)).countedCalls()),
  ]);
  const checks = { database, storage, durableObjects };
  return { ok: Object.values(checks).every(({ ok }) => ok), checks };
}

async function check(name: string, ping: () => Promise<unknown>): Promise<HealthCheck> {
  const startedAt = Date.now();
  try {
    await withTimeout(ping());
    return { ok: true, ms: Date.now() - startedAt };
  } catch (error) {
    logError("health.failed", error, { check: name });
    return { ok: false, ms: Date.now() - startedAt };
  }
}

async function withTimeout(answer: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
