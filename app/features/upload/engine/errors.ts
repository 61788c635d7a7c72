import type { Translate } from "#messages/translate.ts";

/** What a person reads of a failure: said where it is shown, in the language that the page has by then. */
export type ErrorText = (t: Translate<"uploads">) => string;

/** Why an upload could not go on. */
export class UploadError extends Error {
  readonly words: ErrorText;

  constructor(words: ErrorText, options?: ErrorOptions) {
    super("upload failed", options);
    this.name = "UploadError";
    this.words = words;
  }
}

/** Why the bytes were not taken: nothing answered, it took too long, or the answer was a refusal or unreadable. */
export type PutFailure = "network" | "timeout" | "refused" | "unreadable";

export class PutError extends UploadError {
  readonly kind: PutFailure;
  /** Of the answer; 0 where none came. */
  readonly status: number;

  constructor(kind: PutFailure, words: ErrorText, status = 0) {
    super(words);
    this.name = "PutError";
    this.kind = kind;
    this.status = status;
  }
}

/** Why a chunk did not get through. "unreadable": the server's answer was not what was agreed, or an error of its own. */
export type ChunkFailure = "network" | "timeout" | "too-large" | "refused" | "unreadable";

export class ChunkError extends UploadError {
  readonly kind: ChunkFailure;
  /** Of the answer; 0 where none came. */
  readonly status: number;

  constructor(kind: ChunkFailure, words: ErrorText, status = 0) {
    super(words);
    this.name = "ChunkError";
    this.kind = kind;
    this.status = status;
  }
}
