import { shortenAddress } from "#domain/address.ts";
import { DAY_MS } from "#domain/units.ts";
import type { Services } from "../context.ts";
import { dropOldAuditRows, listWholeAddresses, shortenAddresses } from "../db/audit.ts";
import { dropOldEvents } from "../db/billing.ts";

/** Addresses are shortened after 30 days, audit rows go after 365 (decisions, Keeping and forgetting). */
const ADDRESS_KEPT_MS = 30 * DAY_MS;
const AUDIT_KEPT_MS = 365 * DAY_MS;
/** Stripe delivers an event again for three days at most. */
const EVENTS_KEPT_MS = 30 * DAY_MS;
/** Rows a run looks at: the cron comes every minute, so a backlog drains by itself. */
const BATCH = 500;

export interface RetentionResult {
  shortened: number;
  dropped: number;
}

/** Forgets what has been kept long enough. @param now epoch milliseconds */
export async function forgetOldTraces({ db }: Services, now: number): Promise<RetentionResult> {
  const dropped = await dropOldAuditRows(db, now - AUDIT_KEPT_MS, BATCH);
  await dropOldEvents(db, now - EVENTS_KEPT_MS, BATCH);
  const whole = await listWholeAddresses(db, now - ADDRESS_KEPT_MS, BATCH);
  await shortenAddresses(
    db,
    whole.map(({ id, address }) => ({ id, address: shortenAddress(address) })),
  );
  return { shortened: whole.length, dropped };
}
