/** The exit codes of the process. Scripts rely on these numbers, so they never change. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  key: 3,
  password: 4,
  gone: 5,
  notNow: 6,
  network: 7,
  damaged: 8,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the program with an exit code, and with a sentence for the person. */
export class ExitError<Code extends number> extends Error {
  readonly exitCode: Code;

  constructor(exitCode: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export class Problem extends ExitError<ExitCode> {
  override name = "Problem";
}

/** The sender's file changed while it was uploaded. Ends this program as a cancelled upload does. */
export class ChangedProblem extends Problem {
  override name = "ChangedProblem";

  constructor() {
    super(EXIT.gone, "The file has changed since the sender began. Ask for it again.");
  }
}
