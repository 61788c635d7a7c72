import { setTimeout as wait } from "node:timers/promises";
import { covers } from "#domain/protection/coverage.ts";
import { addRuns, type Run } from "#domain/transfers/runs.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { TakeAnswer } from "#domain/wire.ts";
import { Seeded } from "../seeded.ts";
import { LossError, sha256 } from "../soaked-upload.ts";
import type { GuardCounts } from "./counts.ts";
import type { GuardedLink, Resource } from "./guarded-link.ts";
import { codeOf, type Recipient } from "./recipient.ts";

/**
 * `whole` reads one response. `ranges` reads several at once. `breaks` breaks responses off and goes on. `sleeps`
 * breaks a response off and goes on after the next kill. `withholds` never reads the last byte. `looks` takes a lease
 * and leaves.
 */
const STORIES = ["whole", "whole", "ranges", "breaks", "sleeps", "withholds", "looks"] as const;

const MAX_RANGES = 6;
const MAX_BREAKS = 3;
const LONGEST_PAUSE_MS = 30;
/** A lease that lasts longer than this is counted: a held lease lasts a quarter of an hour, a counted one an hour. */
const COUNTED_FROM_MS = 30 * MINUTE_MS;
/** The report of a download must be counted within this time after the last byte. */
const COUNTED_WITHIN_MS = MINUTE_MS;
const POLL_MS = 200;
const TURNED_AWAY_MS = 1_500;
const MAX_ANSWERS = 200;

/** The download of one recipient, which goes on after kills of the server. */
export class Visit {
  /** Whether the visit waits for the next kill. */
  isAsleep = false;
  /** Whether the visit has finished and knows whether it was counted, or will never finish. */
  isOver = false;
  /** Whether a kill came before the Worker reported what the recipient got. */
  isReportLost = false;
  readonly #link: GuardedLink;
  readonly #resource: Resource;
  readonly #recipient: Recipient;
  readonly #story: (typeof STORIES)[number];
  readonly #draw: Seeded;
  readonly #counts: GuardCounts;
  #breaksLeft: number;
  #bytes: Uint8Array;
  #had: Run[] = [];
  /** The ranges for which an answer with bytes has begun. */
  #asked: Run[] = [];
  #isAdmitted = false;
  #isWhole = false;
  #isCounted = false;

