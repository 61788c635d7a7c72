/**
 * `damaged`: the bytes are not those that the sender encrypted. `gone`: the link has ended, or the file was removed.
 * `refused`: the server gives no bytes now. `locked`: the reader cannot unlock the link any more. `room`: the device is
 * full. `inUse`: another tab decrypts the same file.
 */
export type OpenProblem = "damaged" | "gone" | "refused" | "locked" | "room" | "inUse";

/** A failure that no retry can help. */
export class OpenError extends Error {
  override name = "OpenError";
  readonly problem: OpenProblem;

  constructor(problem: OpenProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** @param error a failed write to a file @returns an OpenError `room` if the device is full, else the same error */
export function roomOr(error: unknown): Error {
  const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
  return isFull ? new OpenError("room") : (error as Error);
}
