import { SUMMARY_MAX } from "#domain/parts.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { ResendCause, UploadSummary, UploadWait } from "#domain/wire/uploads.ts";
import type { Calls } from "./calls.ts";
import { TransportError } from "./errors.ts";
import type { TransferEntries } from "./transfer/transfer-entries.ts";
import type { PutRoute } from "./upload-types.ts";

/** A shorter time without progress does not count as a stall. */
const STALL_MS = 2 * SECOND_MS;
/** The best speed is the highest mean over this time. */
const BEST_MS = 3 * SECOND_MS;

/** The current activity of an upload: sending bytes, or waiting for something. */
export type UploadActivity = "line" | UploadWait;

/** Measures an upload for its summary. `now` is milliseconds of any monotonic clock. */
export class UploadRecorder {
  readonly #startedAt: number;
  readonly #isInChunks: boolean;
  readonly #routes = new Set<PutRoute>();
  readonly #sentAgain: Record<ResendCause, number> = { network: 0, timeout: 0, rejected: 0, stalled: 0 };
  readonly #spentMs: Record<UploadActivity, number> = { line: 0, files: 0, server: 0, person: 0 };
  readonly #samples: { at: number; bytes: number }[] = [];
  #activity: UploadActivity = "server";
  #activeSince: number;
  #movedAt: number;
  #hasBegun = false;
  #bytes = 0;
  #movedBytes = 0;
  #stalls = 0;
  #stalledMs = 0;
  /** Bytes a millisecond. */
  #best = 0;

  constructor(now: number, isInChunks = false) {
    this.#startedAt = now;
    this.#activeSince = now;
    this.#movedAt = now;
    this.#isInChunks = isInChunks;
  }

  noteSent(route: PutRoute): void {
    this.#routes.add(route);
  }

  noteResend(cause: ResendCause): void {
    this.#sentAgain[cause] += 1;
  }

  /** Call it when the server has answered the start. Bytes that were stored before the call do not count as sent. */
  begin(now: number): void {
    this.#hasBegun = true;
    this.turnTo("line", now);
  }

  turnTo(activity: UploadActivity, now: number): void {
    if (activity === this.#activity) return;
    this.#settle(now);
    this.#activity = activity;
  }

  /** @param bytes that storage has or that are being sent */
  noteProgress(bytes: number, now: number): void {
    const moved = bytes - this.#bytes;
    this.#bytes = bytes;
    if (moved === 0 || !this.#hasBegun) return;
    this.#movedBytes += moved;
    this.#noteStall(now);
    this.#movedAt = now;
    this.#samples.push({ at: now, bytes: this.#movedBytes });
    const first = this.#samples[0];
    if (!first || now - first.at < BEST_MS) return;
    this.#best = Math.max(this.#best, (this.#movedBytes - first.bytes) / (now - first.at));
    while ((this.#samples[1]?.at ?? Infinity) <= now - BEST_MS) this.#samples.shift();
  }

  /**
   * Call it after files were added or left out. @param bytes of the new list that storage has or that are being sent
   */
  noteNewList(bytes: number): void {
    this.#bytes = bytes;
  }

  /**
   * Sends the summary of a failed upload, which may go on later. Does not wait for the answer.
   * @param start null before the server has answered the start: without an answer nothing is sent
   */
  noteFailure(calls: Calls, start: { downloadId: string } | null): void {
    if (!start) return;
    calls.noteFailure?.(start.downloadId, this.summary(performance.now())).catch(() => undefined);
  }

  /** @returns the summary of the upload so far */
  summary(now: number): UploadSummary {
    this.#settle(now);
    const { line, files, server, person } = this.#spentMs;
    const mean = line === 0 ? 0 : this.#movedBytes / line;
    const share = this.#best === 0 ? 1 : Math.min(1, Math.max(0, mean / this.#best));
    const count = (cause: ResendCause) => cutToSummary(this.#sentAgain[cause], "count");
    const seconds = (ms: number) => cutToSummary(ms / SECOND_MS, "seconds");
    return {
      transport: this.#transport(),
      seconds: seconds(now - this.#startedAt),
      sentAgain: {
        network: count("network"),
        timeout: count("timeout"),
        rejected: count("rejected"),
        stalled: count("stalled"),
      },
      waited: { files: seconds(files), server: seconds(server), person: seconds(person) },
      stalls: cutToSummary(this.#stalls, "count"),
      stalledSeconds: seconds(this.#stalledMs),
      lineShare: Math.round(100 * share),
    };
  }

  #transport(): UploadSummary["transport"] {
    if (this.#isInChunks) return "chunks";
    if (this.#routes.size === 2) return "both";
    return this.#routes.has("proxy") ? "proxy" : "direct";
  }

  /** Adds the elapsed time to the current activity. */
  #settle(now: number): void {
    this.#noteStall(now);
    this.#movedAt = now;
    this.#spentMs[this.#activity] += now - this.#activeSince;
    this.#activeSince = now;
  }

  #noteStall(now: number): void {
    const stillMs = now - this.#movedAt;
    if (this.#activity !== "line" || stillMs < STALL_MS) return;
    this.#stalls += 1;
    this.#stalledMs += stillMs;
  }
}

/** @returns the cause by which the summary counts a failed PUT */
export function resendCause(error: unknown): ResendCause {
  if (!(error instanceof TransportError)) return "network";
  return error.failure === "unreadable" ? "rejected" : error.failure;
}

/** The number of parts that are being read or sent. */
interface Work {
  reading: number;
  sending: number;
  /** How many of the parts that are being sent have no URL yet. */
  withoutUrl: number;
}

/** Measures a transfer, which may also wait for its files, for the server, or for the person. */
export class TransferRecorder extends UploadRecorder {
  readonly #entries: TransferEntries;
  readonly #work: Work = { reading: 0, sending: 0, withoutUrl: 0 };
  #sentBytes: (() => number) | null = null;

  constructor(entries: TransferEntries, now: number) {
    super(now);
    this.#entries = entries;
  }

  /** Call it when parts began or ended, and without an argument when entries have changed. */
  noteWork(change: Partial<Work> = {}): void {
    Object.assign(this.#work, change);
    this.turnTo(this.#activity(), performance.now());
  }

  /** Call it when the server has answered the start. @param sentBytes gives the bytes for `noteProgress` */
  beginWith(sentBytes: () => number): void {
    this.noteProgress(sentBytes(), performance.now());
    this.begin(performance.now());
    this.noteWork();
    this.#sentBytes = sentBytes;
  }

  override summary(now: number): UploadSummary {
    // Reports of progress come a few times a second, so the last one may be old.
    if (this.#sentBytes) this.noteProgress(this.#sentBytes(), now);
    return super.summary(now);
  }

  #activity(): UploadActivity {
    const { reading, sending, withoutUrl } = this.#work;
    if (sending > withoutUrl) return "line";
    if (reading > 0) return "files";
    const problems = this.#entries.count("changed") + this.#entries.count("unreadable");
    return problems > 0 && this.#entries.count("waiting") === 0 ? "person" : "server";
  }
}

/** @returns the number, rounded and limited to what a summary may hold */
function cutToSummary(value: number, max: keyof typeof SUMMARY_MAX): number {
  return Math.min(Math.max(0, Math.round(value)), SUMMARY_MAX[max]);
}
