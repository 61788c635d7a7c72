import type { ErrorCode } from "#domain/errors.ts";
import { closedCode } from "#domain/upload-lifetime.ts";
import type { PartPlan } from "#domain/parts.ts";
import type { PartSum, UploadTransport } from "#domain/wire.ts";
import type { PartEtag } from "#worker/storage/objects.ts";
import type { MultipartUpload } from "../shared/segments.ts";
import { isAppended, isSettled, transportOf, type UploadRecord } from "./state.ts";

/** A rejection is a value, because RPC loses the class of an error. */

export interface UploadRejection {
  ok: false;
  /** NO_UPLOAD: the session has no record of the upload, so the caller answers from D1. */
  code: ErrorCode | "NO_UPLOAD";
  message?: string;
  /** The first missing parts or chunks. */
  missing?: number[];
  /** The largest allowed chunk, in bytes. */
  maxChunkSize?: number;
}

export type StartResult =
  /** `uploads`: those that take the first parts; null for a single PUT. */
  { ok: true; uploads: MultipartUpload[] | null } | UploadRejection;
export type ReceivedParts =
  | {
      ok: true;
      /** Those that take the wanted parts; null for a single PUT. */
      uploads: MultipartUpload[] | null;
      /** The wanted parts that no upload takes any more, because their segment has all its parts. */
      closed: PartEtag[];
      received: number[];
      parts: PartPlan;
    }
  | UploadRejection;
export type CompleteResult = { ok: true; expiresAt: number | null } | UploadRejection;
export type ResumeResult =
  | {
      ok: true;
      /** Those that take the first missing parts; null for a single PUT. */
      uploads: MultipartUpload[] | null;
      received: number[];
      parts: PartPlan;
      /** Null for an upload that does not come in chunks. */
      chunkSizeBytes: number | null;
      nextChunk: number;
      /** The marks of the received parts. Absent for a plain upload, which also has no `chunkMarks`. */
      marks?: { part: number; mark: string }[];
      /** The sums of the received parts that have one. Absent without any, and for a sealed upload. */
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
      /** When the upload is abandoned if no byte comes, in epoch milliseconds; null when no byte is missing. */
      expiresAt: number | null;
      /** Null until the sender says the size. */
      sizeBytes: number | null;
    }
  | UploadRejection;
/** `storedTo`: where the bytes end that can be read. */
export type FollowResult = { ok: true; isReady: boolean; storedTo: number } | UploadRejection;
export type CancelResult = { ok: true } | UploadRejection;

export const MAX_MISSING_LISTED = 100;
export const NO_UPLOAD: UploadRejection = { ok: false, code: "NO_UPLOAD" };

/** The request's offset is wrong, or a later request has taken over. */
export const OFFSET_CONFLICT: UploadRejection = { ok: false, code: "OFFSET_CONFLICT" };

/** The parts do not have the bytes of one file, so the upload has failed. */
export const FILE_CHANGED: UploadRejection = { ok: false, code: "FILE_CHANGED" };

export const STORAGE_UNAVAILABLE = { ok: false, code: "STORAGE_UNAVAILABLE" } as const satisfies UploadRejection;

export const TOO_MANY_FOLLOWERS: UploadRejection = { ok: false, code: "TOO_MANY_FOLLOWERS" };

/** For a tus call to an upload that was not started with tus, and for any other call to one that was. */
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

/** The rejection of a call to an upload that is completing or has ended. */
export function uploadClosed(record: UploadRecord): UploadRejection {
  return { ok: false, code: record.phase === "ready" ? "UPLOAD_FINISHED" : closedCode(record.endCode) };
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

/** @returns a rejection if the call's transport is not the upload's; else null */
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
