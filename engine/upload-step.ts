import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import { ApiError, messageFromBody } from "./api-error.ts";
import { UploadError, type UploadProblem, TransportError } from "./errors.ts";
import type { Ports } from "./ports.ts";
import { pause } from "./timing.ts";

/** The number of attempts after the first one (decision 024). */
export const MAX_RETRIES = 3;
const MAX_WAIT_MS = 10 * SECOND_MS;
const MAX_ASKED_WAIT_MS = MINUTE_MS;

/**
 * Exponential backoff from one second, with jitter so that parallel parts do not retry together. @param retry 1 for the
 * first @param random from 0 to 1
 */
export function backoffMs(retry: number, random: number): number {
  const longestMs = Math.min(SECOND_MS * 2 ** (retry - 1), MAX_WAIT_MS);
  return longestMs * (0.5 + random / 2);
}

/** The required fields of the answers to a start and to a completion, and the problem if one is missing. */
export const START_FIELDS = ["downloadId", "shareUrl", "urls", "received"] as const;
export const NO_URL: UploadProblem = { code: "noUrl" };
export const END_FIELDS = ["shareUrl", "filename", "size"] as const;
export const NOT_COMPLETED: UploadProblem = { code: "completeFailed" };

export interface RetryPolicy {
  maxRetries: number;
  /** The wait in milliseconds. @param retry 1 for the first */
  waitMs(retry: number): number;
}

type RetryPorts = Pick<Ports, "online" | "warn">;

const DEFAULT_POLICY: RetryPolicy = { maxRetries: MAX_RETRIES, waitMs: (retry) => backoffMs(retry, Math.random()) };

/**
 * Runs a step until it succeeds, fails for good, or has used its retries. Waits while there is no network, and counts
 * no failure during that wait as a retry.
 * @param name for the warning @param step gets the number of retries before this attempt
 */
export async function retryUploadStep<Result>(
  ports: RetryPorts,
  name: string,
  step: (retry: number) => Promise<Result>,
  isRetryable: (error: unknown) => boolean,
  signal: AbortSignal,
  policy: RetryPolicy = DEFAULT_POLICY,
): Promise<Result> {
  for (let retry = 0, attempt = 1; ; attempt += 1) {
    await ports.online.whenOnline(signal);
    try {
      return await step(retry);
    } catch (error) {
      if (signal.aborted) throw error;
      if (!ports.online.isOnline()) {
        warnOfRetry(ports, name, attempt, error, null);
        continue;
      }
      if (retry >= policy.maxRetries || !isRetryable(error)) throw error;
      retry += 1;
      const waitMs = Math.max(policy.waitMs(retry), askedWaitMs(error));
      warnOfRetry(ports, name, attempt, error, waitMs);
      await pause(waitMs, signal);
    }
  }
}

/** How long an overloaded server (503) asks to be left alone, at most a minute. */
function askedWaitMs(error: unknown): number {
  if (!(error instanceof ApiError) || error.status !== 503) return 0;
  const { retryAfterSeconds } = error.body;
  return typeof retryAfterSeconds === "number" ? Math.min(retryAfterSeconds * SECOND_MS, MAX_ASKED_WAIT_MS) : 0;
}

/**
 * Logs for programmers why a step is repeated.
 * @param step such as `part 3 of 12 (direct)`
 * @param attempt the number of the failed attempt, from 1
 * @param waitMs before the next attempt; null until there is a network
 */
export function warnOfRetry(
  { warn, online }: Pick<Ports, "online" | "warn">,
  step: string,
  attempt: number,
  error: unknown,
  waitMs: number | null,
): void {
  const next = waitMs === null ? `when ${online.awaited}` : `in ${Math.round(waitMs)} ms`;
  warn(`Upload: ${step} failed in attempt ${attempt} (${reasonOf(error)}). Next attempt ${next}.`);
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return `status ${error.status}`;
  if (error instanceof TransportError) {
    if (error.failure === "network") return "network failure";
    if (error.failure === "timeout") return "timeout";
    return error.failure === "rejected" ? `status ${error.status}` : `unreadable answer, status ${error.status}`;
  }
  // `fetch` throws TypeError without a response.
  if (error instanceof TypeError) return "network failure";
  // A cancelled step is not tried again, so this step was aborted by a timeout.
  return error instanceof DOMException && error.name === "AbortError" ? "timeout" : String(error);
}

/**
 * Runs a step and gives its errors a reason for a person.
 * @param problem the reason, if the step's own error has no reason
 * @throws UploadError with the step's error as its cause, or the step's error
 */
export async function withProblem<Result>(problem: UploadProblem, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw hasMessage(error) ? error : new UploadError(problem, { cause: error });
  }
}

/** Makes an API call with retries. @throws as `retryUploadStep` */
export function retryCall<Answer>(
  ports: RetryPorts,
  name: string,
  call: () => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  return retryUploadStep(ports, name, call, isRetryableCall, signal);
}

/** Makes an API call with retries, and requires fields of its answer. @throws as `withProblem` */
export function requireAnswer<Answer extends object>(
  ports: RetryPorts,
  name: string,
  call: () => Promise<Answer | null>,
  fields: readonly (keyof Answer & string)[],
  problem: UploadProblem,
  signal: AbortSignal,
): Promise<Answer> {
  return withProblem(problem, async () => {
    const answer = await retryCall(ports, name, call, signal);
    if (answer !== null && fields.every((field) => field in answer)) return answer;
    throw new SyntaxError(`The answer lacks one of ${fields.join(", ")}.`);
  });
}

/** The status of a server whose database has no room for new rows. The database gets no room within seconds. */
const NO_ROOM = 507;

/** Whether a retry of an API call may succeed: after no response, a server error or a rate limit. */
export function isRetryableCall(error: unknown): boolean {
  if (error instanceof ApiError) return (error.status >= 500 && error.status !== NO_ROOM) || error.status === 429;
  return error instanceof TypeError;
}

/** `fetch` throws TypeError without a response, `Response.json` throws SyntaxError for a response that is not JSON. */
function hasMessage(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 401 || messageFromBody(error.body) !== null;
  return !(error instanceof TypeError || error instanceof SyntaxError);
}
