import { MIB } from "#domain/units.ts";
import { ProgressReporter } from "#engine/progress.ts";
import { isThere, pathOf } from "../../opener/file-names.ts";
import type { WorkFolder } from "../../opener/work-folder.ts";
import type { Terminal } from "../terminal.ts";
import type { LinkFile, Recipient } from "./recipient.ts";
import { savePlain } from "./save-plain.ts";
import type { SenderWait } from "../../opener/sender-wait.ts";

/** Up to this size, files are downloaded in parallel. A larger file uses the whole connection by itself. */
const SMALL_BYTES = 8 * MIB;
const AT_ONCE = 4;

interface Saving {
  recipient: Recipient;
  work: WorkFolder;
  out: string;
  isLimited: boolean;
  /** Whether the link has several files, of which the sender may remove some while they arrive. */
  isTransfer: boolean;
  force: boolean;
  terminal: Terminal;
  wait: SenderWait;
}

/** Saves files of a link, each once. */
export class Saver {
  readonly #saving: Saving;
  readonly #reporter: ProgressReporter;
  /** By the files' numbers. */
  readonly #paths = new Map<number, string>();
  readonly #bytes = new Map<number, number>();
  #totalBytes = 0;
  #thereBytes = 0;
  #hasTaken = false;

  constructor(saving: Saving) {
    this.#saving = saving;
    this.#reporter = new ProgressReporter(0, (progress) => saving.terminal.progress(progress));
  }

  /** @returns the path of a saved file */
  pathOf(n: number): string | undefined {
    return this.#paths.get(n);
  }

  /**
   * Saves files that are not saved yet. @param files a subset of `all` @param all what is to be saved in the end
   * @throws the first error; saved files stay
   */
  async save(files: readonly LinkFile[], all: readonly LinkFile[]): Promise<void> {
    const { recipient, work, out, isLimited, terminal } = this.#saving;
    const there: LinkFile[] = [];
    const missing: LinkFile[] = [];
    for (const file of files) {
      if (this.#paths.has(file.n)) continue;
      if (await isThere(file, out)) there.push(file);
      else missing.push(file);
    }
    for (const { n, name, size } of there) {
      this.#paths.set(n, pathOf(name, out));
      this.#thereBytes += size;
    }
    if (isLimited && !this.#hasTaken && missing.some(({ size }) => size > 0)) {
      await recipient.take();
      this.#hasTaken = true;
      if (recipient.lease !== null) await work.writeLease(recipient.lease);
    }
    this.#expect(all.reduce((sum, { size }) => sum + size, 0) - this.#thereBytes);
    const { small = [], large = [] } = Object.groupBy(missing, ({ size }) => (size > SMALL_BYTES ? "large" : "small"));
    const { stored = [], arriving = [] } = Object.groupBy(large, ({ followUrl }) =>
      followUrl === undefined ? "stored" : "arriving",
    );
    await inParallel(small, AT_ONCE, (file) => this.#saveOne(file));
    // What is stored does not wait for the sender.
    await inParallel([...stored, ...arriving], 1, (file) => this.#saveOne(file));
    for (const { name } of there) terminal.note(`${pathOf(name, out)} is there already`);
  }

  /** Ends the reports of the progress. */
  stop(): void {
    this.#reporter.stop();
  }

  async #saveOne(file: LinkFile): Promise<void> {
    const { recipient, work, out, isTransfer, force, wait } = this.#saving;
    const place = { out, part: work.partOf({ stream: file.n, at: 0 }), force, maySkip: isTransfer };
    const path = await savePlain(recipient, file, place, wait, (bytes) => {
      this.#bytes.set(file.n, bytes);
      this.#report();
    });
    // The next list says which files there are besides those that the sender has removed.
    if (path !== null) this.#paths.set(file.n, path);
  }

  #expect(totalBytes: number): void {
    if (totalBytes === this.#totalBytes) return;
    this.#totalBytes = totalBytes;
    this.#reporter.reset(totalBytes, this.#savedBytes());
  }

  #report(): void {
    const savedBytes = this.#savedBytes();
    this.#reporter.update(savedBytes);
    this.#saving.wait.hearBytes(savedBytes, this.#totalBytes);
  }

  #savedBytes(): number {
    return [...this.#bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }
}

/** @throws the first error, after all calls of `run` that had begun have ended */
async function inParallel<Item>(items: Item[], limit: number, run: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  let hasFailed = false;
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined && !hasFailed; item = waiting.shift()) {
      try {
        await run(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: limit }, work));
  for (const result of ended) if (result.status === "rejected") throw result.reason;
}
