import { AppError } from "#domain/errors.ts";
import { MAX_PACK_OBJECT_BYTES } from "#domain/transfers/limits.ts";
import { listWipes, listWipesOf, markWiped } from "../db/entry-wipes.ts";
import { logError } from "../log.ts";
import { withMemory } from "../memory.ts";
import type { Services } from "../services.ts";
import { deleteManyObjects, overwriteWithZeros } from "../storage/objects.ts";

/** How many objects one run of the cron wipes. Each object takes four calls to D1 and R2. */
const OBJECTS_PER_RUN = 50;
/** How often a wipe is tried, because another removal may overwrite the same pack at the same time. */
const MAX_ATTEMPTS = 5;

type Dependencies = Pick<Services, "db" | "bucket">;

/**
 * Deletes the bytes of removed entries in objects. If this fails, or there is no memory for an object now, leaves the
 * deletion to the cron.
 * @returns whether the bytes are deleted
 */
export async function wipeOrDefer(services: Dependencies, s3Keys: readonly string[]): Promise<boolean> {
  try {
    return await tryToWipe(services, s3Keys, 0);
  } catch (error) {
    if (error instanceof AppError && error.code === "OVERLOADED") return false;
    throw error;
  }
}

/** Wipes one object after the other. @returns the number of objects in which removed entries have no bytes left */
export async function finishWipes(services: Dependencies): Promise<number> {
  const keys = new Set((await listWipes(services.db, OBJECTS_PER_RUN)).map(({ s3Key }) => s3Key));
  let wiped = 0;
  for (const key of keys) if (await tryToWipe(services, [key], Infinity)) wiped += 1;
  return wiped;
}

/** @throws AppError OVERLOADED if there is no memory for a pack within `maxWaitMs` */
function tryToWipe(services: Dependencies, s3Keys: readonly string[], maxWaitMs: number): Promise<boolean> {
  return withMemory(MAX_PACK_OBJECT_BYTES, maxWaitMs, async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await wipe(services, s3Keys);
        return true;
      } catch (error) {
        if (attempt < MAX_ATTEMPTS) continue;
        logError("transfer.wipe_deferred", error, { keys: s3Keys });
        return false;
      }
    }
  });
}

/** Idempotent. */
async function wipe({ db, bucket }: Dependencies, s3Keys: readonly string[]): Promise<void> {
  const wipes = await listWipesOf(db, s3Keys);
  if (wipes.length === 0) return;
  const whole = new Set(wipes.filter(({ length }) => length === null).map(({ s3Key }) => s3Key));
  await deleteManyObjects(bucket, [...whole]);
  for (const [s3Key, ranges] of Map.groupBy(wipes, (asked) => asked.s3Key)) {
    const stretches = ranges.flatMap(({ fromByte, length }) => (length === null ? [] : [{ from: fromByte, length }]));
    if (!whole.has(s3Key)) await overwriteWithZeros(bucket, s3Key, stretches);
  }
  await markWiped(db, wipes);
}
