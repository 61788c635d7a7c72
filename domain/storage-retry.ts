import { SECOND_MS } from "./units.ts";

/** Retries in addition to the first attempt. */
const MAX_RETRIES = 3;
const FIRST_WAIT_MS = SECOND_MS / 20;

/** Exponential backoff with jitter, so that callers do not retry at the same moment. @param retry 1 for the first */
function storageWaitMs(retry: number): number {
  return FIRST_WAIT_MS * 2 ** (retry - 1) * (1 + Math.random());
}

/** @param isRetryable whether an error is temporary and repeating the call is safe @throws the last attempt's error */
export async function retryStorageCall<Result>(
  call: () => Promise<Result>,
  isRetryable: (error: unknown) => boolean,
  onRetry: (error: unknown, retry: number) => void,
): Promise<Result> {
  for (let retry = 1; ; retry += 1) {
    try {
      return await call();
    } catch (error) {
      if (retry > MAX_RETRIES || !isRetryable(error)) throw error;
      onRetry(error, retry);
      await new Promise((resolve) => setTimeout(resolve, storageWaitMs(retry)));
    }
  }
}
