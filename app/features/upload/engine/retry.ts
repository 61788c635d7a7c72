import { SECOND_MS } from "#domain/units.ts";
import { whenOnline } from "./when-online.ts";

/** A failed step is tried again so often (specification 1 section 9). */
export const MAX_RETRIES = 3;
const LONGEST_WAIT_MS = 10 * SECOND_MS;

/**
 * How long to wait before a retry: doubling from one second, spread so that parallel parts do not return at once.
 * @param retry 1 for the first
 * @param random a number from 0 to 1
 */
export function backoffMs(retry: number, random: number): number {
  const full = Math.min(SECOND_MS * 2 ** (retry - 1), LONGEST_WAIT_MS);
  return full * (0.5 + random / 2);
}

/** How often, and after what wait, a step is tried again. */
export interface RetryPolicy {
  retries: number;
  /** Milliseconds before a retry, 1 for the first. */
  waitMs(retry: number): number;
}

const USUAL: RetryPolicy = { retries: MAX_RETRIES, waitMs: (retry) => backoffMs(retry, Math.random()) };

/** Resolves after that long, or rejects at once when aborted. */
export function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, durationMs);
    const abort = () => {
      clearTimeout(timer);
      reject(new DOMException("Upload aborted", "AbortError"));
    };
    signal.addEventListener("abort", abort, { once: true });
  });
}

/**
 * Runs a step until it succeeds, is not worth repeating, or has used up its retries. While the browser is offline it
 * waits, and a failure that came of being offline costs no retry.
 * @param step gets how many retries came before
 * @param worthRetrying decides from the error
 */
export async function retryUploadStep<Result>(
  step: (retry: number) => Promise<Result>,
  worthRetrying: (error: unknown) => boolean,
  signal: AbortSignal,
  policy: RetryPolicy = USUAL,
): Promise<Result> {
  for (let retry = 0; ;) {
    await whenOnline(signal);
    try {
      return await step(retry);
    } catch (error) {
      if (signal.aborted) throw error;
      if (!navigator.onLine) continue;
      if (retry >= policy.retries || !worthRetrying(error)) throw error;
      retry += 1;
      await pause(policy.waitMs(retry), signal);
    }
  }
}
