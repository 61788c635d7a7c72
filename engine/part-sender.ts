import type * as z from "zod/mini";
import { PART_CONTENT_TYPE } from "#domain/parts.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { ResendCause } from "#domain/wire/uploads.ts";
import { parseObject } from "./api-error.ts";
import { TransportError } from "./errors.ts";
import type { DirectPorts, PutResponse } from "./ports.ts";
import { resendCause } from "./upload-recorder.ts";
import { MAX_RETRIES, retryCall, retryUploadStep, warnOfRetry, isRetryableCall } from "./upload-step.ts";
import type { PutRoute } from "./upload-types.ts";

/** A probe that has sent nothing for this long has failed. */
const PROBE_TIMEOUT_MS = 10 * SECOND_MS;

interface PartBody<Part> {
  part: Part;
  body: Blob;
  onProgress(sentBytes: number): void;
}

export type PartSenderPorts = Pick<DirectPorts, "calls" | "online" | "warn" | "put">;

interface PartSenderOptions<Part> {
  /** The presigned URLs of parts; null for a part that only our server takes. @throws what the call for URLs throws */
  urls: { get(part: Part): Promise<string | null>; delete(part: Part): void; clear(): void };
  /** The address for the PUT of a part through our server. */
  proxyUrl(part: Part): string;
  /** The schema of our server's answer to the PUT of a part. */
  proxyAnswer: z.ZodMiniType<{ etag: string }>;
  /** The name of the part in warnings. */
  describe(part: Part): string;
  /** The type signed into the presigned URLs. */
  contentType: string;
  signal: AbortSignal;
  onTransport(transport: PutRoute): void;
  onSent?(transport: PutRoute): void;
  /** A PUT failed; the part is sent again unless the failure is final. */
  onFailure(cause: ResendCause): void;
}

/**
 * Sends parts of one or several files straight to storage. After a failed PUT, repairs the bucket's CORS rules once and
 * tries again. After another failed PUT, sends through our server and probes the direct transport from time to time
 * (docs/design.md, An upload).
 */
export class PartSender<Part> {
  readonly #ports: PartSenderPorts;
  readonly #options: PartSenderOptions<Part>;
  #transport: PutRoute = "direct";
  /** True once a direct PUT has worked. Later failures do not come from CORS. */
  #directWorks = false;
  #repair: Promise<void> | null = null;
  readonly #probes = new DirectProbes(() => performance.now());
  #lastDirectError: TransportError | null = null;
  readonly #stalled = new StalledParts(() => performance.now());

  constructor(ports: PartSenderPorts, options: PartSenderOptions<Part>) {
    this.#ports = ports;
    this.#options = options;
  }

