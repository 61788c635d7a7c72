import { MIB } from "#domain/units.ts";
import { ChunksUpload } from "./chunks-upload.ts";
import type { Client } from "./client.ts";
import { PartsUpload, type PartsTransport } from "./parts-upload.ts";
import { Seeded, seededBytes } from "./seeded.ts";
import { compare, LossError, type Checked, type SoakedUpload } from "./soaked-upload.ts";

export type SoakTransport = PartsTransport | "chunks";

const MAX_PROBLEMS = 20;

export interface Tally {
  finished: number;
  finishedBytes: number;
  /** The acknowledged parts and chunks, counted once for each restart. */
  checked: Checked;
  problems: string[];
}

/** Each fourth file is large enough to be stored in segments. */
function sizeInParts(draw: Seeded): number {
  return draw.between(0, 3) === 0 ? draw.between(64 * MIB, 72 * MIB) : draw.between(17 * MIB, 40 * MIB);
}

/** Runs one upload after another on one transport. */
export class Lane {
  readonly #client: Client;
  readonly #transport: SoakTransport;
  readonly #seed: string;
  readonly #tally: Tally;
  #begun = 0;
  #upload: SoakedUpload;

  constructor(client: Client, transport: SoakTransport, seed: string, tally: Tally) {
    this.#client = client;
    this.#transport = transport;
    this.#seed = seed;
    this.#tally = tally;
    this.#upload = this.#next();
  }

  get hasAcknowledged(): boolean {
    return this.#upload.hasAcknowledged;
  }

  /** Uploads until the server is killed. Failures before the kill are problems, interrupted calls are not. */
  async work(isKilled: () => boolean): Promise<void> {
    while (!isKilled()) await this.finish(isKilled);
  }

  async finish(isKilled: () => boolean): Promise<void> {
    try {
      const finished = await this.#upload.run();
      await compare(this.#client, this.#upload.file, finished);
      this.#tally.finished += 1;
      this.#tally.finishedBytes += this.#upload.file.bytes.byteLength;
      this.#upload = this.#next();
      // Deleting the file saves disk space in long runs.
      await this.#client.delete(`/api/files/${finished.uploadId}`);
    } catch (error) {
      if (error instanceof LossError || !isKilled()) this.#recordProblem(error);
    }
  }

  /** Checks after a restart that everything acknowledged is still known. */
  async check(): Promise<void> {
    try {
      const { parts, chunks } = await this.#upload.check();
      this.#tally.checked.parts += parts;
      this.#tally.checked.chunks += chunks;
    } catch (error) {
      this.#recordProblem(error);
    }
  }

  #recordProblem(error: unknown): void {
    const { problems } = this.#tally;
    const problem = `${this.#upload.file.name} (${this.#transport}): ${String(error)}`;
    problems.push(problem);
    console.error(problem);
    if (problems.length > MAX_PROBLEMS) throw new Error(problems.join("\n"));
    this.#upload = this.#next();
  }

  #next(): SoakedUpload {
    const name = `${this.#seed}-${this.#begun}.bin`;
    this.#begun += 1;
    const draw = new Seeded(name);
    const sizeBytes = this.#transport === "chunks" ? draw.between(MIB, 20 * MIB) : sizeInParts(draw);
    const file = { name, bytes: seededBytes(name, sizeBytes) };
    if (this.#transport === "chunks") return new ChunksUpload(this.#client, file);
    return new PartsUpload(this.#client, file, this.#transport, draw.between(0, 2) === 0);
  }
}
