import { SECOND_MS } from "./units.ts";

/** Retries in addition to the first attempt. */
const MAX_RETRIES = 3;
const FIRST_WAIT_MS = SECOND_MS / 20;

/**
 * Retries with exponential backoff, and with jitter, so that callers do not retry at the same moment.
 * @param isRetryable whether an error is temporary and repeating the call is safe @param firstWaitMs the least wait
 * before the first retry @throws the last attempt's error
 */
export async function retryStorageCall<Result>(
  call: () => Promise<Result>,
  isRetryable: (error: unknown) => boolean,
  onRetry: (error: unknown, retry: number) => void,
  firstWaitMs: (error: unknown) => number = () => FIRST_WAIT_MS,
): Promise<Result> {
  for (let retry = 1; ; retry += 1) {
    try {
      return await call();
    } catch (error) {
      if (retry > MAX_RETRIES || !isRetryable(error)) throw error;
      onRetry(error, retry);
      const waitMs = firstWaitMs(error) * 2 ** (retry - 1) * (1 + Math.random());
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
