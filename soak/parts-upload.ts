import { PART_CONTENT_TYPE, partRange, planParts } from "#domain/parts.ts";
import type { CompletedPart, SignPartsAnswer, StartUploadAnswer } from "#domain/wire.ts";
import { HttpError, type Client } from "./client.ts";
import {
  LossError,
  sha256,
  type Checked,
  type FinishedFile,
  type SoakedUpload,
  type SoakFile,
} from "./soaked-upload.ts";

/** `presigned`: parts go straight to storage, receipts with the calls that sign URLs. `relayed`: through the Worker. */
export type PartsTransport = "presigned" | "relayed";

export class PartsUpload implements SoakedUpload {
  readonly file: SoakFile;
  readonly #client: Client;
  readonly #transport: PartsTransport;
  /** Whether the sender forgets the upload when the server is killed, and finds the upload again by the file. */
  readonly #isForgetful: boolean;
  #start: StartUploadAnswer | null = null;
  readonly #acknowledged = new Set<number>();
  /** The parts that storage has and the sender has not reported to the server. */
  readonly #unreported = new Map<number, CompletedPart>();
  /** Whether the sender has requested completion, which may have succeeded without an answer. */
  #isCompleting = false;
  #isComplete = false;

  constructor(client: Client, file: SoakFile, transport: PartsTransport, isForgetful: boolean) {
    this.#client = client;
    this.file = file;
    this.#transport = transport;
    this.#isForgetful = isForgetful;
  }

  get hasAcknowledged(): boolean {
    return !this.#isComplete && this.#acknowledged.size > 0;
  }

  get acknowledgedParts(): number {
    return this.#acknowledged.size;
  }

  /** Starts the upload, once. */
  async begin(): Promise<FinishedFile> {
    return (this.#start ??= await this.#begin());
  }

  async run(): Promise<FinishedFile> {
    const start = (this.#start ??= await this.#begin());
    // Parts are sent one after the other, so that a kill finds acknowledged parts.
    for (const part of this.#missing()) await this.#send(start, part);
    if (!this.#isComplete) await this.#complete(start);
    return start;
  }

  async check(): Promise<Checked> {
    if (!this.#start || this.#isComplete) return { parts: 0, chunks: 0 };
    try {
      const { received } = await this.#sign(this.#start, []);
      this.#compare(received);
      if (this.#isForgetful && !this.#isCompleting) await this.#beginAgain(this.#start);
    } catch (error) {
      // The error says that an earlier completion succeeded, whose answer was lost.
      if (!(error instanceof HttpError && error.code === "UPLOAD_FINISHED" && this.#isCompleting)) throw error;
    }
    return { parts: this.#acknowledged.size, chunks: 0 };
  }

  /** Starting the same file again must find the same upload. */
  async #beginAgain(before: StartUploadAnswer): Promise<void> {
    this.#start = await this.#begin();
    if (this.#start.uploadId !== before.uploadId)
      throw new LossError(`${this.file.name}: starting again did not find it`);
    this.#compare(this.#start.received);
    this.#unreported.clear();
  }

  #compare(received: number[]): void {
    const lost = [...this.#acknowledged].filter((part) => !received.includes(part));
    if (lost.length > 0)
      throw new LossError(`${this.file.name}: parts ${lost.join(", ")} were acknowledged and are unknown`);
    for (const part of received) this.#acknowledge(part);
  }

  #begin(): Promise<StartUploadAnswer> {
    return this.#client.post<StartUploadAnswer>("/api/direct-upload/presigned-url", {
      filename: this.file.name,
      fileType: PART_CONTENT_TYPE,
      fileSize: this.file.bytes.byteLength,
      expiration: "7d",
      fingerprint: sha256(this.file.name),
    });
  }

  async #send(start: StartUploadAnswer, part: number): Promise<void> {
    const { start: from, end } = partRange(this.file.bytes.byteLength, part);
    const bytes = this.file.bytes.slice(from, end);
    if (this.#transport === "relayed") {
      await this.#client.put<CompletedPart>(`/api/direct-upload/parts/${start.downloadId}/${part}`, bytes);
      this.#acknowledge(part);
      return;
    }
    const { urls } = await this.#sign(start, [part]);
    const etag = await this.#client.putToStore(urls[0]?.url ?? "", bytes, PART_CONTENT_TYPE);
    this.#unreported.set(part, { part, etag });
  }

  async #sign({ downloadId }: StartUploadAnswer, parts: number[]): Promise<SignPartsAnswer> {
    const receipts = parts.length > 0 ? [...this.#unreported.values()] : [];
    const request = { downloadId, parts, receipts };
    const answer = await this.#client.post<SignPartsAnswer>("/api/direct-upload/sign-parts", request);
    for (const { part } of receipts) this.#acknowledge(part);
    return answer;
  }

  async #complete({ downloadId }: StartUploadAnswer): Promise<void> {
    this.#isCompleting = true;
    const request = { downloadId, receipts: [...this.#unreported.values()], sha256: sha256(this.file.bytes) };
    try {
      await this.#client.post("/api/direct-upload/complete", request);
    } catch (error) {
      if (!(error instanceof HttpError && error.status < 500)) throw error;
      throw new LossError(`${this.file.name}: storage had taken every part, but ${error.message}`);
    }
    this.#isComplete = true;
  }

  #acknowledge(part: number): void {
    this.#acknowledged.add(part);
    this.#unreported.delete(part);
  }

  #missing(): number[] {
    const { partCount } = planParts(this.file.bytes.byteLength);
    const parts = Array.from({ length: partCount }, (_, index) => index + 1);
    return parts.filter((part) => !this.#acknowledged.has(part) && !this.#unreported.has(part));
  }
}
