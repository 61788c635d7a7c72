import { SECOND_MS } from "./units.ts";

/** Including the first attempt. */
const MAX_ATTEMPTS = 4;
const FIRST_WAIT_MS = SECOND_MS / 20;

/** Exponential backoff with jitter, so that callers do not retry at the same moment. */
function backoffMs(failedAttempts: number): number {
  return FIRST_WAIT_MS * 2 ** (failedAttempts - 1) * (1 + Math.random());
}

/** `isRetryable`: the error is temporary and repeating the call is safe. @throws the last attempt's error */
export async function retryStorageCall<Result>(
  call: () => Promise<Result>,
  isRetryable: (error: unknown) => boolean,
  onRetry: (error: unknown, failedAttempts: number) => void,
): Promise<Result> {
  for (let failedAttempts = 1; ; failedAttempts += 1) {
    try {
      return await call();
    } catch (error) {
      if (failedAttempts === MAX_ATTEMPTS || !isRetryable(error)) throw error;
      onRetry(error, failedAttempts);
      await new Promise((resolve) => setTimeout(resolve, backoffMs(failedAttempts)));
    }
  }
}
