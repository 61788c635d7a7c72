import type { ErrorCode, LocalizedMessage } from "#domain/errors.ts";
import type { Runs } from "#domain/transfers/runs.ts";
import type { ReceivedObject } from "#domain/wire.ts";
import type { MultipartUpload } from "../shared/segments.ts";
import type { FinishedSizes } from "./state.ts";

/** A rejection is a value, because RPC loses the class of an error. */
export interface TransferRejection {
  ok: false;
  /** NO_UPLOAD: the session has no record of the transfer, so the caller answers from D1. */
  code: ErrorCode | "NO_UPLOAD";
  localizedMessage?: LocalizedMessage;
  /** A sentence for developers, which is not translated. */
  message?: string;
  /** The position in the batch's list of entries. */
  index?: number;
  /** The first missing entries. `missingCount` is the number of all missing entries. */
  missing?: number[];
  missingCount?: number;
  retryAfterSeconds?: number;
}

/** The values with which the Worker signs URLs of an object's parts. */
export interface PartsToSign {
  object: number;
  /** The multipart uploads that take the parts. */
  uploads: MultipartUpload[];
  sizeBytes: number;
  partSizeBytes: number;
  parts: number[];
}

export interface TransferState {
  /** The number of entries that have been announced so far. */
  entries: number;
  stored: Runs;
  received: ReceivedObject[];
  again: number[];
  /** The bytes that count against the announced total. */
  announcedBytes: number;
  next: { entry: number; object: number };
}

/** The mark of a sealed entry in a part. A sender that resumes the transfer compares the mark with its own file. */
export interface EntryMark {
  n: number;
  /** From 1. */
  part: number;
  mark: string;
}

export interface TransferStatus extends TransferState {
  /** Percent. */
  progress: number;
  /** The number of entries with a picture. */
  pictures: number;
}

export type BatchResult =
  | {
      ok: true;
      state: TransferState;
      opened: { object: number; partSizeBytes: number; partCount: number }[];
      toSign: PartsToSign[];
    }
  | TransferRejection;

interface FinishedTransfer extends FinishedSizes {
  ok: true;
  /** Epoch milliseconds; null for never. */
  expiresAt: number | null;
}
export type FinishResult = FinishedTransfer | TransferRejection;

/** `marks` is absent for a plain transfer. */
export type TransferResumeResult = { ok: true; state: TransferState; marks?: EntryMark[] } | TransferRejection;

/** Where the Worker stores a part that is sent through it. */
export type PartTarget =
  | {
      ok: true;
      lengthBytes: number;
      /** Null for a part that is stored for good. */
      upload: MultipartUpload | null;
      /** The ETag of a part that is stored for good; else null. */
      storedEtag: string | null;
    }
  | TransferRejection;

export const NO_TRANSFER: TransferRejection = { ok: false, code: "NO_UPLOAD" };

/** Rolls a transaction back. The call answers with the error's rejection. */
export class TransferRejectedError extends Error {
  readonly rejection: TransferRejection;

  constructor(rejection: Omit<TransferRejection, "ok">) {
    super(rejection.code);
    this.rejection = { ok: false, ...rejection };
  }
}

/** @param name the name of the sentence in `messages/en/errors.ts` */
export function reject(
  code: ErrorCode,
  name: string,
  values: LocalizedMessage["values"] = {},
  more: Pick<TransferRejection, "index"> = {},
): TransferRejectedError {
  return new TransferRejectedError({ code, localizedMessage: { group: "errors", name, values }, ...more });
}
