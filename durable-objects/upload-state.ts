import type { Checksum } from "#domain/checksum.ts";
import { expiresAt, type Lifetime } from "#domain/expiry.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { UploadTransport } from "#domain/wire.ts";
import { ABANDONED_AFTER_MS, SETTLED_SESSION_TTL_MS } from "#domain/upload-lifetime.ts";

/** One upload as a pure state machine: nothing here reads a clock, a store or a socket. */

const FIRST_RETRY_MS = 5 * SECOND_MS;
const COMPLETION_ATTEMPTS = 70;
const LONGEST_RETRY_MS = 10 * 60 * SECOND_MS;

export interface UploadPlan {
  fileId: string;
  filename: string;
  contentType: string;
  lifetime: Lifetime;
  /** Every part but the last holds so many bytes; null for a file that goes up in one PUT. */
  partSizeBytes: number | null;
  /** Every chunk but the last holds so many bytes; null for an upload that does not come in chunks. */
  chunkSizeBytes: number | null;
}

export type FinalPhase = "ready" | "failed" | "cancelled";
export type Phase = "created" | "uploading" | "completing" | FinalPhase;

export interface UploadRecord {
  plan: UploadPlan;
  phase: Phase;
  /** The store's id of the multipart upload; null for a single PUT. */
  r2UploadId: string | null;
  /** Why it ended without a file, for the audit log. */
  endCode: string | null;
  /** What was said of the whole file's bytes, before storage was asked. */
  checksum: Checksum | null;
  /** Epoch milliseconds of the start or the last receipt. */
  lastReceiptAt: number;
  /** Epoch milliseconds of the final phase. */
  settledAt: number | null;
  /** The finished file's expiry, epoch milliseconds. */
  expiresAt: number | null;
  /** Whether the finished file is still to be hashed here. */
  hashDue: boolean;
  /** Whether what a failed or cancelled upload left in storage and in the quota has been given back. */
  cleanedUp: boolean;
  /** Whether its row is known to have ended, although the rest of its clean-up has failed; left out until then. */
  released?: boolean;
  /** Attempts of the work that the alarm repeats until it succeeds. */
  attempts: number;
}

export function startUpload(plan: UploadPlan, r2UploadId: string | null, now: number): UploadRecord {
  return {
    plan,
    phase: "created",
    r2UploadId,
    endCode: null,
    checksum: null,
    lastReceiptAt: now,
    settledAt: null,
    expiresAt: null,
    hashDue: false,
    cleanedUp: true,
    attempts: 0,
  };
}

/** Whether its bytes come as parts or as chunks. */
export function transportOf({ plan }: UploadRecord): UploadTransport {
  return plan.chunkSizeBytes === null ? "parts" : "chunks";
}

export function isSettled(record: UploadRecord): boolean {
  return record.settledAt !== null;
}

export function partCountOf(record: UploadRecord): number {
  const { partSizeBytes, lifetime } = record.plan;
  return partSizeBytes === null ? 1 : Math.ceil(lifetime.sizeBytes / partSizeBytes);
}

/** Notes a sign of life. A finished or finishing upload is not touched. */
export function recordReceipt(record: UploadRecord, now: number): UploadRecord {
  if (record.phase !== "created" && record.phase !== "uploading") return record;
  return { ...record, phase: "uploading", lastReceiptAt: now };
}

/** The expiration is the sender's latest choice: whoever goes on with an upload may have chosen anew. */
export function changeLifetime(record: UploadRecord, lifetime: Lifetime): UploadRecord {
  return { ...record, plan: { ...record.plan, lifetime } };
}

/** The parts that storage is not known to have, in order. A single PUT has no receipts: storage itself is asked. */
export function missingParts(record: UploadRecord, received: ReadonlySet<number>): number[] {
  if (record.plan.partSizeBytes === null) return [];
  const missing: number[] = [];
  for (let part = 1; part <= partCountOf(record); part += 1) if (!received.has(part)) missing.push(part);
  return missing;
}

/** Percent of the file that storage is known to have, rounded down. */
export function receivedPercent(record: UploadRecord, received: Iterable<number>): number {
  const { partSizeBytes, lifetime } = record.plan;
  const { sizeBytes } = lifetime;
  if (record.phase === "ready") return 100;
  if (sizeBytes === 0 || partSizeBytes === null) return 0;
  let bytes = 0;
  for (const part of received) bytes += Math.min(partSizeBytes, sizeBytes - (part - 1) * partSizeBytes);
  return Math.floor((100 * bytes) / sizeBytes);
}

export function beginCompletion(record: UploadRecord, checksum: Checksum | null): UploadRecord {
  return { ...record, phase: "completing", checksum, attempts: 0 };
}

/** Back to uploading: the store lacks parts that were said to be there. */
export function reopen(record: UploadRecord, now: number): UploadRecord {
  return { ...record, phase: "uploading", lastReceiptAt: now };
}

/** The file's expiry counts from the moment its bytes were found whole. */
export function expiryFrom(record: UploadRecord, now: number): number | null {
  return expiresAt(record.plan.lifetime, now);
}

/** @param checksum the file's, where it is known: one that came in chunks is hashed once it is whole */
export function settleReady(
  record: UploadRecord,
  checksum: Checksum | null,
  expiresAtMs: number | null,
  now: number,
): UploadRecord {
  const hashDue = checksum === null && transportOf(record) === "chunks";
  return { ...record, phase: "ready", settledAt: now, expiresAt: expiresAtMs, hashDue, cleanedUp: true, attempts: 0 };
}

export function recordHashed(record: UploadRecord): UploadRecord {
  return { ...record, hashDue: false, attempts: 0 };
}

export function settleEnded(
  record: UploadRecord,
  phase: "failed" | "cancelled",
  endCode: string,
  now: number,
): UploadRecord {
  return { ...record, phase, endCode, settledAt: now, cleanedUp: false, attempts: 0 };
}

export function recordCleanedUp(record: UploadRecord): UploadRecord {
  return { ...record, cleanedUp: true, attempts: 0 };
}

export function recordAttempt(record: UploadRecord): UploadRecord {
  return { ...record, attempts: record.attempts + 1 };
}

/** Whether a completion has failed so often, over some ten hours, that it never will succeed. */
export function isHopeless(record: UploadRecord): boolean {
  return record.attempts >= COMPLETION_ATTEMPTS;
}

/** A file is read so often for its checksum, and goes without one after that. */
const HASH_ATTEMPTS = 5;

/** What the alarm has to do. */
export type AlarmTask = "abandon" | "complete" | "clean-up" | "hash" | "forget";

/** The next duty and when it falls due, epoch milliseconds. Work that is repeated waits longer each time. */
export function nextAlarmTask(record: UploadRecord, now: number): { task: AlarmTask; at: number } {
  const retryAt = now + Math.min(FIRST_RETRY_MS * 2 ** record.attempts, LONGEST_RETRY_MS);
  if (record.phase === "completing") return { task: "complete", at: retryAt };
  if (!isSettled(record)) return { task: "abandon", at: record.lastReceiptAt + ABANDONED_AFTER_MS };
  if (record.hashDue && record.attempts < HASH_ATTEMPTS) {
    return { task: "hash", at: record.attempts === 0 ? now : retryAt };
  }
  if (!record.cleanedUp) return { task: "clean-up", at: retryAt };
  return { task: "forget", at: (record.settledAt ?? now) + SETTLED_SESSION_TTL_MS };
}
