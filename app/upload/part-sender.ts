import { api, ApiError } from "#app/api.ts";
import { PART_CONTENT_TYPE } from "#domain/parts.ts";
import { MINUTE_MS } from "#domain/units.ts";
import type { PartUrls } from "./part-urls.ts";
import { put, PutError } from "./put.ts";
import { retrying } from "./retry.ts";

/** The ways a part can travel, fastest first. All of them fill one part map. */
export type Road = "direct" | "proxy";

/** A part through our server may take so long (specification 1 section 9). */
const PROXY_TIMEOUT_MS = 5 * MINUTE_MS;

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
  onRoad(road: Road): void;
  onFailure(): void;
}

/**
 * Gets one part after the other to storage: straight, with a presigned URL; where the browser or storage does not allow
 * that, after the bucket's CORS rules were repaired, once; and else through our server.
 */
export class PartSender {
  readonly #options: PartSenderOptions;
  #road: Road = "direct";
  /** Whether a part has gone straight to storage: then a failure is the network's, not the rules'. */
  #directWorks = false;
  #repair: Promise<void> | null = null;

  constructor(options: PartSenderOptions) {
    this.#options = options;
  }

  /** @returns the part's ETag */
  async send(part: PartBody): Promise<string> {
    const { signal } = this.#options;
    for (;;) {
      const road = this.#road;
      const repairing = this.#repair;
      try {
        return await retrying(
          () => this.#sendBy(road, part),
          (error) => this.#isWorthRetrying(error),
          signal,
        );
      } catch (error) {
        if (signal.aborted || road !== "direct" || !isAccessFailure(error)) throw error;
        await this.#stepDown(repairing);
      }
    }
  }

  async #sendBy(road: Road, { part, body, onProgress }: PartBody): Promise<string> {
    const { downloadId, urls, contentType, signal } = this.#options;
    try {
      if (road === "proxy") {
        const url = `/api/direct-upload/parts/${downloadId}/${part}`;
        return await put(url, body, {
          contentType: PART_CONTENT_TYPE,
          signal,
          onProgress,
          timeoutMs: PROXY_TIMEOUT_MS,
        });
      }
      const etag = await put(await urls.get(part), body, { contentType, signal, onProgress });
      this.#directWorks = true;
      return etag;
    } catch (error) {
      onProgress(0);
      if (!signal.aborted) this.#options.onFailure();
      if (error instanceof PutError && error.status === 403) urls.drop(part);
      throw error;
    }
  }

  /** A first PUT that gets no answer is most likely refused by CORS: trying it again changes nothing. */
  #isWorthRetrying(error: unknown): boolean {
    if (!isPassing(error)) return false;
    return !isAccessFailure(error) || this.#directWorks || this.#road === "proxy";
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
    if (this.#road === "proxy") return;
    this.#road = "proxy";
    this.#options.onRoad("proxy");
  }

  /** One repair, tried again three times at most; where it fails, the next attempt to send shows what that means. */
  async #repairCors(): Promise<void> {
    const { signal, urls } = this.#options;
    try {
      await retrying(() => api.fixCors(signal), isPassing, signal);
    } catch (error) {
      if (signal.aborted) throw error;
    }
    urls.dropAll();
  }
}

/** What a wrong CORS rule or a URL that is no good looks like from here. */
function isAccessFailure(error: unknown): boolean {
  return error instanceof PutError && (error.status === 0 || error.status === 403);
}

/** Whether trying again may help: nothing answered, the server or storage is in trouble, or a URL has run out. */
export function isPassing(error: unknown): boolean {
  if (error instanceof PutError) return error.status === 0 || error.status === 403 || error.status >= 500;
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return error instanceof TypeError;
}
