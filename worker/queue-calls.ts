/** The most messages per call (https://developers.cloudflare.com/queues/platform/limits/). */
const MESSAGES_PER_CALL = 100;

/** Splits messages into those of single calls of `sendBatch`. */
export function inCalls<Body>(bodies: readonly Body[]): Body[][] {
  const calls: Body[][] = [];
  for (let at = 0; at < bodies.length; at += MESSAGES_PER_CALL) calls.push(bodies.slice(at, at + MESSAGES_PER_CALL));
  return calls;
}
