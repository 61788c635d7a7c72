import { getSystemErrorMessage } from "node:util";
import { SealError } from "#domain/seal/seal-error.ts";
import { ApiError } from "#engine/api-error.ts";
import { rootCause, TransportError, UploadError, type UploadProblem } from "#engine/errors.ts";
import {
  ChangedProblem,
  EXIT as OPENER_EXIT,
  ExitError,
  Problem,
  type ExitCode as OpenerExitCode,
} from "../opener/problem.ts";
import { writeError } from "./terminal.ts";

/** The exit codes of the process. Scripts rely on these numbers, so they never change. */
export const EXIT = {
  done: 0,
  fault: 1,
  usage: 2,
  refused: 3,
  limit: 4,
  gone: 5,
  network: 6,
  damaged: 7,
  changed: 8,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export class Failure extends ExitError<ExitCode> {
  override name = "Failure";
}

const LOST = { exitCode: EXIT.network, message: "The server cannot be reached." };

/** The opener's exit codes are older than the command line's, and have other meanings. */
const OF_OPENER: Record<OpenerExitCode, ExitCode> = {
  [OPENER_EXIT.done]: EXIT.done,
  [OPENER_EXIT.failed]: EXIT.fault,
  [OPENER_EXIT.usage]: EXIT.usage,
  [OPENER_EXIT.key]: EXIT.refused,
  [OPENER_EXIT.password]: EXIT.refused,
  [OPENER_EXIT.gone]: EXIT.gone,
  [OPENER_EXIT.notNow]: EXIT.limit,
  [OPENER_EXIT.network]: EXIT.network,
  [OPENER_EXIT.damaged]: EXIT.damaged,
};

const LIMIT_CODES = new Set<unknown>(["PLAN_LIMIT_EXCEEDED", "KEY_LIMIT", "REQUEST_FULL", "KIND_REFUSED"]);

/** @returns the exit code of the process, and the message for the person */
export function describeError(error: unknown): { exitCode: ExitCode; message: string } {
  if (error instanceof Failure) return { exitCode: error.exitCode, message: error.message };
  if (error instanceof ChangedProblem) return { exitCode: EXIT.changed, message: error.message };
  if (error instanceof Problem) return { exitCode: OF_OPENER[error.exitCode], message: error.message };
  if (error instanceof SealError) {
    const isKey = error.problem === "wrongKey" || error.problem === "version";
    return { exitCode: isKey ? EXIT.refused : EXIT.damaged, message: error.message };
  }
  if (error instanceof UploadError && isChange(error.problem)) {
    return { exitCode: EXIT.changed, message: textOf(error.problem) };
  }
  const cause = rootCause(error);
  if (cause instanceof ApiError) return { exitCode: exitCodeOf(cause), message: cause.message };
  if (cause instanceof TransportError) return { exitCode: exitCodeOfTransfer(cause), message: textOf(cause.problem) };
  if (error instanceof UploadError) {
    const isLost = cause instanceof TypeError;
    return isLost ? LOST : { exitCode: EXIT.fault, message: textOf(error.problem) };
  }
  if (cause instanceof TypeError) return LOST;
  return { exitCode: EXIT.fault, message: isSystemError(error) ? describeSystemError(error) : wordsOf(error) };
}

/** @returns the error's message. A message of the operating system has no full stop. */
export function wordsOf(error: unknown): string {
  if (isSystemError(error)) return getSystemErrorMessage(error.errno);
  return error instanceof Error ? error.message : String(error);
}

type SystemError = NodeJS.ErrnoException & { errno: number };

/** Whether a file, a folder or the disk failed. Errors of the network have become a TypeError. */
function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "errno" in error && typeof error.errno === "number";
}

function describeSystemError(error: SystemError): string {
  return `${error.path === undefined ? "The system" : `"${error.path}"`}: ${wordsOf(error)}.`;
}

function exitCodeOf({ status, body }: ApiError): ExitCode {
  if (LIMIT_CODES.has(body.code) || status === 413 || status === 423 || status === 429) return EXIT.limit;
  if (body.code === "FILE_CHANGED") return EXIT.changed;
  if (body.code === "CHECKSUM_MISMATCH" || body.code === "OBJECT_MISMATCH") return EXIT.damaged;
  if (status === 401 || status === 403 || body.code === "CONTENT_BLOCKED") return EXIT.refused;
  if (status === 404 || status === 410) return EXIT.gone;
  if (status === 400) return EXIT.usage;
  return status >= 500 ? EXIT.network : EXIT.fault;
}

function exitCodeOfTransfer({ status, failure }: TransportError): ExitCode {
  if (failure === "unreadable" || (failure === "rejected" && status < 500)) return EXIT.fault;
  return EXIT.network;
}

function isChange(problem: UploadProblem): boolean {
  return "code" in problem && problem.code === "fileChanged";
}

const TEXTS: Partial<Record<Extract<UploadProblem, { code: string }>["code"], string>> = {
  cannotGoOn: "The keys of this unfinished upload are not on this device. --fresh sends everything anew.",
  completeFailed: "The server did not finish the upload.",
  directNetworkError: "Storage cannot be reached.",
  discardedElsewhere: "The upload was cancelled elsewhere.",
  fileChanged: "The file changed while it was sent.",
  networkError: "The server cannot be reached.",
  noUrl: "The server did not start the upload.",
  pasteLinkAgain: "The password of this link was changed elsewhere. --fresh sends everything anew.",
  proxyNetworkError: "The server cannot be reached.",
  proxyTimedOut: "A part took longer than five minutes to send.",
  tooManyToEncrypt: "These are too many files for one encrypted link.",
};

function textOf(problem: UploadProblem): string {
  if ("message" in problem)
    return problem.message === "" ? "The server refused a part of the upload." : problem.message;
  if ("status" in problem) {
    const who = problem.code === "storageStatus" ? "Storage" : "The server";
    return `${who} answered ${problem.status}.`;
  }
  return TEXTS[problem.code] ?? `The upload failed (${problem.code}).`;
}

const PLAIN = /^[\w./:@%+=,-]+$/;

let running: AbortController | null = null;

/** Runs work that cleans up if interrupted. @param work gets a signal that an interruption aborts with a Failure */
export async function interruptibly<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const abort = new AbortController();
  running = abort;
  try {
    return await work(abort.signal);
  } finally {
    running = null;
  }
}

/** Ends the process, or aborts the work that `interruptibly` runs. @param args of the process */
export function interrupt(args: readonly string[]): void {
  const message = describeInterruption(args);
  if (running) {
    running.abort(new Failure(EXIT.interrupted, message));
    return;
  }
  // Ends the line on which the terminal shows ^C.
  writeError("");
  writeError(message);
  process.exit(EXIT.interrupted);
}

/** @param args of the process @returns the message for a person who interrupts the program */
export function describeInterruption(args: readonly string[]): string {
  const [command] = args;
  if (command !== "send" && command !== "get") return "Interrupted.";
  if (command === "send" && args.includes("-")) {
    return "Interrupted. Standard input cannot be read again, so this upload cannot go on.";
  }
  if (command === "send" && args.includes("--fresh")) return "Interrupted. An upload with --fresh cannot go on.";
  // Logs keep standard error, so a password is not written there.
  if (args.some((arg) => /^--password(=|$)/.test(arg))) return "Interrupted. The same command goes on.";
  return `Interrupted. This goes on: ${["mayfly", ...args].map(quoted).join(" ")}`;
}

function quoted(arg: string): string {
  return PLAIN.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`;
}
