import { addAbortSignal, type Readable } from "node:stream";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { TUS_REQUEST_BYTES, readByteCount, writeMetadata, TUS_CONTENT_TYPE, TUS_VERSION } from "#domain/tus.ts";
import { SECOND_MS } from "#domain/units.ts";
import { V1_PATH } from "#domain/v1/call.ts";
import type { CallAnswer } from "#domain/v1/calls.ts";
import { ApiError } from "#engine/api-error.ts";
import type { Online } from "#engine/ports.ts";
import { ProgressReporter } from "#engine/progress.ts";
import { pause } from "#engine/timing.ts";
import { retryCall, retryUploadStep, isRetryableCall } from "#engine/upload-step.ts";
import type { UploadOptions } from "#engine/upload-types.ts";
import { EXIT, Failure } from "../failure.ts";
import { fetchDirectly } from "../net/fetch.ts";
import type { V1 } from "../net/v1.ts";
import type { Session } from "../session.ts";
import type { Terminal } from "../terminal.ts";
import type { SentLink } from "./sending.ts";

interface Streaming {
  name: string;
  options: UploadOptions;
  session: Session;
  terminal: Terminal;
  signal: AbortSignal;
}

/**
 * Sends a stream of unknown size. A failure cancels the upload, since the stream cannot be read again.
 * @throws ApiError, TypeError, Failure; the signal's reason
 */
