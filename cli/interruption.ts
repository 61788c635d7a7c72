import { EXIT, Failure } from "./failure.ts";
import { writeError } from "./terminal.ts";

const PLAIN = /^[\w./:@%+=,-]+$/;

let running: AbortController | null = null;

/**
 * Runs work that has something to clean up when it is interrupted.
 * @param work gets a signal that an interruption aborts, with the Failure to end with
 */
export async function interruptibly<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const abort = new AbortController();
  running = abort;
  try {
    return await work(abort.signal);
  } finally {
    running = null;
  }
}

/** Ends the process, or the work that cleans up. @param args of the process */
export function interrupt(args: readonly string[]): void {
  const message = describeInterruption(args);
  if (running) {
    running.abort(new Failure(EXIT.interrupted, message));
    return;
  }
  // Behind what the terminal shows of Ctrl-C.
  writeError("");
  writeError(message);
  process.exit(EXIT.interrupted);
}

/** @param args of the process @returns what somebody reads who interrupts the program */
export function describeInterruption(args: readonly string[]): string {
  const [command] = args;
  if (command !== "send" && command !== "get") return "Interrupted.";
  if (command === "send" && args.includes("-")) {
    return "Interrupted. Standard input cannot be read again, so this upload cannot go on.";
  }
  if (command === "send" && args.includes("--fresh")) return "Interrupted. An upload with --fresh cannot go on.";
  // Logs keep standard error.
  if (args.some((arg) => /^--password(=|$)/.test(arg))) return "Interrupted. The same command goes on.";
  return `Interrupted. This goes on: ${["mayfly", ...args].map(quoted).join(" ")}`;
}

/** As a shell reads it. */
function quoted(arg: string): string {
  return PLAIN.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`;
}
