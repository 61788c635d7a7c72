import { ApiError } from "./api-error.ts";
import { TransferError } from "./errors.ts";
import type { Ports } from "./ports.ts";

/**
 * Tells programmers why a step is tried again.
 * @param step such as `part 3 of 12 (direct)`
 * @param attempt the failed one, 1 for the first
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
  if (error instanceof TransferError) {
    if (error.failure === "network") return "network failure";
    if (error.failure === "timeout") return "timeout";
    return error.failure === "rejected" ? `status ${error.status}` : `unreadable answer, status ${error.status}`;
  }
  // What `fetch` throws without a response.
  if (error instanceof TypeError) return "network failure";
  // A cancelled step is not tried again, so a timeout has aborted this one.
  return error instanceof DOMException && error.name === "AbortError" ? "timeout" : String(error);
}
