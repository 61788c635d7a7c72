import { openSecret, sealSecret, type DataKeys } from "#domain/data-keys.ts";
import { listSealedWith, replaceSealedSecrets } from "../db/webhooks.ts";
import type { Services } from "../services.ts";
import { secretOwner } from "./send.ts";

const WEBHOOKS_PER_RUN = 100;

/** Seals secrets anew that the former data key sealed, so that it can be removed. @returns of how many webhooks */
export async function resealSecrets({ db, dataKeys }: Services): Promise<number> {
  const keys = await dataKeys();
  if (!keys.former) return 0;
  const rows = await listSealedWith(db, keys.former.id, WEBHOOKS_PER_RUN);
  let resealed = 0;
  for (const row of rows) {
    const secret = await sealAnew(keys, row.id, row.secret);
    const formerSecret = row.formerSecret === null ? null : await sealAnew(keys, row.id, row.formerSecret);
    if (await replaceSealedSecrets(db, row, { secret, formerSecret })) resealed += 1;
  }
  return resealed;
}

/** @returns the same text when no key opens it */
async function sealAnew(keys: DataKeys, webhookId: string, sealed: string): Promise<string> {
  const owner = secretOwner(webhookId);
  const secret = await openSecret(keys, owner, sealed);
  return secret === null ? sealed : sealSecret(keys, owner, secret);
}
