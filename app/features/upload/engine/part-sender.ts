import { api, ApiError, parseObject } from "#app/lib/api.ts";
import { PART_CONTENT_TYPE } from "#domain/parts.ts";
import { SECOND_MS } from "#domain/units.ts";
import { proxiedPart } from "#domain/wire.ts";
import { DirectProbes } from "./direct-probes.ts";
import type { PartUrls } from "./part-urls.ts";
import { PutError } from "./errors.ts";
import { put, type PutAnswer, type PutRoute } from "./put.ts";
import { retryUploadStep } from "./retry.ts";

/** A probe of the direct road that has sent nothing for so long has failed: its part then goes through the server. */
const PROBE_TIMEOUT_MS = 10 * SECOND_MS;

export interface PartBody {
  part: number;
  body: Blob;
  onProgress(sentBytes: number): void;
}

export interface PartSenderOptions {
  downloadId: string;
  urls: PartUrls;
  /** What storage expects of a presigned PUT. */
  contentType: string;
  signal: AbortSignal;
  onTransport(transport: PutRoute): void;
  onFailure(): void;
}

/**
 * Gets one part after the other to storage: straight, with a presigned URL; where the browser or storage does not allow
 * that, after the bucket's CORS rules were repaired, once; and else through our server. From then on a part now and then
 * is sent straight as a probe, and when one gets through, all that follow go straight again.
 */
export class PartSender {
  readonly #options: PartSenderOptions;
  #transport: PutRoute = "direct";
  /** Whether a part has gone straight to storage: then a failure is the network's, not the rules'. */
  #directWorks = false;
  #repair: Promise<void> | null = null;
  readonly #probes = new DirectProbes(() => performance.now());
  /** Why storage could not be reached, the last time it could not. */
  #directFailure: PutError | null = null;

  constructor(options: PartSenderOptions) {
    this.#options = options;
  }

  /**
   * @returns the part's ETag
   * @throws PutError, ApiError; TypeError when a URL was asked for and nothing answered
   */
  async send(part: PartBody): Promise<string> {
    const { signal } = this.#options;
    for (;;) {
      if (this.#transport === "proxy" && this.#probes.take()) {
        const etag = await this.#probe(part);
        if (etag !== null) return etag;
      }
      const transport = this.#transport;
      const repairing = this.#repair;
      try {
        return await retryUploadStep(
          () => this.#sendOver(transport, part),
          (error) => this.#isWorthRetrying(error, transport),
          signal,
        );
      } catch (error) {
        if (signal.aborted) throw error;
        if (transport !== "direct" || !isAccessFailure(error)) {
          // Where our server does not answer either, what kept the part from storage is what there is to say.
          throw isUnanswered(error) ? (this.#directFailure ?? error) : error;
        }
        this.#directFailure = error;
        await this.#stepDown(repairing);
      }
    }
  }

  /** Sends a part straight to storage, once. @returns its ETag; null when it did not get there */
  async #probe(part: PartBody): Promise<string | null> {
    const { signal, urls, onTransport } = this.#options;
    const timeout = new AbortController();
    const timer = setTimeout(() => {
      timeout.abort();
    }, PROBE_TIMEOUT_MS);
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
      // They may have run out meanwhile.
      urls.dropAll();
      this.#probes.fail();
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  async #sendDirect({ part, body, onProgress }: PartBody, signal: AbortSignal): Promise<string> {
    const { urls, contentType } = this.#options;
    const { etag } = await put(await urls.get(part), body, { transport: "direct", contentType, signal, onProgress });
    this.#directWorks = true;
    this.#directFailure = null;
    return etag;
  }

  async #sendOver(transport: PutRoute, sending: PartBody): Promise<string> {
    const { downloadId, urls, signal } = this.#options;
    const { part, body, onProgress } = sending;
    try {
      if (transport === "proxy") {
        const url = `/api/direct-upload/parts/${downloadId}/${part}`;
        return relayedEtag(await put(url, body, { transport, contentType: PART_CONTENT_TYPE, signal, onProgress }));
      }
      return await this.#sendDirect(sending, signal);
    } catch (error) {
      onProgress(0);
      if (!signal.aborted) this.#options.onFailure();
      if (error instanceof PutError && error.status === 403) urls.drop(part);
      throw error;
    }
  }

  /** A first PUT that gets no answer is most likely refused by CORS: trying it again changes nothing. */
  #isWorthRetrying(error: unknown, transport: PutRoute): boolean {
    if (!isPassing(error)) return false;
    return !isAccessFailure(error) || this.#directWorks || transport === "proxy";
  }

  /**
   * One rung down the ladder. Parts that fail together take it together.
   * @param tried the repair that the failed attempt came after, if any
   */
  async #stepDown(tried: Promise<void> | null): Promise<void> {
    if (tried === null) {
      this.#repair ??= this.#repairCors();
      await this.#repair;
      return;
    }
    if (this.#transport === "proxy") return;
    this.#transport = "proxy";
    this.#probes.start();
    this.#options.onTransport("proxy");
  }

  /** One repair, tried again three times at most; where it fails, the next attempt to send shows what that means. */
  async #repairCors(): Promise<void> {
    const { signal, urls } = this.#options;
    try {
      await retryUploadStep(() => api.fixCors(signal), isPassing, signal);
    } catch (error) {
      if (signal.aborted) throw error;
    }
    urls.dropAll();
  }
}

/** The server's answer to a part names it and the file it belongs to (specification 1 section 5): else it is not ours. */
function relayedEtag({ text }: PutAnswer): string {
  const answer = proxiedPart.safeParse(parseObject(text));
  if (!answer.success) throw new PutError("unreadable", (t) => t("unreadableAnswer"));
  return answer.data.etag;
}

/** What a wrong CORS rule or a URL that is no good looks like from here. */
function isAccessFailure(error: unknown): error is PutError {
  return error instanceof PutError && (error.kind === "network" || error.status === 403);
}

function isUnanswered(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof PutError && error.kind === "network");
}

/** Whether trying again may help: nothing answered, the server or storage is in trouble, or a URL has run out. */
export function isPassing(error: unknown): boolean {
  if (error instanceof PutError) {
    // A line too slow for the server's five minutes is so again.
    return error.kind === "refused" ? error.status === 403 || error.status >= 500 : error.kind !== "timeout";
  }
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return error instanceof TypeError;
}
