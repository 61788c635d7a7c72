import type { Checksum } from "#domain/checksum.ts";
import { expiresAt, type Lifetime } from "#domain/expiry.ts";
import type { PartPlan } from "#domain/parts.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { UploadTransport } from "#domain/wire.ts";
import { ABANDONED_AFTER_MS, SETTLED_SESSION_TTL_MS } from "#domain/upload-lifetime.ts";

/** An upload's state machine, as pure functions: no clock, storage or socket. */

const FIRST_RETRY_MS = 5 * SECOND_MS;
const MAX_RETRY_MS = 10 * 60 * SECOND_MS;
/** About ten hours of retries. */
const MAX_COMPLETION_ATTEMPTS = 70;
/** Afterwards the file stays without a checksum. */
const MAX_HASH_ATTEMPTS = 5;

export interface UploadPlan {
  fileId: string;
  filename: string;
  contentType: string;
  lifetime: Lifetime;
  /** Null for a single PUT. Fixed at the start, even if a later release uses another size. */
  partSizeBytes: number | null;
  /** Null for an upload that does not come in chunks. */
  chunkSizeBytes: number | null;
}

export type FinalPhase = "ready" | "failed" | "cancelled";
type Phase = "created" | "uploading" | "completing" | FinalPhase;

export interface UploadRecord {
  plan: UploadPlan;
  phase: Phase;
  /** Null for a single PUT. */
  r2UploadId: string | null;
  /** The audit log's code for a failed or cancelled upload. */
  endCode: string | null;
  /** From the browser. */
  checksum: Checksum | null;
  /** Epoch milliseconds of the start or the last receipt. */
  lastReceiptAt: number;
  settledAt: number | null;
  /** Epoch milliseconds. */
  expiresAt: number | null;
  hashDue: boolean;
  /** Whether storage and quota of a failed or cancelled upload are free. */
  cleanedUp: boolean;
  /** True once row and quota are released: a repeated clean-up skips them. */
  released?: boolean;
  /** Of the alarm's current task. */
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

export function transportOf({ plan }: UploadRecord): UploadTransport {
  return plan.chunkSizeBytes === null ? "parts" : "chunks";
}

export function isSettled(record: UploadRecord): boolean {
  return record.settledAt !== null;
}

/** A single PUT is one part. */
export function partsOf({ plan }: UploadRecord): PartPlan {
  const { partSizeBytes, lifetime } = plan;
  if (partSizeBytes === null) return { partSizeBytes: lifetime.sizeBytes, partCount: 1 };
  return { partSizeBytes, partCount: Math.ceil(lifetime.sizeBytes / partSizeBytes) };
}

/** Delays the upload's abandonment. Changes nothing once it is completing or has ended. */
export function recordReceipt(record: UploadRecord, now: number): UploadRecord {
  if (record.phase !== "created" && record.phase !== "uploading") return record;
  return { ...record, phase: "uploading", lastReceiptAt: now };
}

export function changeLifetime(record: UploadRecord, lifetime: Lifetime): UploadRecord {
  return { ...record, plan: { ...record.plan, lifetime } };
}

/** Empty for a single PUT, which has no receipts: R2 decides. */
export function missingParts(record: UploadRecord, received: ReadonlySet<number>): number[] {
  if (record.plan.partSizeBytes === null) return [];
  const missing: number[] = [];
  const { partCount } = partsOf(record);
  for (let part = 1; part <= partCount; part += 1) if (!received.has(part)) missing.push(part);
  return missing;
}

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

/** R2 lacks parts that have receipts. */
export function reopen(record: UploadRecord, now: number): UploadRecord {
  return { ...record, phase: "uploading", lastReceiptAt: now };
}

export function expiryFrom(record: UploadRecord, now: number): number | null {
  return expiresAt(record.plan.lifetime, now);
}

/** @param checksum null for a file in chunks: the alarm hashes it */
export function markReady(
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

export function markEnded(
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

export function isOutOfAttempts(record: UploadRecord): boolean {
  return record.attempts >= MAX_COMPLETION_ATTEMPTS;
}

export type AlarmTask = "abandon" | "complete" | "clean-up" | "hash" | "delete";

/** The wait doubles with each failed attempt. `at`: epoch milliseconds. */
export function nextAlarmTask(record: UploadRecord, now: number): { task: AlarmTask; at: number } {
  const retryAt = now + Math.min(FIRST_RETRY_MS * 2 ** record.attempts, MAX_RETRY_MS);
  if (record.phase === "completing") return { task: "complete", at: retryAt };
  if (!isSettled(record)) return { task: "abandon", at: record.lastReceiptAt + ABANDONED_AFTER_MS };
  if (record.hashDue && record.attempts < MAX_HASH_ATTEMPTS) {
    return { task: "hash", at: record.attempts === 0 ? now : retryAt };
  }
  if (!record.cleanedUp) return { task: "clean-up", at: retryAt };
  return { task: "delete", at: (record.settledAt ?? now) + SETTLED_SESSION_TTL_MS };
}
