import { SECOND_MS } from "./units.ts";

/** One call is made at most so often. */
const ATTEMPTS = 4;
const FIRST_WAIT_MS = SECOND_MS / 20;

/** How long to wait before the attempt after that many: longer each time, and at random, so that callers spread out. */
function waitBefore(failed: number): number {
  return FIRST_WAIT_MS * 2 ** (failed - 1) * (1 + Math.random());
}

/**
 * Makes a call, and again where it fails in a way that another attempt may mend.
 * @param mayRepeat whether another attempt may mend this error, and can do no harm
 * @param onRetry hears of each attempt that failed and is repeated
 * @throws the last attempt's error
 */
export async function retryStorageCall<Result>(
  call: () => Promise<Result>,
  mayRepeat: (error: unknown) => boolean,
  onRetry: (error: unknown, failed: number) => void,
): Promise<Result> {
  for (let failed = 1; ; failed += 1) {
    try {
      return await call();
    } catch (error) {
      if (failed === ATTEMPTS || !mayRepeat(error)) throw error;
      onRetry(error, failed);
      // Nothing tells when an overloaded database or store has room again: a pause is all there is.
      await new Promise((resolve) => setTimeout(resolve, waitBefore(failed)));
    }
  }
}
