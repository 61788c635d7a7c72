import { AppError } from "#domain/errors.ts";
import { MIB, SECOND_MS } from "#domain/units.ts";

/**
 * The bytes that all requests and Durable Objects of an isolate may hold together. Code, lists and streams need the
 * rest of the isolate's 128 MB (Workers platform limit). Above 128 MB, the platform cancels everything that runs in the
 * isolate.
 */
const MAX_HELD_BYTES = 48 * MIB;

/** How long a request waits for memory before its sender has to try again. */
export const REQUEST_WAIT_MS = 10 * SECOND_MS;
const RETRY_AFTER_SECONDS = 5;

const ASK_EVERY_MS = 20;
/**
 * A share whose holder gives no sign of life for this long is void, because no `finally` runs when the platform cancels
 * a request.
 */
const HOLDER_SILENCE_MS = 60 * SECOND_MS;
const WAITER_SILENCE_MS = SECOND_MS;

interface Share {
  bytes: number;
  /** The holder's last sign of life, in epoch milliseconds. */
  at: number;
}

/** The shares of this isolate's memory that are in use, in the order of arrival. */
const holders = new Set<Share>();
const waiters = new Set<Share>();

/**
 * Runs `work` as soon as the isolate may hold `bytes` more, first come, first served. Do not call it in the `work` of
 * another call: that call could wait for itself.
 * @param bytes at most 48 MiB
 * @param maxWaitMs how long to wait; Infinity for work that nobody repeats
 * @param work calls `isAlive` at least every 60 s
 * @throws AppError OVERLOADED after `maxWaitMs`
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
      // Adds the share again: if this call was late, another may have taken it for a cancelled one and removed it.
      waiters.add(share);
    }
    // No other call can take the memory, because nothing is awaited between the check and this line.
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
