import { openSecret, sealSecret, type DataKeys } from "#domain/data-keys.ts";
import { factorOwner } from "../accounts/second-factors.ts";
import { listSharedKeysToSeal, replaceSharedKey } from "../db/reports.ts";
import { listFactorsSealedWith, replaceSealedFactor } from "../db/second-factors.ts";
import { listSealedWith, replaceSealedSecrets } from "../db/webhooks.ts";
import { reportOwner } from "../links/reported-link.ts";
import type { Services } from "../services.ts";
import { secretOwner } from "../webhooks/send.ts";

const ROWS_PER_RUN = 100;

/**
 * Seals secrets again that the former data key sealed, so that the former key can be removed. Also seals the keys in
 * reports that are stored in clear. @returns the number of changed rows
 */
export async function resealSecrets(services: Services): Promise<number> {
  const keys = await services.dataKeys();
  const reports = await sealReportedKeys(services, keys);
  if (!keys.former) return reports;
  const { id } = keys.former;
  return reports + (await resealWebhooks(services, keys, id)) + (await resealFactors(services, keys, id));
}

async function sealReportedKeys({ db }: Services, keys: DataKeys): Promise<number> {
  let sealed = 0;
  for (const row of await listSharedKeysToSeal(db, keys.former?.id ?? null, ROWS_PER_RUN)) {
    const owner = reportOwner(row.id);
    const isClear = row.sharedKey.startsWith("{");
    const sharedKey = await (isClear ? sealSecret : sealAnew)(keys, owner, row.sharedKey);
    if (await replaceSharedKey(db, row, sharedKey)) sealed += 1;
  }
  return sealed;
}

async function resealWebhooks({ db }: Services, keys: DataKeys, formerId: string): Promise<number> {
  let resealed = 0;
  for (const row of await listSealedWith(db, formerId, ROWS_PER_RUN)) {
    const owner = secretOwner(row.id);
    const secret = await sealAnew(keys, owner, row.secret);
    const formerSecret = row.formerSecret === null ? null : await sealAnew(keys, owner, row.formerSecret);
    if (await replaceSealedSecrets(db, row, { secret, formerSecret })) resealed += 1;
  }
  return resealed;
}

async function resealFactors({ db }: Services, keys: DataKeys, formerId: string): Promise<number> {
  let resealed = 0;
  for (const row of await listFactorsSealedWith(db, formerId, ROWS_PER_RUN)) {
    const secret = await sealAnew(keys, factorOwner(row.userId), row.secret);
    if (await replaceSealedFactor(db, row, secret)) resealed += 1;
  }
  return resealed;
}

/** Seals a secret with the present data key. @returns `sealed` unchanged when no data key opens it */
async function sealAnew(keys: DataKeys, owner: string, sealed: string): Promise<string> {
  const secret = await openSecret(keys, owner, sealed);
  return secret === null ? sealed : sealSecret(keys, owner, secret);
}
