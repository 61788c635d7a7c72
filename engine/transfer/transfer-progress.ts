import { MAX_MOVING_ENTRIES, type TransferProgress as ProgressMessage } from "#domain/wire.ts";
import { PROGRESS_REPORT_INTERVAL_MS, ProgressReporter, type Progress } from "../progress.ts";
import { Throttle } from "../timing.ts";
import type { TransferRecorder } from "../upload-recorder.ts";
import type { SendingObject } from "./sending-object.ts";
import type { TransferEntries } from "./transfer-entries.ts";

interface Options {
  entries: TransferEntries;
  record: TransferRecorder;
  /** The objects that are partly sent. */
  moving(): Iterable<SendingObject>;
  onProgress(progress: Progress): void;
  onEntries(): void;
}

/** The progress of a transfer, for its sender and for watchers of the link. */
export class TransferProgress {
  readonly #options: Options;
  readonly #reporter: ProgressReporter;
  readonly #entriesChanged: Throttle;
  #totalBytes: number;
  #percent = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#totalBytes = options.entries.presentBytes;
    this.#reporter = new ProgressReporter(this.#totalBytes, (progress) => {
      // 100 % is shown when the transfer is ready.
      this.#percent = Math.min(99, progress.percent);
      options.onProgress({ ...progress, percent: this.#percent });
    });
    this.#entriesChanged = new Throttle(PROGRESS_REPORT_INTERVAL_MS, () => {
      this.#report();
      options.onEntries();
    });
  }

  /** Call it when something has changed. Reports at most five times a second. */
  update(): void {
    this.#options.record.noteWork();
    this.#entriesChanged.call();
  }

  /** Call it when the server has answered the start: only bytes that are sent after this call count in the summary. */
  begin(): void {
    this.#options.record.beginWith(() => this.#sentBytes());
  }

  stop(): void {
    this.#reporter.stop();
    this.#entriesChanged.stop();
  }

  /** The progress that the sender's socket reports. */
  describe(): Omit<ProgressMessage, "type"> {
    return { bytes: this.#sentBytes(), percent: this.#percent, moving: this.#movingEntries() };
  }

  #report(): void {
    const totalBytes = this.#options.entries.presentBytes;
    const sentBytes = this.#sentBytes();
    if (totalBytes === this.#totalBytes) {
      this.#options.record.noteProgress(sentBytes, performance.now());
      this.#reporter.update(sentBytes);
    } else {
      this.#totalBytes = totalBytes;
      this.#options.record.noteNewList(this.#sentBytes());
      this.#reporter.reset(totalBytes, sentBytes);
    }
  }

  #sentBytes(): number {
    const { entries, moving } = this.#options;
    let bytes = entries.bytesIn("stored") + entries.bytesIn("sent");
    for (const object of moving()) bytes += object.sentBytes;
    return Math.min(bytes, this.#totalBytes);
  }

  /** The entry of each pack whose bytes are being sent now, and the number of its sent bytes. */
  #movingEntries(): [number, number][] {
    const { entries, moving } = this.#options;
    const found: [number, number][] = [];
    for (const object of moving()) {
      const n = object.numbers.find((number) => entries.percent(number) < 100);
      if (n !== undefined && entries.isIn(n, "sending")) found.push([n, entries.percent(n)]);
      if (found.length === MAX_MOVING_ENTRIES) break;
    }
    return found;
  }
}
