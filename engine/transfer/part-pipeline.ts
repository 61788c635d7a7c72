import { MIB } from "#domain/units.ts";
import type { ReadAnswer } from "../read-messages.ts";
import type { TransferRecorder } from "../upload-recorder.ts";
import type { SendingObject } from "./sending-object.ts";

/** The most bytes that are read, or being read, and not sent yet. */
const MAX_HELD_BYTES = 64 * MIB;
/** The number of parts that are read while others are being sent. */
const READ_AHEAD = 2;

/** A part of an object, to be read and sent. */
export interface PartJob {
  object: SendingObject;
  part: number;
}

interface Options {
  /** Takes the next part of at most `maxBytes`; null when no part can be read now. */
  take(maxBytes: number): PartJob | null;
  /** @returns null when the part is not to be sent */
  read(job: PartJob): Promise<ReadAnswer | null>;
  send(job: PartJob, read: ReadAnswer): Promise<void>;
  /** How many parts may be on their way. */
  limit(): number;
  onError(error: unknown): void;
  record: TransferRecorder;
}

/** Reads parts a little ahead of sending them. */
export class PartPipeline {
  readonly #options: Options;
  readonly #ready: { job: PartJob; read: ReadAnswer }[] = [];
  #reading = 0;
  #sending = 0;
  #heldBytes = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether a part could be sent now if it were read. */
  get waitsForReading(): boolean {
    return this.#reading > 0 && this.#sending < this.#options.limit();
  }

  /** Call when a part can be taken, or more of them may be sent. */
  pump(): void {
    const { take, limit } = this.#options;
    while (this.#sending < limit()) {
      const next = this.#ready.shift();
      if (!next) break;
      this.#sending += 1;
      void this.#send(next.job, next.read);
    }
    while (this.#reading + this.#ready.length < limit() - this.#sending + READ_AHEAD) {
      const job = take(MAX_HELD_BYTES - this.#heldBytes);
      if (!job) break;
      this.#reading += 1;
      this.#heldBytes += lengthOf(job);
      void this.#read(job);
    }
    this.#options.record.noteWork({ reading: this.#reading, sending: this.#sending });
  }

  async #read(job: PartJob): Promise<void> {
    try {
      const read = await this.#options.read(job);
      if (read && !job.object.isDropped) this.#ready.push({ job, read });
      else this.#heldBytes -= lengthOf(job);
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#reading -= 1;
      this.pump();
    }
  }

  async #send(job: PartJob, read: ReadAnswer): Promise<void> {
    try {
      if (!job.object.isDropped) await this.#options.send(job, read);
    } catch (error) {
      // Failures with the parts of a dropped object do not matter.
      if (!job.object.isDropped) this.#options.onError(error);
    } finally {
      this.#sending -= 1;
      this.#heldBytes -= lengthOf(job);
      this.pump();
    }
  }
}

function lengthOf({ object, part }: PartJob): number {
  return object.lengthOf(part);
}
