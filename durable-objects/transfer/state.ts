import { expiresAt, type Lifetime } from "#domain/expiry.ts";
import { DAY_MS, MINUTE_MS } from "#domain/units.ts";
import { SETTLED_SESSION_TTL_MS, UNFINISHED_LINK_TTL_MS } from "#domain/upload-lifetime.ts";
import { abandonedAt, begin, isSettled, retryAt, type Lifecycle, type Origin } from "../shared/lifecycle.ts";

export * from "../shared/lifecycle.ts";

/** A transfer's state machine, as pure functions: no clock, storage or socket. */

export interface TransferPlan extends Origin {
  fileId: string;
  title: string;
  /** The lifetime's `sizeBytes` is the announced total of the transfer. */
  lifetime: Lifetime;
  /** The number of entries that the sender means to send in all. */
  entries: number;
  /**
   * Whether the transfer is encrypted end to end, so that completed parts carry marks. Absent in a record of an earlier
   * release.
   */
  isSealed?: boolean;
}

export interface FinishedSizes {
  /** The size of all entries that are not removed. */
  sizeBytes: number;
  zipSizeBytes: number;
  /** The ETag of the ZIP, with quotes. */
  etag: string;
  entries: number;
}

/** How far the large objects of a ready transfer have been read back, in the order of their numbers. */
export interface Verification {
  object: number;
  /** How many bytes of the object have been read. */
  bytes: number;
  /** The CRC-32 of the bytes that have been read. */
  crc32: number;
}

export const NOTHING_VERIFIED: Verification = { object: 0, bytes: 0, crc32: 0 };

export interface TransferRecord extends Lifecycle {
  plan: TransferPlan;
  /** Epoch milliseconds. */
  startedAt: number;
  /** The next unused entry number. */
  nextEntry: number;
  /**
   * The bytes that count against the announced total: those of all entries, and of removed entries that had been
   * stored.
   */
  announcedBytes: number;
  /** Set once the transfer is ready. */
  finished: FinishedSizes | null;
  /** How far the large objects of the ready transfer have been verified; null when all have been. */
  verification: Verification | null;
}

export function newTransferRecord(plan: TransferPlan, now: number): TransferRecord {
  return { ...begin(now), plan, startedAt: now, nextEntry: 0, announcedBytes: 0, finished: null, verification: null };
}

/** Raises the announced totals. They never fall. */
export function growTotals(record: TransferRecord, entries: number, bytes: number): TransferRecord {
  const { plan } = record;
  const sizeBytes = Math.max(plan.lifetime.sizeBytes, bytes);
  return {
    ...record,
    plan: { ...plan, entries: Math.max(plan.entries, entries), lifetime: { ...plan.lifetime, sizeBytes } },
  };
}

export function changeLifetime(record: TransferRecord, lifetime: Omit<Lifetime, "sizeBytes">): TransferRecord {
  return { ...record, plan: { ...record.plan, lifetime: { ...record.plan.lifetime, ...lifetime } } };
}

/** @param sizeBytes the size of all entries that are not removed @returns epoch milliseconds; null for never */
export function expiryFrom({ plan }: TransferRecord, sizeBytes: number, now: number): number | null {
  return expiresAt({ ...plan.lifetime, sizeBytes }, now);
}

/** The time between two alarms while objects wait to be joined or wiped. */
const OBJECT_CHECK_MS = MINUTE_MS;

/**
 * How long after its end a transfer's large files are verified. A file that is not verified within this time keeps the
 * sender's checksums.
 */
const VERIFIED_WITHIN_MS = DAY_MS;

export type AlarmTask = "abandon" | "objects" | "complete" | "clean-up" | "verify" | "delete";

/**
 * @param hasObjectWork whether objects have to be joined, or removed entries to be wiped
 * @returns the task and its time, epoch milliseconds
 */
export function nextAlarmTask(
  record: TransferRecord,
  hasObjectWork: boolean,
  now: number,
): { task: AlarmTask; at: number } {
  if (record.phase === "completing") return { task: "complete", at: retryAt(record, now) };
  if (!isSettled(record)) {
    // Nothing is left of a link after its exact end, so its upload ends, too.
    const chosenEndMs = record.plan.lifetime.chosenEndMs ?? Infinity;
    const abandonAt = Math.min(abandonedAt(record), record.startedAt + UNFINISHED_LINK_TTL_MS, chosenEndMs);
    if (hasObjectWork && now + OBJECT_CHECK_MS < abandonAt) return { task: "objects", at: now + OBJECT_CHECK_MS };
    return { task: "abandon", at: abandonAt };
  }
  if (!record.cleanedUp) return { task: "clean-up", at: retryAt(record, now) };
  const settledAt = record.settledAt ?? now;
  if (record.verification && now < settledAt + VERIFIED_WITHIN_MS) {
    return { task: "verify", at: record.attempts === 0 ? now : retryAt(record, now) };
  }
  return { task: "delete", at: settledAt + SETTLED_SESSION_TTL_MS };
}
