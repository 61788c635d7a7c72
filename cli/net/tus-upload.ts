import { HEADER_NAMES } from "#domain/header-names.ts";
import { readByteCount, writeMetadata } from "#domain/tus/headers.ts";
import { TUS_CONTENT_TYPE, TUS_VERSION } from "#domain/tus/protocol.ts";
import { SECOND_MS } from "#domain/units.ts";
import { V1_PATH } from "#domain/v1/address.ts";
import type { CallAnswer } from "#domain/v1/calls.ts";
import { ApiError } from "#engine/api-error.ts";
import { pause } from "#engine/pause.ts";
import { retryUploadStep } from "#engine/retry.ts";
import type { Online } from "#engine/ports.ts";
import { isRetryableCall } from "#engine/upload-step.ts";
import { EXIT, Failure } from "../failure.ts";
import { fetchDirectly } from "./fetch.ts";
import type { V1 } from "./v1.ts";

const VERSION = { "tus-resumable": TUS_VERSION };
/** Whoever interrupts the program waits no longer for the server. */
const CANCEL_MS = 5 * SECOND_MS;
/** Between two looks at an upload that storage is still joining. */
const LOOK_MS = SECOND_MS;

interface Surroundings {
  v1: V1;
  online: Online;
  warn(message: string): void;
  signal: AbortSignal;
}

/** An upload that begins without a size (docs/decisions/034-tus.md). Its bytes are given in their order. */
export class TusUpload {
  /** What recipients open. */
  readonly link: string;
  readonly #id: string;
  readonly #address: string;
  readonly #surroundings: Surroundings;
  /** Where the next byte belongs. */
  #offset = 0;

  private constructor(surroundings: Surroundings, headers: Headers) {
    const { v1 } = surroundings;
    const { pathname } = new URL(headers.get("location") ?? "", v1.origin);
    const [, id] = /\/tus\/([\w-]+)\//.exec(pathname) ?? [];
    if (id === undefined) throw v1.stranger();
    this.link = headers.get(HEADER_NAMES.link) ?? "";
    this.#id = id;
    // Bytes go nowhere else than calls.
    this.#address = v1.origin + pathname;
    this.#surroundings = surroundings;
  }

  /** @throws ApiError, TypeError, Failure; the signal's reason */
  static async start(surroundings: Surroundings, metadata: Parameters<typeof writeMetadata>[0]): Promise<TusUpload> {
    const { v1, signal } = surroundings;
    const headers = { ...VERSION, "upload-defer-length": "1", "upload-metadata": writeMetadata(metadata) };
    const start = () => v1.ask(`${v1.origin}${V1_PATH}/tus`, { method: "POST", headers, body: "", signal });
    const started = await retryUploadStep(surroundings, "start", start, isRetryableCall, signal);
    return new TusUpload(surroundings, started.headers);
  }

  /**
   * Adds bytes. Where a request breaks, the server says what it has, and the rest is sent again.
   * @param isLast the upload ends with them @param onProgress told how many bytes of the upload are sent
   * @throws as `start`; Failure when the server has lost bytes that were added before
   */
  async add(bytes: Uint8Array, isLast: boolean, onProgress: (sentBytes: number) => void): Promise<void> {
    const start = this.#offset;
    const send = () => this.#send(bytes.subarray(this.#offset - start), isLast, onProgress);
    let isStored = false;
    while (!isStored) {
      const name = `the request from byte ${this.#offset} on`;
      isStored = await retryUploadStep(this.#surroundings, name, send, isWorthRetrying, this.#surroundings.signal);
    }
  }

  /** Waits until storage has joined the upload. @throws as `start`; Failure when the upload has ended otherwise */
  async finish(): Promise<CallAnswer<"readUpload">> {
    const { v1, signal } = this.#surroundings;
    const look = () => v1.call("readUpload", { params: { id: this.#id }, signal });
    for (;;) {
      const upload = await retryUploadStep(this.#surroundings, "completion", look, isRetryableCall, signal);
      if (upload.state === "ready") return upload;
      if (upload.state !== "uploading") throw new Failure(EXIT.fault, "The server did not finish the upload.");
      await pause(LOOK_MS, signal);
    }
  }

  /** The server drops what it has. Without an answer it does so by itself, a day after the last byte. */
  async cancel(): Promise<void> {
    const init = { method: "DELETE", headers: VERSION, signal: AbortSignal.timeout(CANCEL_MS) };
    await fetchDirectly(this.#address, init).catch(() => undefined);
  }

  /** @returns false when only some of the bytes are stored @throws ApiError, TypeError when none of them is */
  async #send(bytes: Uint8Array, isLast: boolean, onProgress: (sentBytes: number) => void): Promise<boolean> {
    const { v1, signal } = this.#surroundings;
    const from = this.#offset;
    const end = from + bytes.length;
    try {
      await v1.ask(this.#address, {
        method: "PATCH",
        headers: {
          ...VERSION,
          "content-type": TUS_CONTENT_TYPE,
          "upload-offset": String(from),
          ...(isLast && { "upload-length": String(end) }),
        },
        body: bytes,
        signal,
        onProgress: (sentBytes) => {
          onProgress(from + sentBytes);
        },
      });
      this.#offset = end;
      return true;
    } catch (error) {
      if (signal.aborted || !isWorthRetrying(error)) throw error;
      this.#offset = await this.#readOffset(from, end);
      if (this.#offset === from) throw error;
      // Only the answer to the last request says that the server knows the size.
      return this.#offset === end && !isLast;
    }
  }

  /** @throws as `start`; Failure when it is not between the two */
  async #readOffset(from: number, end: number): Promise<number> {
    const { v1, signal } = this.#surroundings;
    const { headers } = await v1.ask(this.#address, { method: "HEAD", headers: VERSION, signal });
    const offset = readByteCount(headers.get("upload-offset") ?? undefined);
    if (offset === null || offset > end) throw v1.stranger();
    if (offset >= from) return offset;
    throw new Failure(EXIT.fault, "Storage lost bytes that standard input does not give again.");
  }
}

/** Another request had taken the upload over, or the answer to a request that came through was lost. */
function isWorthRetrying(error: unknown): boolean {
  return isRetryableCall(error) || (error instanceof ApiError && error.body.code === "OFFSET_CONFLICT");
}
