import { SECOND_MS } from "#domain/units.ts";
import { cutToSummary } from "#domain/summary-limits.ts";
import type { ResendCause, UploadSummary } from "#domain/wire/upload-summary.ts";
import { TransferError } from "./errors.ts";
import type { PutRoute } from "./upload-types.ts";

/** A shorter time without movement is no stall. */
const STALL_MS = 2 * SECOND_MS;
/** The best speed is a mean over so long. */
const BEST_MS = 3 * SECOND_MS;

/** Notes how the upload of a file goes, for its summary. `now` is milliseconds of any monotonic clock. */
export class UploadRecord {
  readonly #startedAt: number;
  readonly #routes = new Set<PutRoute>();
  readonly #sentAgain: Record<ResendCause, number> = { network: 0, timeout: 0, rejected: 0, stalled: 0 };
  readonly #samples: { at: number; bytes: number }[] = [];
  #movedAt: number;
  #bytes = 0;
  #firstBytes: number | null = null;
  #stalls = 0;
  #stalledMs = 0;
  /** Bytes a millisecond. */
  #best = 0;

  constructor(now: number) {
    this.#startedAt = now;
    this.#movedAt = now;
  }

  noteSent(route: PutRoute): void {
    this.#routes.add(route);
  }

  noteResend(cause: ResendCause): void {
    this.#sentAgain[cause] += 1;
  }

  /** @param bytes of the file that storage has, or that are on their way */
  noteProgress(bytes: number, now: number): void {
    this.#firstBytes ??= bytes;
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    this.#noteStall(now);
    this.#movedAt = now;
    this.#samples.push({ at: now, bytes });
    const first = this.#samples[0];
    if (!first || now - first.at < BEST_MS) return;
    this.#best = Math.max(this.#best, (bytes - first.bytes) / (now - first.at));
    while ((this.#samples[1]?.at ?? Infinity) <= now - BEST_MS) this.#samples.shift();
  }

  /** @returns the summary up to now */
  summary(now: number): UploadSummary {
    this.#noteStall(now);
    this.#movedAt = now;
    const elapsedMs = now - this.#startedAt;
    const mean = elapsedMs === 0 ? 0 : (this.#bytes - (this.#firstBytes ?? 0)) / elapsedMs;
    const share = this.#best === 0 ? 1 : Math.min(1, Math.max(0, mean / this.#best));
    const count = (cause: ResendCause) => cutToSummary(this.#sentAgain[cause], "count");
    return {
      transport: this.#routes.size === 2 ? "both" : this.#routes.has("proxy") ? "proxy" : "direct",
      seconds: cutToSummary(elapsedMs / SECOND_MS, "seconds"),
      sentAgain: {
        network: count("network"),
        timeout: count("timeout"),
        rejected: count("rejected"),
        stalled: count("stalled"),
      },
      stalls: cutToSummary(this.#stalls, "count"),
      stalledSeconds: cutToSummary(this.#stalledMs / SECOND_MS, "seconds"),
      lineShare: Math.round(100 * share),
    };
  }

  #noteStall(now: number): void {
    const stillMs = now - this.#movedAt;
    if (stillMs < STALL_MS) return;
    this.#stalls += 1;
    this.#stalledMs += stillMs;
  }
}

/** @returns why the part whose PUT failed is sent again */
export function resendCause(error: unknown): ResendCause {
  if (!(error instanceof TransferError)) return "network";
  return error.failure === "unreadable" ? "rejected" : error.failure;
}
