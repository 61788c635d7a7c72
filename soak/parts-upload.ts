import { PART_CONTENT_TYPE, partRange, planParts } from "#domain/parts.ts";
import type { Receipt, SignPartsAnswer, StartUploadAnswer } from "#domain/wire.ts";
import { Refusal, type Client } from "./client.ts";
import {
  LossError,
  sha256,
  type Checked,
  type FinishedFile,
  type SoakedUpload,
  type SoakFile,
} from "./soaked-upload.ts";

/** To storage itself, with receipts over the signing calls; or through our own server, which keeps the receipts. */
export type PartsRoad = "presigned" | "relayed";

/** A file that goes up in parts. */
export class PartsUpload implements SoakedUpload {
  readonly file: SoakFile;
  readonly #client: Client;
  readonly #transport: PartsRoad;
  /** Whether the sender forgets everything when the server dies, and finds its upload by the file. */
  readonly #isForgetful: boolean;
  #start: StartUploadAnswer | null = null;
  /** Parts the server has said it knows. */
  readonly #acknowledged = new Set<number>();
  /** Parts that storage has taken and the server has not been told of. */
  readonly #untold = new Map<number, Receipt>();
  /** Whether the completion has been asked for; it may have gone through without an answer. */
  #isCompleting = false;
  #isComplete = false;

  constructor(client: Client, file: SoakFile, transport: PartsRoad, isForgetful: boolean) {
    this.#client = client;
    this.file = file;
    this.#transport = transport;
    this.#isForgetful = isForgetful;
  }

  get hasAcknowledged(): boolean {
    return !this.#isComplete && this.#acknowledged.size > 0;
  }

  async run(): Promise<FinishedFile> {
    const start = (this.#start ??= await this.#begin());
    // One after the other: several uploads share the line, and a kill is to find parts that have been acknowledged.
    for (const part of this.#missing()) await this.#send(start, part);
    if (!this.#isComplete) await this.#complete(start);
    return start;
  }

  async check(): Promise<Checked> {
    if (!this.#start || this.#isComplete) return { parts: 0, chunks: 0 };
    try {
      const { received } = await this.#tell(this.#start, []);
      this.#compare(received);
      if (this.#isForgetful && !this.#isCompleting) await this.#beginAgain(this.#start);
    } catch (error) {
      // The completion went through, and its answer was lost.
      if (!(error instanceof Refusal && error.code === "UPLOAD_FINISHED" && this.#isCompleting)) throw error;
    }
    return { parts: this.#acknowledged.size, chunks: 0 };
  }

  /** The same file again finds the same upload, with all the server knows of it. */
  async #beginAgain(before: StartUploadAnswer): Promise<void> {
    this.#start = await this.#begin();
    if (this.#start.uploadId !== before.uploadId)
      throw new LossError(`${this.file.name}: starting again did not find it`);
    this.#compare(this.#start.received);
    this.#untold.clear();
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
      await this.#client.put<Receipt>(`/api/direct-upload/parts/${start.downloadId}/${part}`, bytes);
      this.#acknowledge(part);
      return;
    }
    const { urls } = await this.#tell(start, [part]);
    const etag = await this.#client.putToStore(urls[0]?.url ?? "", bytes, PART_CONTENT_TYPE);
    this.#untold.set(part, { part, etag });
  }

  /** Gets parts signed, and hands over the receipts there are. */
  async #tell({ downloadId }: StartUploadAnswer, parts: number[]): Promise<SignPartsAnswer> {
    const receipts = parts.length > 0 ? [...this.#untold.values()] : [];
    const request = { downloadId, parts, receipts };
    const answer = await this.#client.post<SignPartsAnswer>("/api/direct-upload/sign-parts", request);
    for (const { part } of receipts) this.#acknowledge(part);
    return answer;
  }

  async #complete({ downloadId }: StartUploadAnswer): Promise<void> {
    this.#isCompleting = true;
    const request = { downloadId, receipts: [...this.#untold.values()], sha256: sha256(this.file.bytes) };
    try {
      await this.#client.post("/api/direct-upload/complete", request);
    } catch (error) {
      if (!(error instanceof Refusal && error.status < 500)) throw error;
      throw new LossError(`${this.file.name}: storage had taken every part, but ${error.message}`);
    }
    this.#isComplete = true;
  }

  #acknowledge(part: number): void {
    this.#acknowledged.add(part);
    this.#untold.delete(part);
  }

  #missing(): number[] {
    const { partCount } = planParts(this.file.bytes.byteLength);
    const parts = Array.from({ length: partCount }, (_, index) => index + 1);
    return parts.filter((part) => !this.#acknowledged.has(part) && !this.#untold.has(part));
  }
}
