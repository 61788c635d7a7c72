import type { UploadSummary } from "#domain/wire/upload-summary.ts";
import { UploadRecord, type UploadActivity } from "../upload-record.ts";
import type { TransferEntries } from "./transfer-entries.ts";

/** Parts that are at work now. */
interface Work {
  reading: number;
  sending: number;
  /** Of those that are sending. */
  withoutUrl: number;
}

/** Notes how a transfer goes. It may wait for its files, for the server, or for the person. */
export class TransferRecord extends UploadRecord {
  readonly #entries: TransferEntries;
  readonly #work: Work = { reading: 0, sending: 0, withoutUrl: 0 };
  #sentBytes: (() => number) | null = null;

  constructor(entries: TransferEntries, now: number) {
    super(now);
    this.#entries = entries;
  }

  /** Parts began or ended; call it without any when entries have changed. */
  noteWork(change: Partial<Work> = {}): void {
    Object.assign(this.#work, change);
    this.turnTo(this.#activity(), performance.now());
  }

  /** The server has answered the start. @param sentBytes as `noteProgress` takes them */
  beginWith(sentBytes: () => number): void {
    this.noteProgress(sentBytes(), performance.now());
    this.begin(performance.now());
    this.noteWork();
    this.#sentBytes = sentBytes;
  }

  override summary(now: number): UploadSummary {
    // Progress is reported a few times a second.
    if (this.#sentBytes) this.noteProgress(this.#sentBytes(), now);
    return super.summary(now);
  }

  #activity(): UploadActivity {
    const { reading, sending, withoutUrl } = this.#work;
    if (sending > withoutUrl) return "line";
    if (reading > 0) return "files";
    const problems = this.#entries.count("changed") + this.#entries.count("unreadable");
    return problems > 0 && this.#entries.count("waiting") === 0 ? "person" : "server";
  }
}
