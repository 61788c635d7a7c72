import { DEVICE_GRANT } from "#domain/device-codes.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { CallAnswer } from "#domain/v1/calls.ts";
import { ApiError } from "#engine/api-error.ts";
import { pause } from "#engine/timing.ts";
import type { V1 } from "./v1.ts";

/** RFC 8628, section 3.5, adds 5 s to the polling interval. */
const SLOWER_MS = 5 * SECOND_MS;

/** The program was not signed in. */
export class NotAgreed extends Error {
  /** The server's words; null if nobody agreed in time. */
  readonly reason: string | null;

  constructor(reason: string | null) {
    super(reason ?? "nobody agreed in time");
    this.name = "NotAgreed";
    this.reason = reason;
  }
}

/**
 * Asks the server until a person has agreed (RFC 8628). @param started the answer to `startDevice`
 * @returns the key @throws NotAgreed; ApiError; DOMException AbortError when aborted
 */
export async function waitForConsent(v1: V1, started: CallAnswer<"startDevice">, signal: AbortSignal): Promise<string> {
  const endsAt = Date.now() + started.expires_in * SECOND_MS;
  let intervalMs = started.interval * SECOND_MS;
  while (Date.now() + intervalMs < endsAt) {
    await pause(intervalMs, signal);
    try {
      const body = { grant_type: DEVICE_GRANT, device_code: started.device_code } as const;
      return (await v1.call("pollDevice", { body })).access_token;
    } catch (error) {
      intervalMs += slowerBy(error);
    }
  }
  throw new NotAgreed(null);
}

/** @returns milliseconds to add to the polling interval @throws `error` when another poll cannot help */
function slowerBy(error: unknown): number {
  // The server did not answer, and RFC 8628 asks for longer intervals after a poll without an answer.
  if (error instanceof TypeError) return SLOWER_MS;
  if (!(error instanceof ApiError)) throw error;
  const { status, body, message } = error;
  if (body.error === "authorization_pending") return 0;
  if (body.error === "slow_down" || status === 429 || status >= 500) return SLOWER_MS;
  if (typeof body.error === "string") throw new NotAgreed(message);
  throw error;
}
