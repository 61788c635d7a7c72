import type { ErrorCode } from "#domain/errors.ts";
import type { UploadTransport } from "#domain/wire.ts";
import { isSettled, transportOf, type UploadRecord } from "./upload-state.ts";

/** What an upload answers to its calls. Errors do not cross an RPC with their class, so refusals are values. */

/** Why a call to an upload was refused. NO_UPLOAD: the object remembers none, so D1 has to answer. */
export interface Refusal {
  ok: false;
  code: ErrorCode | "NO_UPLOAD";
  /** Says more than the code does. */
  message?: string;
  /** Parts, or chunks, that are still missing, where that is why: the first hundred. */
  missing?: number[];
  /** Bytes, where a chunk was too large. */
  maxChunkSize?: number;
}
export type Started = { ok: true; r2UploadId: string | null } | Refusal;
export type Signable = { ok: true; r2UploadId: string | null; received: number[] } | Refusal;
export type Completed = { ok: true; expiresAt: number | null } | Refusal;
export type Resumed =
  | {
      ok: true;
      r2UploadId: string | null;
      received: number[];
      /** Null for an upload that does not come in chunks. */
      chunkSizeBytes: number | null;
      /** The first chunk that has not come, from 0. */
      nextChunk: number;
    }
  | Refusal;
export interface UploadStatus {
  /** Percent of the file that has arrived. */
  progress: number;
  transport: UploadTransport;
}
export type ChunkTaken = { ok: true; receivedChunks: number } | Refusal;
export type Cancelled = { ok: true } | Refusal;

/** Of what is missing, so many are named. */
export const MISSING_NAMED = 100;
export const NO_UPLOAD: Refusal = { ok: false, code: "NO_UPLOAD" };

/** Some of the file has not come yet. */
export function incomplete(missing: number[]): Refusal {
  return { ok: false, code: "UPLOAD_INCOMPLETE", missing: missing.slice(0, MISSING_NAMED) };
}

/** Why an upload that has ended, or is ending, takes nothing any more. */
export function refusalFor(record: UploadRecord): Refusal {
  return { ok: false, code: record.phase === "ready" ? "UPLOAD_FINISHED" : "UPLOAD_CLOSED" };
}

const TRANSPORT_REFUSALS: Record<UploadTransport, Refusal> = {
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

/** @returns why a call that belongs to that road is refused; null where the upload takes it */
export function refusalForTransport(record: UploadRecord, transport: UploadTransport): Refusal | null {
  return transportOf(record) === transport ? null : TRANSPORT_REFUSALS[transportOf(record)];
}

/** The upload, if it still takes bytes; else why not. */
export function stillOpen(record: UploadRecord | null): UploadRecord | Refusal {
  if (!record) return NO_UPLOAD;
  return isSettled(record) || record.phase === "completing" ? refusalFor(record) : record;
}
