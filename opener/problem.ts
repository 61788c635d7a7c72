/** What the process ends with. Scripts rely on these numbers, so they never change. */
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

/** Ends the program with a sentence for the person. */
export class Problem extends Error {
  override name = "Problem";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
