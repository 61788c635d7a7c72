import { MIB } from "#domain/units.ts";
import { ChunksUpload } from "./chunks-upload.ts";
import type { Client } from "./client.ts";
import { PartsUpload, type PartsRoad } from "./parts-upload.ts";
import { Seeded, seededBytes } from "./seeded.ts";
import { compare, LossError, type Checked, type SoakedUpload } from "./soaked-upload.ts";

export type PutRoute = PartsRoad | "chunks";

/** Beyond this many the run says nothing new. */
const MOST_PROBLEMS = 20;

/** What all lanes have come to. */
export interface Tally {
  finished: number;
  finishedBytes: number;
  /** Acknowledged parts and chunks, counted once for each restart that they had to outlive. */
  checked: Checked;
  /** Everything that went wrong. */
  problems: string[];
}

/** One upload after another on one road. */
export class Lane {
  readonly #client: Client;
  readonly #transport: PutRoute;
  readonly #seed: string;
  readonly #tally: Tally;
  #begun = 0;
  #upload: SoakedUpload;

  /** @param seed names everything that the lane draws */
  constructor(client: Client, transport: PutRoute, seed: string, tally: Tally) {
    this.#client = client;
    this.#transport = transport;
    this.#seed = seed;
    this.#tally = tally;
    this.#upload = this.#next();
  }

  /** Whether the upload at hand has something to lose. */
  get hasAcknowledged(): boolean {
    return this.#upload.hasAcknowledged;
  }

  /** Uploads until the server dies. What fails before that is a problem; what the kill cuts off is none. */
  async work(isKilled: () => boolean): Promise<void> {
    while (!isKilled()) await this.finish(isKilled);
  }

  /** Brings the upload at hand to its end, and gets the next one ready. */
  async finish(isKilled: () => boolean): Promise<void> {
    try {
      const finished = await this.#upload.run();
      await compare(this.#client, this.#upload.file, finished);
      this.#tally.finished += 1;
      this.#tally.finishedBytes += this.#upload.file.bytes.byteLength;
      this.#upload = this.#next();
      // So that a long run does not fill the disk.
      await this.#client.delete(`/api/files/${finished.uploadId}`);
    } catch (error) {
      if (error instanceof LossError || !isKilled()) this.#giveUp(error);
    }
  }

  /** After a restart: whether what was acknowledged is still known. */
  async check(): Promise<void> {
    try {
      const { parts, chunks } = await this.#upload.check();
      this.#tally.checked.parts += parts;
      this.#tally.checked.chunks += chunks;
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #giveUp(error: unknown): void {
    const { problems } = this.#tally;
    const problem = `${this.#upload.file.name} (${this.#transport}): ${String(error)}`;
    problems.push(problem);
    console.error(problem);
    if (problems.length > MOST_PROBLEMS) throw new Error(problems.join("\n"));
    this.#upload = this.#next();
  }

  #next(): SoakedUpload {
    const name = `${this.#seed}-${this.#begun}.bin`;
    this.#begun += 1;
    const draw = new Seeded(name);
    const sizeBytes = this.#transport === "chunks" ? draw.between(MIB, 20 * MIB) : draw.between(17 * MIB, 40 * MIB);
    const file = { name, bytes: seededBytes(name, sizeBytes) };
    if (this.#transport === "chunks") return new ChunksUpload(this.#client, file);
    return new PartsUpload(this.#client, file, this.#transport, draw.between(0, 2) === 0);
  }
}
