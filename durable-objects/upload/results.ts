import type { ErrorCode } from "#domain/errors.ts";
import type { PartPlan } from "#domain/parts.ts";
import type { PartSum, UploadTransport } from "#domain/wire.ts";
import { isAppended, isSettled, transportOf, type UploadRecord } from "./state.ts";

/** RPC strips an error of its class, so rejections are values. */

export interface UploadRejection {
  ok: false;
  /** NO_UPLOAD: the session has no record of the upload, so the caller answers from D1. */
  code: ErrorCode | "NO_UPLOAD";
  message?: string;
  /** The first missing parts or chunks. */
  missing?: number[];
  /** Bytes. */
  maxChunkSize?: number;
}
export type StartResult = { ok: true; r2UploadId: string | null } | UploadRejection;
export type ReceivedParts =
  { ok: true; r2UploadId: string | null; received: number[]; parts: PartPlan } | UploadRejection;
/** `hasEvents`: this call has finished the upload, and webhooks are to be told. */
export type CompleteResult = { ok: true; expiresAt: number | null; hasEvents?: boolean } | UploadRejection;
export type ResumeResult =
  | {
      ok: true;
      r2UploadId: string | null;
      received: number[];
      parts: PartPlan;
      /** Null for an upload that does not come in chunks. */
      chunkSizeBytes: number | null;
      nextChunk: number;
      /** Of the received parts, and of the stored chunks of an upload in chunks. Absent for a plain upload. */
      marks?: { part: number; mark: string }[];
      /** Of the received parts that have one. Absent without any, and for a sealed upload. */
      sums?: PartSum[];
      chunkMarks?: { chunk: number; mark: string }[];
    }
  | UploadRejection;
export interface UploadStatus {
  progress: number;
  transport: UploadTransport;
}
export type ChunkResult = { ok: true; receivedChunks: number } | UploadRejection;
export type AppendResult =
  | {
      ok: true;
      offset: number;
      /** Until when the next byte has to come, in epoch milliseconds; null when none is missing. */
      expiresAt: number | null;
      /** Null as long as the sender has not said how much will come. */
      sizeBytes: number | null;
      hasEvents?: boolean;
    }
  | UploadRejection;
export type CancelResult = { ok: true } | UploadRejection;

export const MAX_MISSING_LISTED = 100;
export const NO_UPLOAD: UploadRejection = { ok: false, code: "NO_UPLOAD" };

/** The request is not the next one of its upload, or a later one has taken over. */
export const OFFSET_CONFLICT: UploadRejection = { ok: false, code: "OFFSET_CONFLICT" };

/** Its bytes are not those of one file, so the upload has failed. */
export const FILE_CHANGED: UploadRejection = { ok: false, code: "FILE_CHANGED" };

/** For a call of another transport than that of an upload to which bytes are appended, and the other way round. */
export const WRONG_ADDRESS: UploadRejection = {
  ok: false,
  code: "BAD_REQUEST",
  message: "An upload that was started with tus goes on at its tus address, and no other upload does.",
};

export const MARK_MISSING = {
  code: "BAD_REQUEST",
  message: "What is sent of an encrypted upload needs its mark.",
} as const;

export function uploadIncomplete(missing: number[]): UploadRejection {
  return { ok: false, code: "UPLOAD_INCOMPLETE", missing: missing.slice(0, MAX_MISSING_LISTED) };
}

/** Also for an upload that is completing. */
export function uploadClosed(record: UploadRecord): UploadRejection {
  return { ok: false, code: record.phase === "ready" ? "UPLOAD_FINISHED" : "UPLOAD_CLOSED" };
}

const WRONG_TRANSPORT: Record<UploadTransport, UploadRejection> = {
  parts: {
    ok: false,
    code: "BAD_REQUEST",
    message: "This upload does not come in chunks. Use the calls of /api/direct-upload for it.",
  },
  chunks: {
    ok: false,
    code: "BAD_REQUEST",
    message: "This upload comes in chunks. Use the calls of /api/chunked-upload for it.",
  },
};

/** Rejects a call of another transport than the upload's. */
export function checkTransport(record: UploadRecord, transport: UploadTransport): UploadRejection | null {
  if (isAppended(record)) return WRONG_ADDRESS;
  return transportOf(record) === transport ? null : WRONG_TRANSPORT[transportOf(record)];
}

export interface OpenUpload {
  ok: true;
  record: UploadRecord;
}

export function requireOpen(record: UploadRecord | null): OpenUpload | UploadRejection {
  if (!record) return NO_UPLOAD;
  return isSettled(record) || record.phase === "completing" ? uploadClosed(record) : { ok: true, record };
}
