import { DEFAULT_CHUNK_BYTES } from "#domain/parts.ts";
import type { ChunkAnswer, FinalizeChunkedAnswer, InitChunkedAnswer } from "#domain/wire.ts";
import { HttpError, type Client } from "./client.ts";
import {
  inParallel,
  LossError,
  type Checked,
  type FinishedFile,
  type SoakedUpload,
  type SoakFile,
} from "./soaked-upload.ts";

const CHUNKS_IN_FLIGHT = 3;

export class ChunksUpload implements SoakedUpload {
  readonly file: SoakFile;
  readonly #client: Client;
  #init: InitChunkedAnswer | null = null;
  /** The numbers of acknowledged chunks, from 0. */
  readonly #acknowledged = new Set<number>();
  #isFinal = false;

  constructor(client: Client, file: SoakFile) {
    this.#client = client;
    this.file = file;
  }

  get hasAcknowledged(): boolean {
    return !this.#isFinal && this.#acknowledged.size > 0;
  }

  async run(): Promise<FinishedFile> {
    const init = (this.#init ??= await this.#begin());
    // `check` has completed the upload if all chunks whose answers were lost had arrived.
    if (this.#isFinal) return init;
    await inParallel(this.#missing(init), CHUNKS_IN_FLIGHT, async (index) => {
      await this.#send(init, index);
      this.#acknowledged.add(index);
    });
    await this.#finalize(init);
    return init;
  }

  async check(): Promise<Checked> {
    if (!this.#init || this.#isFinal) return { parts: 0, chunks: 0 };
    const checked = { parts: 0, chunks: this.#acknowledged.size };
    // Finalizing early returns the missing chunks, or completes the upload if none is missing.
    const missing = await this.#finalize(this.#init);
    if (missing !== null) await this.#sendAgain(this.#init, missing);
    return checked;
  }

  /** Sending an acknowledged chunk again must change nothing. */
  async #sendAgain(init: InitChunkedAnswer, missing: number[]): Promise<void> {
    const [known] = this.#acknowledged;
    if (known === undefined) return;
    const { receivedChunks } = await this.#send(init, known);
    if (receivedChunks === this.#total(init) - missing.length) return;
    throw new LossError(`${this.file.name}: chunk ${known} came again, and now there are ${receivedChunks} chunks`);
  }

  #begin(): Promise<InitChunkedAnswer> {
    const size = this.file.bytes.byteLength;
    return this.#client.post<InitChunkedAnswer>("/api/chunked-upload/init", {
      filename: this.file.name,
      totalSize: String(size),
      totalChunks: String(Math.ceil(size / DEFAULT_CHUNK_BYTES)),
      expiration: "7d",
    });
  }

  #send({ uploadId, chunkSize }: InitChunkedAnswer, index: number): Promise<ChunkAnswer> {
    const form = new FormData();
    form.set("chunk", new Blob([this.file.bytes.slice(index * chunkSize, (index + 1) * chunkSize)]));
    form.set("uploadId", uploadId);
    form.set("chunkIndex", String(index));
    form.set("totalChunks", "1");
    return this.#client.postForm<ChunkAnswer>("/api/chunked-upload/chunk", form);
  }

  /** @returns missing chunks, or null @throws LossError when a missing chunk was acknowledged */
  async #finalize({ uploadId }: InitChunkedAnswer): Promise<number[] | null> {
    try {
      await this.#client.post<FinalizeChunkedAnswer>("/api/chunked-upload/finalize", { uploadId });
      this.#isFinal = true;
      return null;
    } catch (error) {
      if (!(error instanceof HttpError && error.code === "UPLOAD_INCOMPLETE")) throw error;
      const lost = error.missing.filter((index) => this.#acknowledged.has(index));
      if (lost.length === 0 && error.missing.length > 0) return error.missing;
      throw new LossError(`${this.file.name}: chunks ${lost.join(", ")} were acknowledged, but ${error.message}`);
    }
  }

  #total({ chunkSize }: InitChunkedAnswer): number {
    return Math.ceil(this.file.bytes.byteLength / chunkSize);
  }

  #missing(init: InitChunkedAnswer): number[] {
    const chunks = Array.from({ length: this.#total(init) }, (_, index) => index);
    return chunks.filter((index) => !this.#acknowledged.has(index));
  }
}