  /** @returns the part's ETag @throws TransportError, ApiError; TypeError if a call for URLs gets no response */
  async send(part: PartBody<Part>): Promise<string> {
    const { signal } = this.#options;
    for (;;) {
      if (this.#transport === "proxy" && this.#probes.tryStart()) {
        const etag = await this.#probe(part);
        if (etag !== null) return etag;
      }
      const transport = this.#transport;
      const repair = this.#repair;
      const name = this.#nameOf(part, transport);
      let attempt = 0;
      try {
        return await retryUploadStep(
          this.#ports,
          name,
          () => {
            attempt += 1;
            return this.#sendOver(transport, part);
          },
          (error) => this.#isWorthRetrying(error, transport),
          signal,
        );
      } catch (error) {
        if (signal.aborted) throw error;
        if (transport === "proxy" || !isAccessError(error)) {
          // If our server does not respond either, the person reads the original error of storage.
          throw isUnanswered(error) ? (this.#lastDirectError ?? error) : error;
        }
        this.#lastDirectError = error;
        await this.#fallBack(repair);
        warnOfRetry(this.#ports, name, attempt, error, 0);
      }
    }
  }

  /** Sends a part straight to storage, once. @returns its ETag; null after a failure */
  async #probe(part: PartBody<Part>): Promise<string | null> {
    const { signal, urls, onTransport } = this.#options;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), PROBE_TIMEOUT_MS);
    const onProgress = (sentBytes: number) => {
      if (sentBytes > 0) clearTimeout(timer);
      part.onProgress(sentBytes);
    };
    try {
      const etag = await this.#sendDirect({ ...part, onProgress }, AbortSignal.any([signal, timeout.signal]));
      this.#transport = "direct";
      onTransport("direct");
      return etag;
    } catch (error) {
      if (signal.aborted) throw error;
      part.onProgress(0);
      // The URLs may have expired since the last direct PUT.
      urls.clear();
      this.#probes.fail();
      warnOfRetry(this.#ports, this.#nameOf(part, "probe"), 1, error, 0);
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Makes one direct PUT. If the PUT stalls while other parts move, starts it again at once on another connection. */
  async #sendDirect(partBody: PartBody<Part>, signal: AbortSignal): Promise<string> {
    for (let resends = 0; ; resends += 1) {
      const stalled = new AbortController();
      try {
        const mayStall = resends < MAX_RETRIES;
        return await this.#putDirect(partBody, AbortSignal.any([signal, stalled.signal]), () => {
          if (mayStall) stalled.abort();
        });
      } catch (error) {
        if (signal.aborted || !stalled.signal.aborted) throw error;
        partBody.onProgress(0);
        this.#options.onFailure("stalled");
        warnOfRetry(this.#ports, this.#nameOf(partBody, "direct"), resends + 1, error, 0);
      }
    }
  }

  async #putDirect(
    { part, body, onProgress }: PartBody<Part>,
    signal: AbortSignal,
    onStalled: () => void,
  ): Promise<string> {
    const { urls, contentType, onSent } = this.#options;
    const url = await urls.get(part);
    if (url === null) return this.#putThroughServer({ part, body, onProgress }, signal);
    const watch = this.#stalled.watch(body.size, onStalled);
    try {
      const { etag } = await this.#ports.put(url, body, {
        transport: "direct",
        contentType,
        signal,
        onProgress: (sentBytes) => {
          // The browser sends bytes only if storage's CORS rules allow this page.
          if (sentBytes > 0) this.#directWorks = true;
          watch.move(sentBytes);
          onProgress(sentBytes);
        },
      });
      this.#directWorks = true;
      this.#lastDirectError = null;
      onSent?.("direct");
      return etag;
    } finally {
      watch.stop();
    }
  }

  async #putThroughServer({ part, body, onProgress }: PartBody<Part>, signal: AbortSignal): Promise<string> {
    const { proxyUrl, proxyAnswer, onSent } = this.#options;
    const settings = { transport: "proxy", contentType: PART_CONTENT_TYPE, signal, onProgress } as const;
    const etag = etagOf(await this.#ports.put(proxyUrl(part), body, settings), proxyAnswer);
    onSent?.("proxy");
    return etag;
  }

  async #sendOver(transport: PutRoute, partBody: PartBody<Part>): Promise<string> {
    const { urls, signal } = this.#options;
    const { part, onProgress } = partBody;
    try {
      return await (transport === "proxy"
        ? this.#putThroughServer(partBody, signal)
        : this.#sendDirect(partBody, signal));
    } catch (error) {
      onProgress(0);
      if (!signal.aborted) this.#options.onFailure(resendCause(error));
      if (isRefusedUrl(error)) urls.delete(part);
      throw error;
    }
  }

  #nameOf({ part }: PartBody<Part>, transport: PutRoute | "probe"): string {
    return `${this.#options.describe(part)} (${transport})`;
  }

  /** The first PUT without a response probably fails because of CORS rules: a retry changes nothing. */
  #isWorthRetrying(error: unknown, transport: PutRoute): boolean {
    if (!isRetryablePut(error)) return false;
    return !isAccessError(error) || this.#directWorks || transport === "proxy";
  }

  /** Repairs the CORS rules, or changes to the proxy if the failed attempt came after a repair. */
  async #fallBack(earlierRepair: Promise<void> | null): Promise<void> {
    if (earlierRepair === null) {
      this.#repair ??= this.#repairCors();
      await this.#repair;
      return;
    }
    if (this.#transport === "proxy") return;
    this.#transport = "proxy";
    this.#probes.schedule();
    this.#options.onTransport("proxy");
  }

  /** Ignores a failed repair, because the next direct PUT will fail, too. */
  async #repairCors(): Promise<void> {
    const { signal, urls } = this.#options;
    try {
      const repair = () => this.#ports.calls.fixCors(signal);
      await retryCall(this.#ports, "access to storage", repair, signal);
    } catch (error) {
      if (signal.aborted) throw error;
    }
    urls.clear();
  }
}

function etagOf({ text }: PutResponse, expected: z.ZodMiniType<{ etag: string }>): string {
  const answer = expected.safeParse(parseObject(text));
  if (!answer.success) throw new TransportError("proxy", "unreadable", { code: "unreadableAnswer" });
  return answer.data.etag;
}

/**
 * Whether an error looks like a wrong CORS rule or an invalid URL: a network error in browsers, or status 403 of
 * storage.
 */
function isAccessError(error: unknown): error is TransportError {
  return error instanceof TransportError && (error.failure === "network" || error.status === 403);
}