export async function sendStream(
  stream: Readable,
  { name, options, session, terminal, signal }: Streaming,
): Promise<SentLink> {
  const { expiration, expirationChosen, expiresAt, guards: { password, maxDownloads } = {} } = options;
  const warn = (text: string) => terminal.note(text);
  const upload = await TusUpload.start(
    { v1: session.v1, online: session.connection, warn, signal },
    {
      filename: name,
      ...(expirationChosen && { expires: expiration }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(password !== undefined && { password }),
      ...(maxDownloads !== undefined && { downloads: String(maxDownloads) }),
    },
  );
  terminal.note(`The link works already: ${upload.link}`);
  const progress = new ProgressReporter(Infinity, (known) => terminal.progress(known));
  try {
    for await (const { bytes, isLast } of piecesOf(addAbortSignal(signal, stream), TUS_REQUEST_BYTES)) {
      await upload.add(bytes, isLast, (sentBytes) => progress.update(sentBytes));
    }
    const { id, link, size, expiresAt, name: stored } = await upload.finish();
    return { id, link, name: stored, size, expiresAt };
  } catch (error) {
    await upload.cancel();
    throw signal.aborted ? signal.reason : error;
  } finally {
    progress.stop();
  }
}

/** A piece of a stream that one request sends. */
interface Piece {
  bytes: Uint8Array;
  /** Whether the stream ends with this piece. The last piece is shorter than the others, and may be empty. */
  isLast: boolean;
}

/**
 * Cuts a stream into pieces of one size. All pieces share one buffer, so asking for the next piece overwrites the
 * previous one. The stream is read only when the next piece is asked for.
 */
export async function* piecesOf(stream: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Piece> {
  const buffer = new Uint8Array(sizeBytes);
  let filled = 0;
  for await (const chunk of stream) {
    let taken = 0;
    while (taken < chunk.length) {
      const bytes = chunk.subarray(taken, taken + sizeBytes - filled);
      buffer.set(bytes, filled);
      taken += bytes.length;
      filled += bytes.length;
      if (filled < sizeBytes) continue;
      yield { bytes: buffer, isLast: false };
      filled = 0;
    }
  }
  yield { bytes: buffer.subarray(0, filled), isLast: true };
}

const VERSION = { "tus-resumable": TUS_VERSION };
/** The time-out of the cancel call, so that an interrupted program ends soon. */
const CANCEL_MS = 5 * SECOND_MS;
/** The pause between two polls of an upload that storage is still joining. */
const LOOK_MS = SECOND_MS;

interface Surroundings {
  v1: V1;
  online: Online;
  warn(message: string): void;
  signal: AbortSignal;
}

/** An upload that starts without a size (docs/decisions/034-tus.md), to which bytes are added in order. */
class TusUpload {
  readonly link: string;
  readonly #id: string;
  readonly #address: string;
  readonly #surroundings: Surroundings;
  /** The number of bytes that the server has stored. */
  #offset = 0;

  private constructor(surroundings: Surroundings, headers: Headers) {
    const { v1 } = surroundings;
    const { pathname } = new URL(headers.get("location") ?? "", v1.origin);
    const [, id] = /\/tus\/([\w-]+)\//.exec(pathname) ?? [];
    if (id === undefined) throw v1.stranger();
    this.link = headers.get(HEADER_NAMES.link) ?? "";
    this.#id = id;
    // Bytes are sent to the server's own origin, whatever host `location` names.
    this.#address = v1.origin + pathname;
    this.#surroundings = surroundings;
  }

  /** @throws ApiError, TypeError, Failure; the signal's reason */
  static async start(surroundings: Surroundings, metadata: Parameters<typeof writeMetadata>[0]): Promise<TusUpload> {
    const { v1, signal } = surroundings;
    const headers = { ...VERSION, "upload-defer-length": "1", "upload-metadata": writeMetadata(metadata) };
    const start = () => v1.ask(`${v1.origin}${V1_PATH}/tus`, { method: "POST", headers, body: "", signal });
    const started = await retryCall(surroundings, "start", start, signal);
    return new TusUpload(surroundings, started.headers);
  }

  /**
   * Adds bytes. If a request breaks, the server is asked for its offset, and the bytes after that offset are sent
   * again.
   * @param isLast the upload ends with these bytes @param onProgress gets the number of sent bytes of the upload
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

  /** Waits until storage has joined the upload. @throws as `start`; Failure when the upload failed or was cancelled */
  async finish(): Promise<CallAnswer<"readUpload">> {
    const { v1, signal } = this.#surroundings;
    const look = () => v1.call("readUpload", { params: { id: this.#id }, signal });
    for (;;) {
      const upload = await retryCall(this.#surroundings, "completion", look, signal);
      if (upload.state === "ready") return upload;
      if (upload.state !== "uploading") throw new Failure(EXIT.fault, "The server did not finish the upload.");
      await pause(LOOK_MS, signal);
    }
  }

  /** Cancels the upload on the server. If the call fails, the server cancels by itself a day after the last byte. */
  async cancel(): Promise<void> {
    const init = { method: "DELETE", headers: VERSION, signal: AbortSignal.timeout(CANCEL_MS) };
    await fetchDirectly(this.#address, init).catch(() => undefined);
  }

  /** @returns false when only some bytes are stored @throws ApiError, TypeError when none of the bytes is stored */
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
        onProgress: (sentBytes) => onProgress(from + sentBytes),
      });
      this.#offset = end;
      return true;
    } catch (error) {
      if (signal.aborted || !isWorthRetrying(error)) throw error;
      this.#offset = await this.#readOffset(from, end);
      if (this.#offset === from) throw error;
      // The server knows the upload's size only if the answer to the last request says so.
      return this.#offset === end && !isLast;
    }
  }

  /** @throws as `start`; Failure when the server's offset is below `from` or above `end` */
  async #readOffset(from: number, end: number): Promise<number> {
    const { v1, signal } = this.#surroundings;
    const { headers } = await v1.ask(this.#address, { method: "HEAD", headers: VERSION, signal });
    const offset = readByteCount(headers.get("upload-offset") ?? undefined);
    if (offset === null || offset > end) throw v1.stranger();
    if (offset >= from) return offset;
    throw new Failure(EXIT.fault, "Storage lost bytes that standard input does not give again.");
  }
}

/** A PATCH is also retried when another request held the upload, or when the answer to a stored request was lost. */
function isWorthRetrying(error: unknown): boolean {
  return isRetryableCall(error) || (error instanceof ApiError && error.body.code === "OFFSET_CONFLICT");
}
