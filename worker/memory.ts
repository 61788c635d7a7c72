import { AppError } from "#domain/errors.ts";
import { MIB, SECOND_MS } from "#domain/units.ts";

/**
 * The bytes that all requests and Durable Objects of an isolate may hold together. An isolate has 128 MB (Workers
 * platform limit), of which code, lists and streams need the rest. Above that, the platform cancels all that runs there.
 */
const MAX_HELD_BYTES = 48 * MIB;

/** How long a request waits for memory. Its sender then tries again. */
export const REQUEST_WAIT_MS = 10 * SECOND_MS;
const RETRY_AFTER_SECONDS = 5;

const ASK_EVERY_MS = 20;
/** When the platform cancels a request, no `finally` runs. So shares without a sign of life for this long are void. */
const HOLDER_SILENCE_MS = 60 * SECOND_MS;
const WAITER_SILENCE_MS = SECOND_MS;

interface Share {
  bytes: number;
  /** The last sign of life, in epoch milliseconds. */
  at: number;
}

/** Of this isolate, in the order of arrival. */
const holders = new Set<Share>();
const waiters = new Set<Share>();

/**
 * Runs `work` as soon as the isolate may hold `bytes` more, first come, first served. Must not be called in the `work` of
 * another call, which could wait for itself. @param bytes at most 48 MiB @param maxWaitMs Infinity for work that nobody
 * repeats @param work calls `isAlive` at least every 60 s @throws AppError OVERLOADED after `maxWaitMs`
 */
export async function withMemory<Result>(
  bytes: number,
  maxWaitMs: number,
  work: (isAlive: () => void) => Promise<Result>,
): Promise<Result> {
  const share = { bytes, at: Date.now() };
  await moveToHolders(share, share.at + maxWaitMs);
  try {
    return await work(() => (share.at = Date.now()));
  } finally {
    holders.delete(share);
  }
}

/** @param until epoch milliseconds */
async function moveToHolders(share: Share, until: number): Promise<void> {
  waiters.add(share);
  try {
    while (firstOf(waiters) !== share || heldBytes() + share.bytes > MAX_HELD_BYTES) {
      if (share.at >= until) throw new AppError("OVERLOADED", { retryAfterSeconds: RETRY_AFTER_SECONDS });
      await scheduler.wait(ASK_EVERY_MS);
      share.at = Date.now();
      // Others may have taken a late waiter for a cancelled one.
      waiters.add(share);
    }
    // Nothing is awaited between the check and this line.
    holders.add(share);
  } finally {
    waiters.delete(share);
  }
}

function firstOf(shares: Set<Share>): Share | undefined {
  removeSilent(shares, WAITER_SILENCE_MS);
  const [first] = shares;
  return first;
}

function heldBytes(): number {
  removeSilent(holders, HOLDER_SILENCE_MS);
  return [...holders].reduce((sum, { bytes }) => sum + bytes, 0);
}

function removeSilent(shares: Set<Share>, silenceMs: number): void {
  const now = Date.now();
  for (const share of shares) if (now - share.at > silenceMs) shares.delete(share);
}
