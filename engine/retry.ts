import { SECOND_MS } from "#domain/units.ts";
import { pause } from "./pause.ts";
import type { Ports } from "./ports.ts";
import { warnOfRetry } from "./warn-of-retry.ts";

/** Besides the first attempt (decision 024). */
export const MAX_RETRIES = 3;
const MAX_WAIT_MS = 10 * SECOND_MS;

/**
 * Exponential backoff from one second, with jitter so that parallel parts do not retry together.
 * @param retry 1 for the first
 * @param random from 0 to 1
 */
export function backoffMs(retry: number, random: number): number {
  const longestMs = Math.min(SECOND_MS * 2 ** (retry - 1), MAX_WAIT_MS);
  return longestMs * (0.5 + random / 2);
}

export interface RetryPolicy {
  maxRetries: number;
  /** Milliseconds before a retry, 1 for the first. */
  waitMs(retry: number): number;
}

type RetryPorts = Pick<Ports, "online" | "warn">;

const DEFAULT_POLICY: RetryPolicy = { maxRetries: MAX_RETRIES, waitMs: (retry) => backoffMs(retry, Math.random()) };

/**
 * Runs a step until it succeeds, fails for good, or has used its retries. Waits while there is no network; a failure
 * meanwhile uses no retry.
 * @param name for the warning
 * @param step gets the number of retries before this attempt
 */
export async function retryUploadStep<Result>(
  ports: RetryPorts,
  name: string,
  step: (retry: number) => Promise<Result>,
  isRetryable: (error: unknown) => boolean,
  signal: AbortSignal,
  policy: RetryPolicy = DEFAULT_POLICY,
): Promise<Result> {
  for (let retry = 0, attempt = 1; ; attempt += 1) {
    await ports.online.whenOnline(signal);
    try {
      return await step(retry);
    } catch (error) {
      if (signal.aborted) throw error;
      if (!ports.online.isOnline()) {
        warnOfRetry(ports, name, attempt, error, null);
        continue;
      }
      if (retry >= policy.maxRetries || !isRetryable(error)) throw error;
      retry += 1;
      const waitMs = policy.waitMs(retry);
      warnOfRetry(ports, name, attempt, error, waitMs);
      await pause(waitMs, signal);
    }
  }
}
