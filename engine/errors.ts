import type { PutRoute } from "./upload-types.ts";

/** Codes of failures that need no further values. */
type PlainCode =
  | "accessDenied"
  | "cannotGoOn"
  | "completeFailed"
  | "directNetworkError"
  | "discardedElsewhere"
  | "fileChanged"
  | "finalizeFailed"
  | "initializeFailed"
  | "invalidAccessKey"
  | "networkError"
  | "noUrl"
  | "pasteLinkAgain"
  | "proxyNetworkError"
  | "proxyTimedOut"
  | "signatureMismatch"
  | "stoppedBeforeAdding"
  | "tooLateToAdd"
  | "transferError"
  | "unreadableAnswer"
  | "uploadTimeout";

/** The reason for a failed upload. Pages and the command line translate the reason. */
export type UploadProblem =
  | { code: PlainCode }
  | { code: "notArrived" | "tooManyToEncrypt"; count: number }
  | { code: "serverStatus" | "storageStatus"; status: number }
  | { code: "chunkFailed"; number: number; retries: number }
  /** The message of our server; "" if the answer has none. */
  | { message: string };

/** A failure with a reason that a person can read. The error in `cause`, if any, has no such reason. */
export class UploadError extends Error {
  readonly problem: UploadProblem;

  constructor(problem: UploadProblem, options?: ErrorOptions) {
    super("upload failed", options);
    this.name = "UploadError";
    this.problem = problem;
  }
}

/** "rejected" by an HTTP error status; "unreadable" if the response has the wrong format. */
type TransferFailure = "network" | "timeout" | "rejected" | "unreadable";

export class TransportError extends UploadError {
  readonly transport: PutRoute | "chunks";
  readonly failure: TransferFailure;
  /** HTTP status; 0 without a response. */
  readonly status: number;

  constructor(transport: PutRoute | "chunks", failure: TransferFailure, problem: UploadProblem, status = 0) {
    super(problem);
    this.name = "TransferError";
    this.transport = transport;
    this.failure = failure;
    this.status = status;
  }
}

/** @returns the cause of an `UploadError`, where it has one; else the error itself */
export function rootCause(error: unknown): unknown {
  return error instanceof UploadError ? (error.cause ?? error) : error;
}
