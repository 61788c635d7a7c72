import { joinCrc32, type Checksum } from "#domain/checksums.ts";
import { expiresAt, type Lifetime } from "#domain/expiry.ts";
import { partLength, type PartPlan } from "#domain/parts.ts";
import { MINUTE_MS } from "#domain/units.ts";
import { SETTLED_SESSION_TTL_MS, UNFINISHED_LINK_TTL_MS } from "#domain/upload-lifetime.ts";
import type { PartSum, UploadTransport } from "#domain/wire.ts";
import type { Sha256State } from "#worker/storage/sha256.ts";
import {
  abandonedAt,
  begin,
  isSettled,
  retryAt,
  settle,
  startCompleting,
  type Lifecycle,
  type Origin,
} from "../shared/lifecycle.ts";
import type { SegmentedFile } from "../shared/segment-store.ts";

export * from "../shared/lifecycle.ts";

/** The state machine of a single file's upload, as pure functions: no clock, storage or socket. */

/** After this many attempts in a row, the file stays without a checksum. */
const MAX_HASH_ATTEMPTS = 5;

export interface UploadPlan extends Origin {
  fileId: string;
  filename: string;
  contentType: string;
  lifetime: Lifetime;
  /** Null for a single PUT. Fixed at the start, even if a later release uses another size. */
  partSizeBytes: number | null;
  /** Null for an upload that does not come in chunks. */
  chunkSizeBytes: number | null;
  /** Encrypted end to end, so completed parts and chunks carry marks. Absent in a record of an earlier release. */
  isSealed?: boolean;
  /** Bytes are appended in requests of any length (tus). The session cuts them into chunks. */
  isAppended?: boolean;
  /**
   * True until the sender says the size: `lifetime.sizeBytes` is then the reserved size. False after that. Absent for
   * an upload that was started with its size.
   */
  isOpenEnded?: boolean;
  /** The ETag of a file in segments, which its row has from the start. Absent for a file that becomes one object. */
  etag?: string;
}

export interface UploadRecord extends Lifecycle {
  plan: UploadPlan;
  /** Epoch milliseconds. Absent in a record of an earlier release. */
  startedAt?: number;
  /** Null for a single PUT, and for a file in segments, each of which has its own. */
  r2UploadId: string | null;
  /** The checksum that the browser has computed. */
  checksum: Checksum | null;
  /** Discards bytes with another checksum. Absent: the checksum of the stored bytes counts. */
  mustMatch?: boolean;
  hashDue: boolean;
  /** How far the hash has got. Absent before its first bite and for a file of one bite. */
  hashed?: Sha256State;
  /** Chunks from this number on are dropped unless the checksum of the current request matches. */
  provisionalFrom?: number;
}

export function newUploadRecord(plan: UploadPlan, r2UploadId: string | null, now: number): UploadRecord {
  return { ...begin(now), plan, startedAt: now, r2UploadId, checksum: null, hashDue: false };
}

/** Whether the file is stored as several objects, and so can be read while it uploads (decision 055). */
export function isSegmented({ plan }: UploadRecord): boolean {
  return plan.etag !== undefined;
}

/** The segments of an upload whose file is stored as several objects. */
export function segmentedFileOf(record: UploadRecord): SegmentedFile {
  const { fileId, contentType, lifetime } = record.plan;
  return { fileId, contentType, storedFrom: 0, sizeBytes: lifetime.sizeBytes, ...partsOf(record) };
}

export function transportOf({ plan }: UploadRecord): UploadTransport {
  return plan.chunkSizeBytes === null ? "parts" : "chunks";
}

/** Whether the sender's completed parts need marks. In an upload in chunks, the chunks carry the marks. */
export function needsMarks(record: UploadRecord): boolean {
  return record.plan.isSealed === true && transportOf(record) === "parts";
}

export function isAppended({ plan }: UploadRecord): boolean {
  return plan.isAppended === true;
}

export function isOpenEnded({ plan }: UploadRecord): boolean {
  return plan.isOpenEnded === true;
}

/** Raises the size of an open-ended upload. @param reservedBytes ignored if less than the present size */
export function reserve(record: UploadRecord, reservedBytes: number): UploadRecord {
  return withSize(record, Math.max(record.plan.lifetime.sizeBytes, reservedBytes));
}

/** Sets the size of an upload that was started without one. */
export function closeEnd({ plan, ...record }: UploadRecord, sizeBytes: number): UploadRecord {
  return withSize({ ...record, plan: { ...plan, isOpenEnded: false } }, sizeBytes);
}

function withSize(record: UploadRecord, sizeBytes: number): UploadRecord {
  return changeLifetime(record, { ...record.plan.lifetime, sizeBytes });
}

/** Changes the upload of an empty file into a single PUT, because it has no part. */
export function withoutParts({ plan, ...record }: UploadRecord): UploadRecord {
  return { ...record, r2UploadId: null, plan: { ...plan, partSizeBytes: null } };
}

/** Begins a request with a checksum. @param chunk the first one that the request may store */
export function beginProvisional(record: UploadRecord, chunk: number): UploadRecord {
  return { ...record, provisionalFrom: chunk };
}

/** Confirms the chunks of a request with a checksum. */
export function endProvisional(record: UploadRecord): UploadRecord {
  const firm = { ...record };
  delete firm.provisionalFrom;
  return firm;
}

/** The parts of an upload. A single PUT counts as one part. */
export function partsOf({ plan }: UploadRecord): PartPlan {
  const { partSizeBytes, lifetime } = plan;
  if (partSizeBytes === null) return { partSizeBytes: lifetime.sizeBytes, partCount: 1 };
  return { partSizeBytes, partCount: Math.ceil(lifetime.sizeBytes / partSizeBytes) };
}

