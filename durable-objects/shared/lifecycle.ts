import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import { ABANDONED_AFTER_MS, SILENT_START_MS } from "#domain/upload-lifetime.ts";

/** The phases of an upload of one file or of a transfer, as pure functions. */

const FIRST_RETRY_MS = 5 * SECOND_MS;
const MAX_RETRY_MS = 10 * 60 * SECOND_MS;
/**
 * A completion is given up after this time and not after a number of attempts, because clients can make as many
 * attempts as they like.
 */
const COMPLETION_GIVEN_UP_AFTER_MS = 10 * HOUR_MS;

export type FinalPhase = "ready" | "failed" | "cancelled";
export type Phase = "created" | "uploading" | "completing" | FinalPhase;

export interface Lifecycle {
  phase: Phase;
  /** The audit log's code for a failed or cancelled upload. */
  endCode: string | null;
  /** Epoch milliseconds of the start, or of the last completed part, chunk or resume. */
  lastReceiptAt: number;
  /** Epoch milliseconds; absent before the completion. */
  completingSince?: number;
  settledAt: number | null;
  /** Epoch milliseconds. */
  expiresAt: number | null;
  /** False as long as a failed or cancelled upload still holds storage or quota. */
  cleanedUp: boolean;
  /** True once the upload's row and quota are released: a repeated clean-up skips both. */
  released?: boolean;
  /** How often the alarm has tried its current task. */
  attempts: number;
}

/** What an upload's plan says of how the upload was started. */
export interface Origin {
  /** Whether a stranger to the account sends the upload through an upload request. Absent for all other uploads. */
  isThroughRequest?: boolean;
}

export function begin(now: number): Lifecycle {
  return {
    phase: "created",
    endCode: null,
    lastReceiptAt: now,
    settledAt: null,
    expiresAt: null,
    cleanedUp: true,
    attempts: 0,
  };
}

export function isSettled(record: Lifecycle): boolean {
  return record.settledAt !== null;
}

/** Delays the upload's abandonment. Changes nothing once the upload is completing or has ended. */
export function recordActivity<Record extends Lifecycle>(record: Record, now: number): Record {
  if (record.phase !== "created" && record.phase !== "uploading") return record;
  return { ...record, phase: "uploading", lastReceiptAt: now };
}

/**
 * Notes that the sender resumes the upload, which delays its abandonment. If the upload was started through an upload
 * request and nothing has arrived yet, its time of abandonment stays.
 */
export function recordResumed<Record extends Lifecycle & { plan: Origin }>(record: Record, now: number): Record {
  return isSilentStart(record) ? record : recordActivity(record, now);
}

/** @returns when an open upload is abandoned if nothing more arrives, epoch milliseconds */
export function abandonedAt(record: Lifecycle & { plan: Origin }): number {
  return record.lastReceiptAt + (isSilentStart(record) ? SILENT_START_MS : ABANDONED_AFTER_MS);
}

function isSilentStart({ phase, plan }: Lifecycle & { plan: Origin }): boolean {
  return phase === "created" && plan.isThroughRequest === true;
}

/** After this time without a completed part, readers do not keep the object awake. */
const SILENT_AFTER_MS = MINUTE_MS;

export function isSilent({ lastReceiptAt }: Lifecycle, now: number): boolean {
  return now - lastReceiptAt >= SILENT_AFTER_MS;
}

/** Reopens an upload whose completed parts are missing in storage. */
export function reopen<Record extends Lifecycle>(record: Record, now: number): Record {
  return { ...record, phase: "uploading", lastReceiptAt: now };
}

export function startCompleting<Record extends Lifecycle>(record: Record, now: number): Record {
  return { ...record, phase: "completing", completingSince: now, attempts: 0 };
}

export function settle<Record extends Lifecycle>(record: Record, expiresAt: number | null, now: number): Record {
  return { ...record, phase: "ready", settledAt: now, expiresAt, cleanedUp: true, attempts: 0 };
}

export function markEnded<Record extends Lifecycle>(
  record: Record,
  phase: "failed" | "cancelled",
  endCode: string,
  now: number,
): Record {
  return { ...record, phase, endCode, settledAt: now, cleanedUp: false, attempts: 0 };
}

export function recordCleanedUp<Record extends Lifecycle>(record: Record): Record {
  return { ...record, cleanedUp: true, attempts: 0 };
}

export function recordAttempt<Record extends Lifecycle>(record: Record): Record {
  return { ...record, attempts: record.attempts + 1 };
}

/** Whether a completion is given up after one more failure. */
export function isOutOfTime({ completingSince, lastReceiptAt }: Lifecycle, now: number): boolean {
  return now - (completingSince ?? lastReceiptAt) >= COMPLETION_GIVEN_UP_AFTER_MS;
}

/** The time of the next attempt. The wait doubles with each failed attempt. @returns epoch milliseconds */
export function retryAt({ attempts }: Pick<Lifecycle, "attempts">, now: number): number {
  return now + Math.min(FIRST_RETRY_MS * 2 ** attempts, MAX_RETRY_MS);
}