  constructor(link: GuardedLink, seed: string, counts: GuardCounts) {
    this.#draw = new Seeded(seed);
    this.#link = link;
    this.#resource = this.#pick(link.resources);
    this.#recipient = link.recipient(this.#draw.between(0, 1) === 0);
    this.#story = this.#pick(STORIES);
    this.#breaksLeft = this.#story === "breaks" ? this.#draw.between(1, MAX_BREAKS) : 0;
    if (this.#story === "sleeps") this.#breaksLeft = 1;
    this.#bytes = new Uint8Array(this.#resource.bytes.byteLength);
    this.#counts = counts;
    counts.recipients += 1;
  }

  get downloadId(): string {
    return this.#link.downloadId;
  }

  get leaseId(): string | null {
    return this.#recipient.leaseId;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Whether the recipient may have got every byte: some were perhaps on their way when a response broke off. */
  get hasAskedForAll(): boolean {
    return covers(this.#asked, this.#all);
  }

  /** Downloads; can be called again after a restart. @throws LossError; Error while the server is killed */
  async run(): Promise<void> {
    this.isAsleep = false;
    if (!this.#isAdmitted && !(await this.#admit())) return this.#turnAway();
    if (this.#story === "withholds" || this.#story === "looks") return this.#leave();
    while (!covers(this.#had, this.#all)) {
      if (!(await this.#readOn())) return this.#turnAway();
      if (this.isAsleep) return;
    }
    if (!this.#isWhole) this.#compare();
    this.#isCounted ||= await this.#awaitCount();
    if (this.#isCounted) await this.#readMore();
    this.isOver = true;
    this.#bytes = new Uint8Array();
  }

  /** Starts the visit again, because the gate has forgotten its lease. */
  forget(): void {
    this.#had = [];
    this.#asked = [];
    this.isReportLost = false;
  }

  get #all(): Run {
    return [0, this.#resource.bytes.byteLength];
  }

  /** @returns false if the recipient is turned away */
  async #admit(): Promise<boolean> {
    if (this.leaseId === null && this.#draw.between(0, 1) === 0) await this.#tryWithoutProofs();
    if (!(await this.#take())) return false;
    this.#isAdmitted = true;
    this.#link.tokens = this.#recipient.tokens;
    return true;
  }

  async #readOn(): Promise<boolean> {
    const gaps = gapsOf(this.#had, this.#all);
    const [from = 0, count = 0] = gaps[0] ?? [];
    if (this.#story === "ranges") {
      const size = Math.ceil(this.#bytes.byteLength / this.#draw.between(2, MAX_RANGES));
      const reads = gaps.flatMap((gap) => cut(gap, size)).map((piece) => this.#read(piece));
      return (await Promise.all(reads)).every(Boolean);
    }
    if (this.#breaksLeft > 0) {
      this.#breaksLeft -= 1;
      const isGoing = await this.#read([from, count], this.#draw.between(0, count - 1));
      this.isAsleep = isGoing && this.#story === "sleeps";
      return isGoing;
    }
    return this.#read([from, count]);
  }

  /**
   * @param leaveAfter the bytes after which to break the response off
   * @returns false if the recipient is turned away @throws LossError
   */
  async #read([from, count]: Run, leaveAfter?: number): Promise<boolean> {
    const leaving = new AbortController();
    const size = this.#bytes.byteLength;
    const isWhole = this.#story === "whole" && count === size;
    const range = `bytes ${from}-${from + count - 1}/${size}`;
    const headers: Record<string, string> = isWhole ? {} : { range: `bytes=${from}-${from + count - 1}` };
    const response = await this.#ask(() => this.#recipient.get(this.#resource.end, headers, leaving.signal));
    if (!response) return false;
    const answered = [response.status, response.headers.get("content-range")].join();
    if (answered !== (isWhole ? [200, null] : [206, range]).join()) throw new LossError(`${range}: ${answered}`);
    if (this.#had.length > 0) this.#counts.resumed += 1;
    this.#asked = addRuns(this.#asked, [[from, count]]);
    const pauseMs = this.#draw.between(0, LONGEST_PAUSE_MS);
    const body = response.body as ReadableStream<Uint8Array> | null;
    const reader = (body ?? new ReadableStream<Uint8Array>()).getReader();
    let at = from;
    try {
      for (;;) {
        if (leaveAfter !== undefined && at - from >= leaveAfter) break;
        const { done, value } = await reader.read();
        if (done) break;
        this.#bytes.set(value, at);
        this.#had = addRuns(this.#had, [[at, value.byteLength]]);
        at += value.byteLength;
        await wait(pauseMs);
      }
    } finally {
      if (at < from + count) this.#counts.broken += 1;
      leaving.abort();
    }
    if (at < from + count && leaveAfter === undefined) throw new Error("a response ended before its length");
    return true;
  }

  async #leave(): Promise<void> {
    const [, count] = this.#all;
    if (this.#story === "withholds" && !(await this.#read([0, count - 1]))) return this.#turnAway();
    this.#counts.left += 1;
    this.isOver = true;
  }

  #turnAway(): Promise<void> {
    this.#counts.turnedAway += 1;
    this.isOver = true;
    return wait(TURNED_AWAY_MS);
  }

  #compare(): void {
    if (sha256(this.#bytes) !== sha256(this.#resource.bytes)) throw new LossError("other bytes came than were sent");
    this.#isWhole = true;
  }

  /** @returns whether the download is counted @throws LossError if it is not, and no kill came before its report */
  async #awaitCount(): Promise<boolean> {
    const deadline = Date.now() + (this.isReportLost ? SECOND_MS : COUNTED_WITHIN_MS);
    for (;;) {
      const until = await this.#take();
      if (until !== null && until.getTime() - Date.now() > COUNTED_FROM_MS) {
        this.#counts.finished += 1;
        return true;
      }
      if (until === null || Date.now() > deadline) break;
      await wait(POLL_MS);
    }
    if (!this.isReportLost) throw new LossError(`${this.leaseId} has a whole file, and was not counted`);
    this.#counts.uncounted += 1;
    return false;
  }

  /** Reads the same file, or another file of the transfer, which is not counted again. @throws LossError */
  async #readMore(): Promise<void> {
    const { end, bytes } = this.#pick(this.#link.resources);
    const response = await this.#ask(() => this.#recipient.get(end));
    if (!response) return;
    const received = new Uint8Array(await response.arrayBuffer());
    if (sha256(received) !== sha256(bytes)) throw new LossError("other bytes came the second time");
    this.#counts.readAgain += 1;
  }

  /** @returns the time until which the lease lasts; null if the recipient is turned away */
  async #take(): Promise<Date | null> {
    const response = await this.#ask(() => this.#recipient.take());
    if (!response) return null;
    const { until }: TakeAnswer = await response.json();
    return new Date(until ?? NaN);
  }

  /** Makes a call, and unlocks the link or takes a lease if the answer asks for it. @returns null if turned away */
  async #ask(call: () => Promise<Response>): Promise<Response | null> {
    for (let answers = 0; answers < MAX_ANSWERS; answers += 1) {
      const response = await call();
      if (response.ok) return response;
      const code = await codeOf(response);
      if (code === "LINK_LOCKED") await (await this.#link.unlock(this.#recipient)).body?.cancel();
      else if (code === "LEASE_NEEDED") {
        if (!(await this.#take())) return null;
      } else if (code === "RATE_LIMITED") await wait(SECOND_MS);
      else if (code === "DOWNLOADS_BUSY" || code === "ATTEMPTS_USED_UP" || response.status === 410) return null;
      else throw new Error(`an answer was ${response.status} ${code}`);
    }
    throw new Error("no answer was the last");
  }

  /** Checks that no request gets bytes without the grant and the lease that the link asks for. @throws LossError */
  async #tryWithoutProofs(): Promise<void> {
    const { tokens } = this.#link;
    const attempts = [
      this.#link.recipient(false),
      // One recipient has a grant without a lease, and another one a lease without a grant.
      this.#recipient,
      ...(this.#link.hasPassword && tokens.lease !== undefined
        ? [this.#link.recipient(true, { lease: tokens.lease })]
        : []),
      this.#link.recipient(true, this.#link.tokensOfAnother),
    ];
    if (this.#link.hasPassword) await (await this.#link.unlock(this.#recipient)).body?.cancel();
    for (const attempt of attempts) {
      const response = await attempt.get(
        this.#resource.end,
        this.#draw.between(0, 1) === 0 ? {} : { range: "bytes=0-99" },
      );
      await response.body?.cancel();
      if (response.ok) throw new LossError(`bytes came without a grant or a lease: ${response.status}`);
      this.#counts.refusals += 1;
    }
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[this.#draw.between(0, items.length - 1)];
    if (item === undefined) throw new Error("there is nothing to choose from");
    return item;
  }
}

/** The parts of a run that are missing. @param had canonical runs */
function gapsOf(had: readonly Run[], [first, count]: Run): Run[] {
  const gaps: Run[] = [];
  let at = first;
  for (const [from, length] of had) {
    if (from > at) gaps.push([at, from - at]);
    at = from + length;
  }
  if (at < first + count) gaps.push([at, first + count - at]);
  return gaps;
}

function cut([from, count]: Run, size: number): Run[] {
  return Array.from({ length: Math.ceil(count / size) }, (_, index) => [
    from + index * size,
    Math.min(size, count - index * size),
  ]);
}