export function changeLifetime(record: UploadRecord, lifetime: Lifetime): UploadRecord {
  return { ...record, plan: { ...record.plan, lifetime } };
}

/** The missing parts. Empty for a single PUT: only R2 knows whether it has arrived. */
export function missingParts(record: UploadRecord, received: ReadonlySet<number>): number[] {
  if (record.plan.partSizeBytes === null) return [];
  const missing: number[] = [];
  const { partCount } = partsOf(record);
  for (let part = 1; part <= partCount; part += 1) if (!received.has(part)) missing.push(part);
  return missing;
}

/**
 * Whether the parts are not those of one file. @param sums of the completed parts @param crc32 of the file, in
 * hexadecimal @returns false while a part has no sum
 */
export function isOtherFile(record: UploadRecord, sums: readonly PartSum[], crc32: string): boolean {
  const { partSizeBytes, partCount } = partsOf(record);
  if (record.phase === "completing" || isSettled(record) || sums.length < partCount) return false;
  const { sizeBytes } = record.plan.lifetime;
  const joined = sums.reduce(
    (sum, { part, crc32: ofPart }) =>
      joinCrc32(sum, Number.parseInt(ofPart, 16), partLength(sizeBytes, part, partSizeBytes)),
    0,
  );
  return joined !== Number.parseInt(crc32, 16);
}

export function receivedPercent(record: UploadRecord, received: Iterable<number>): number {
  const { partSizeBytes, lifetime } = record.plan;
  const { sizeBytes } = lifetime;
  if (record.phase === "ready") return 100;
  if (isOpenEnded(record)) return 0;
  if (sizeBytes === 0 || partSizeBytes === null) return 0;
  let bytes = 0;
  for (const part of received) bytes += Math.min(partSizeBytes, sizeBytes - (part - 1) * partSizeBytes);
  return Math.floor((100 * bytes) / sizeBytes);
}

/**
 * The percentage of an upload in chunks. @param receivedChunks the number of stored chunks
 * @returns 0 for an open-ended upload
 */
export function chunksPercent({ plan }: UploadRecord, receivedChunks: number): number {
  const { sizeBytes } = plan.lifetime;
  if (sizeBytes === 0 || plan.isOpenEnded === true) return 0;
  return Math.floor((100 * Math.min(receivedChunks * (plan.chunkSizeBytes ?? 0), sizeBytes)) / sizeBytes);
}

export function beginCompletion(
  record: UploadRecord,
  checksum: Checksum | null,
  mustMatch: boolean,
  now: number,
): UploadRecord {
  return { ...startCompleting(record, now), checksum, mustMatch };
}

export function expiryFrom(record: UploadRecord, now: number): number | null {
  return expiresAt(record.plan.lifetime, now);
}

/**
 * Makes the record ready.
 * @param checksum null for a file in chunks: the alarm then hashes a plain file
 * @param needsServerSum the alarm also hashes a plain file whose sum its sender has told
 */
export function recordReady(
  record: UploadRecord,
  checksum: Checksum | null,
  expiresAtMs: number | null,
  now: number,
  needsServerSum = false,
): UploadRecord {
  const hasSum = needsServerSum ? checksum?.source === "server" : checksum !== null || transportOf(record) === "parts";
  const hashDue = !hasSum && !record.plan.isSealed;
  return { ...settle(record, expiresAtMs, now), hashDue };
}

/** Stores how far the hash has got; the alarm goes on at once. */
export function recordBite(record: UploadRecord, hashed: Sha256State): UploadRecord {
  return { ...record, hashed, attempts: 0 };
}

export function recordHashed(record: UploadRecord): UploadRecord {
  const done = { ...record, hashDue: false, attempts: 0 };
  delete done.hashed;
  return done;
}

/** The time between two alarms while segments wait to be joined. */
const JOIN_CHECK_MS = MINUTE_MS;

/** When an unfinished upload ends, if it does not become ready and no byte comes. @returns epoch milliseconds */
export function endsAt(record: UploadRecord): number {
  const { startedAt, lastReceiptAt } = record;
  // Nothing is left of a link after its exact end, so its upload ends, too.
  const at = Math.min(abandonedAt(record), record.plan.lifetime.chosenEndMs ?? Infinity);
  if (!isSegmented(record)) return at;
  // Its bytes can be read, so it also ends when bytes still come.
  return Math.min(at, (startedAt ?? lastReceiptAt) + UNFINISHED_LINK_TTL_MS);
}

export type AlarmTask = "abandon" | "join" | "complete" | "clean-up" | "hash" | "delete";

/**
 * The next task of the alarm. The wait doubles with each failed attempt. @param hasJoins whether segments wait to be
 * joined @returns `at`: epoch milliseconds
 */
export function nextAlarmTask(record: UploadRecord, now: number, hasJoins = false): { task: AlarmTask; at: number } {
  const again = retryAt(record, now);
  if (record.phase === "completing") return { task: "complete", at: again };
  if (!isSettled(record)) {
    const at = endsAt(record);
    if (hasJoins && now + JOIN_CHECK_MS < at) return { task: "join", at: now + JOIN_CHECK_MS };
    return { task: "abandon", at };
  }
  if (record.hashDue && record.attempts < MAX_HASH_ATTEMPTS) {
    return { task: "hash", at: record.attempts === 0 ? now : again };
  }
  if (!record.cleanedUp) return { task: "clean-up", at: again };
  return { task: "delete", at: (record.settledAt ?? now) + SETTLED_SESSION_TTL_MS };
}
