import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";

/** A response that takes a day makes 480 calls. */
const RENEW_EVERY_MS = 3 * MINUTE_MS;
/** Well before an unrenewed lease lapses, so that no second browser gets its download while bytes are still sent. */
const CUT_AFTER_MS = 6 * MINUTE_MS;
const RETRY_EVERY_MS = 30 * SECOND_MS;

/**
 * Renews a lease while its bytes are sent. Aborts the response when the lease has lapsed or could not be renewed.
 * @param renew resolves to whether the lease is still valid; may reject @returns a function that stops the renewals
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
    // The next attempt, or `CUT_AFTER_MS`, deals with a failure.
    renewNow().catch(() => undefined);
  }, RETRY_EVERY_MS);
  return () => clearInterval(timer);
}
