import type { PutRoute } from "./upload-types.ts";

/** Failures whose code says everything. */
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

/** What went wrong. Whoever shows it has the words. */
export type UploadProblem =
  | { code: PlainCode }
  | { code: "notArrived" | "tooManyToEncrypt"; count: number }
  | { code: "serverStatus" | "storageStatus"; status: number }
  | { code: "chunkFailed"; number: number; retries: number }
  /** Our server's own words; "" without any. */
  | { message: string };

/** A failure that can be told to a person. Its `cause`, if any, is an error that cannot. */
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
