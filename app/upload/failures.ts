/** Why the bytes were not taken: nothing answered, it took too long, or the answer was a refusal or unreadable. */
export type PutFailure = "network" | "timeout" | "refused" | "unreadable";

export class PutError extends Error {
  readonly kind: PutFailure;
  /** Of the answer; 0 where none came. */
  readonly status: number;

  constructor(kind: PutFailure, message: string, status = 0) {
    super(message);
    this.name = "PutError";
    this.kind = kind;
    this.status = status;
  }
}

/** Why a chunk did not get through. "unreadable": the server's answer was not what was agreed, or an error of its own. */
export type ChunkFailure = "network" | "timeout" | "too-large" | "refused" | "unreadable";

export class ChunkError extends Error {
  readonly kind: ChunkFailure;
  /** Of the answer; 0 where none came. */
  readonly status: number;

  constructor(kind: ChunkFailure, message: string, status = 0) {
    super(message);
    this.name = "ChunkError";
    this.kind = kind;
    this.status = status;
  }
}