function isUnanswered(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof TransportError && error.failure === "network");
}

function isRetryablePut(error: unknown): boolean {
  if (!(error instanceof TransportError)) return isRetryableCall(error);
  // A slow connection would time out again.
  if (error.failure === "timeout") return false;
  return error.failure !== "rejected" || isRefusedUrl(error) || error.status >= 500;
}

/** Whether a new URL may help: 403 for an expired one, 404 for a multipart upload that another device has completed. */
function isRefusedUrl(error: unknown): boolean {
  return error instanceof TransportError && (error.status === 403 || error.status === 404);
}

/** The wait before each probe; the last wait repeats. New CORS rules take a while to reach browsers (decision 016). */
const PROBE_WAITS_MS = [2 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, 60 * SECOND_MS] as const;

/** Decides when to probe the direct transport while parts go through the server. Runs one probe at a time. */
export class DirectProbes {
  readonly #now: () => number;
  #dueAt: number | null = null;
  #failures = 0;

  /** @param now a monotonic clock, milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Call it when parts begin to go through the server. */
  schedule(): void {
    const last = PROBE_WAITS_MS.length - 1;
    this.#dueAt = this.#now() + (PROBE_WAITS_MS[Math.min(this.#failures, last)] ?? 0);
  }

  /** @returns whether a probe is due; the caller then sends the probe, and calls `fail` if the probe fails */
  tryStart(): boolean {
    if (this.#dueAt === null || this.#now() < this.#dueAt) return false;
    this.#dueAt = null;
    return true;
  }

  fail(): void {
    this.#failures += 1;
    this.schedule();
  }
}

/** A part has stalled if it has not moved for `BEHIND_MS` and others have since sent `BEHIND_PARTS` times its size. */
const BEHIND_MS = 8 * SECOND_MS;
const BEHIND_PARTS = 2;
/** `BEHIND_PARTS` for a part that has sent nothing yet: browsers queue it for one of their six connections. */
const UNSENT_BEHIND_PARTS = 6;
/** The only running part has stalled when it has not moved for this long. */
const ALONE_MS = 15 * SECOND_MS;

interface WatchedPart {
  sizeBytes: number;
  sentBytes: number;
  movedAt: number;
  /** The bytes that other parts have sent since this part last moved. */
  othersBytes: number;
  onStalled(): void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

interface PartWatch {
  /** @param sentBytes all bytes of the part sent so far */
  move(sentBytes: number): void;
  stop(): void;
}

/**
 * Finds a part whose connection is stuck while other parts move, long before the PUT times out. The measure is the
 * bytes that other parts send while the part does not move, so on a line that is only slow, no part counts as stalled.
 */
export class StalledParts {
  readonly #now: () => number;
  readonly #parts = new Set<WatchedPart>();

  /** @param now a monotonic clock, milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param onStalled called once, but not after the last byte, because the answer may take long */
  watch(sizeBytes: number, onStalled: () => void): PartWatch {
    const part: WatchedPart = {
      sizeBytes,
      sentBytes: 0,
      movedAt: this.#now(),
      othersBytes: 0,
      onStalled,
      timer: undefined,
    };
    this.#parts.add(part);
    this.#restartTimer(part);
    return {
      move: (sentBytes) => this.#move(part, sentBytes),
      stop: () => this.#remove(part),
    };
  }

  #move(part: WatchedPart, sentBytes: number): void {
    const movedBytes = sentBytes - part.sentBytes;
    if (movedBytes <= 0 || !this.#parts.has(part)) return;
    part.sentBytes = sentBytes;
    part.movedAt = this.#now();
    part.othersBytes = 0;
    this.#restartTimer(part);
    for (const other of this.#parts) {
      if (other === part) continue;
      other.othersBytes += movedBytes;
      const partsBehind = other.sentBytes > 0 ? BEHIND_PARTS : UNSENT_BEHIND_PARTS;
      const isBehind = other.othersBytes >= partsBehind * other.sizeBytes;
      if (isBehind && this.#now() - other.movedAt >= BEHIND_MS) this.#report(other);
    }
  }

  #restartTimer(part: WatchedPart): void {
    clearTimeout(part.timer);
    part.timer = setTimeout(() => {
      if (this.#parts.size === 1) this.#report(part);
    }, ALONE_MS);
  }

  #report(part: WatchedPart): void {
    if (part.sentBytes >= part.sizeBytes) return;
    this.#remove(part);
    part.onStalled();
  }

  #remove(part: WatchedPart): void {
    clearTimeout(part.timer);
    this.#parts.delete(part);
  }
}
