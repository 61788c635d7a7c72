/**
 * `damaged`: bytes are not what the sender encrypted. `gone`: the link has ended, or the file was removed. `refused`: no
 * bytes are given now. `locked`: the link does not let this reader in any more. `room`: no space is left on the device.
 * `inUse`: another tab opens the same file.
 */
export type OpenProblem = "damaged" | "gone" | "refused" | "locked" | "room" | "inUse";

/** Trying again does not help. */
export class OpenError extends Error {
  override name = "OpenError";
  readonly problem: OpenProblem;

  constructor(problem: OpenProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** @param error of writing to a file @returns `room` for a full device, else the same error */
export function roomOr(error: unknown): Error {
  const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
  return isFull ? new OpenError("room") : (error as Error);
}
