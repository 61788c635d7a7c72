import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";

/** 480 calls for a response that takes a day. */
const RENEW_EVERY_MS = 3 * MINUTE_MS;
/** Long before a lease lapses for its silence, so that no two browsers send from one place. */
const CUT_AFTER_MS = 6 * MINUTE_MS;
const RETRY_EVERY_MS = 30 * SECOND_MS;

/**
 * Renews a lease while its bytes are sent, and aborts the response when the lease has lapsed or could not be renewed.
 * @param renew says whether the lease lives; may reject
 * @returns stops the renewing
 */
export function keepRenewing(renew: () => Promise<boolean>, response: AbortController): () => void {
  let renewedAt = Date.now();
  const renewNow = async () => {
    const now = Date.now();
    if (now - renewedAt < RENEW_EVERY_MS) return;
    if (now - renewedAt >= CUT_AFTER_MS) response.abort(new Error("the lease could not be renewed"));
    else if (await renew()) renewedAt = now;
    else response.abort(new Error("the lease has lapsed"));
  };
  const timer = setInterval(() => {
    // The next attempt, or the cut, answers a failure.
    renewNow().catch(() => undefined);
  }, RETRY_EVERY_MS);
  return () => clearInterval(timer);
}
