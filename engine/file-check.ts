import { UploadError } from "./errors.ts";
import type { Ports } from "./ports.ts";
import type { ReadFailure } from "./transfer/read-messages.ts";
import type { SentRange } from "./upload-types.ts";

/** A file that changes more often while it is compared is not sent. */
const MAX_READINGS = 3;

interface Options<Answer> {
  ports: Pick<Ports, "versionOf">;
  file: File;
  /** Reads the ranges of the file from the first to the last. */
  read(ranges: readonly SentRange[]): Promise<Answer>;
  /** The sums of each range, as `note` knows them of parts. */
  sumsOf(answer: Answer): readonly string[];
  /** Whether `note` gets all that is sent. If not, a file that changes is not sent. */
  canReadAgain?: boolean;
}

interface Reading<Answer> {
  version: string | null;
  answer: Answer;
}

/**
 * Reads a file as a whole beside its upload, and compares it with the sums of what was sent, now or by an earlier try.
 * So no upload mixes the bytes of two versions of a file (decision 049).
 */
export class FileCheck<Answer extends { failures: readonly ReadFailure[] }> {
  readonly #options: Options<Answer>;
  #ranges: readonly SentRange[] = [];
  #reading: Promise<Reading<Answer>> | null = null;
  #readings = 0;
  readonly #sums = new Map<number, string>();
  readonly #resent = new Set<number>();

  constructor(options: Options<Answer>) {
    this.#options = options;
  }

  /** @param ranges one for each part that is compared, in order */
  watch(ranges: readonly SentRange[]): void {
    this.#ranges = ranges;
  }

  /** May be called again. */
  begin(): void {
    if (this.#reading === null) this.#read();
  }

  /** Storage has the part with this sum. */
  note(part: number, sum: string): void {
    this.#sums.set(part, sum);
  }

  /**
   * Waits for the reading. Reads again what has changed since it began.
   * @returns parts that storage has otherwise than the file; parts without a sum are taken as they are
   * @throws UploadError `fileChanged` for a file that cannot be read, or that changes again and again
   */
  async changedParts(): Promise<number[]> {
    for (;;) {
      const { version, answer } = await this.#lastReading();
      if (answer.failures.length > 0) throw fileChanged();
      if (version !== (await this.#version())) {
        if (this.#options.canReadAgain === false || this.#readings === MAX_READINGS) throw fileChanged();
        this.#read();
        continue;
      }
      const sums = this.#options.sumsOf(answer);
      const changed = this.#ranges.flatMap(({ part }, index) =>
        (this.#sums.get(part) ?? sums[index]) === sums[index] ? [] : [part],
      );
      // What differs once more has changed since it was read.
      if (changed.some((part) => this.#resent.has(part))) throw fileChanged();
      for (const part of changed) this.#resent.add(part);
      return changed;
    }
  }

  /** What the last reading answered. @throws UploadError */
  async result(): Promise<Answer> {
    return (await this.#lastReading()).answer;
  }

  #lastReading(): Promise<Reading<Answer>> {
    this.begin();
    return this.#reading ?? Promise.reject(fileChanged());
  }

  #read(): void {
    this.#readings += 1;
    const reading = (async () => ({
      version: await this.#version(),
      answer: await this.#options.read(this.#ranges),
    }))();
    // `changedParts` reports its error.
    reading.catch(() => undefined);
    this.#reading = reading;
  }

  async #version(): Promise<string | null> {
    try {
      return await this.#options.ports.versionOf(this.#options.file);
    } catch {
      throw fileChanged();
    }
  }
}

/** The file cannot be read, or has other bytes than when its upload began. */
export function fileChanged(): UploadError {
  return new UploadError({ code: "fileChanged" });
}
