/**
 * `damaged`: bytes are not what the sender encrypted. `wrongKey`: the link's key, or the password, does not decrypt the
 * transfer. `manifest`: the list of files breaks a rule. `version`: a newer page made the link.
 */
export type SealProblem = "damaged" | "wrongKey" | "manifest" | "version";

/** The only error that decrypting throws, whatever the input. */
export class SealError extends Error {
  override name = "SealError";
  readonly problem: SealProblem;

  constructor(problem: SealProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
