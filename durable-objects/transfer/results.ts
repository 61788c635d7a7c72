import type { ErrorCode, LocalizedMessage } from "#domain/errors.ts";
import type { Runs } from "#domain/transfers/runs.ts";
import type { ReceivedObject } from "#domain/wire.ts";
import type { FinishedSizes } from "./state.ts";

/** RPC strips an error of its class, so rejections are values. */
export interface TransferRejection {
  ok: false;
  /** NO_UPLOAD: the session has no record of the transfer, so the caller answers from D1. */
  code: ErrorCode | "NO_UPLOAD";
  localizedMessage?: LocalizedMessage;
  /** For developers: not translated. */
  message?: string;
  /** Position in the batch's list of entries. */
  index?: number;
  /** The first missing entries, and how many there are. */
  missing?: number[];
  missingCount?: number;
  retryAfterSeconds?: number;
}

/** What the Worker needs to sign URLs of an object's parts. */
export interface PartsToSign {
  object: number;
  r2UploadId: string;
  sizeBytes: number;
  partSizeBytes: number;
  parts: number[];
}

export interface TransferState {
  /** How many have been announced. */
  entries: number;
  stored: Runs;
  received: ReceivedObject[];
  again: number[];
  /** What counts against the totals. */
  announcedBytes: number;
  next: { entry: number; object: number };
}

/** What a part of a sealed entry holds, for whoever resumes the transfer. */
export interface EntryMark {
  n: number;
  /** From 1. */
  part: number;
  mark: string;
}

export interface TransferStatus extends TransferState {
  /** Percent. */
  progress: number;
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
  /** This call has finished the transfer, and webhooks are to be told. */
  hasEvents?: boolean;
}
export type FinishResult = FinishedTransfer | TransferRejection;

/** `marks`: absent for a plain transfer. */
export type TransferResumeResult = { ok: true; state: TransferState; marks?: EntryMark[] } | TransferRejection;

/** Where a part that comes through the Worker belongs. */
export type PartTarget = { ok: true; r2UploadId: string; lengthBytes: number } | TransferRejection;

export const NO_TRANSFER: TransferRejection = { ok: false, code: "NO_UPLOAD" };

/** Thrown inside a transaction, which it rolls back; a call answers with its rejection. */
export class TransferRejectedError extends Error {
  readonly rejection: TransferRejection;

  constructor(rejection: Omit<TransferRejection, "ok">) {
    super(rejection.code);
    this.rejection = { ok: false, ...rejection };
  }
}

/** @param name of the sentence in `messages/en/errors.ts` */
export function reject(
  code: ErrorCode,
  name: string,
  values: LocalizedMessage["values"] = {},
  more: Pick<TransferRejection, "index"> = {},
): TransferRejectedError {
  return new TransferRejectedError({ code, localizedMessage: { group: "errors", name, values }, ...more });
}
