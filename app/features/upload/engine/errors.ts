import type { Translate } from "#messages/translate.ts";
import type { PutRoute } from "./upload-types.ts";

/** Translates when it is shown: the person may have changed the language during the upload. */
export type ErrorText = (t: Translate<"uploads">) => string;

/** A failure with a text for the person. Its `cause`, if any, is an error that has none. */
export class UploadError extends Error {
  readonly text: ErrorText;

  constructor(text: ErrorText, options?: ErrorOptions) {
    super("upload failed", options);
    this.name = "UploadError";
    this.text = text;
  }
}

/** "rejected" by an HTTP error status; "unreadable" if the response has the wrong format. */
type TransferFailure = "network" | "timeout" | "rejected" | "unreadable";

export class TransferError extends UploadError {
  readonly transport: PutRoute | "chunks";
  readonly failure: TransferFailure;
  /** HTTP status; 0 without a response. */
  readonly status: number;

  constructor(transport: PutRoute | "chunks", failure: TransferFailure, text: ErrorText, status = 0) {
    super(text);
    this.name = "TransferError";
    this.transport = transport;
    this.failure = failure;
    this.status = status;
  }
}
