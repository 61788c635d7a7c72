import { UploadError } from "../errors.ts";
import type { ReadAnswer, ReadRequest } from "./read-messages.ts";
import type { NumberedAnswer } from "./read-files.worker.ts";

/** Reads and sums files in a thread of its own. */
export class FileReaderThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<ReadAnswer>>();
  #nextId = 0;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<NumberedAnswer>) => {
      this.#pending.get(data.id)?.resolve(data.answer);
      this.#pending.delete(data.id);
    };
    worker.onerror = () => {
      for (const { reject } of this.#pending.values()) reject(new UploadError((t) => t("transferError")));
      this.#pending.clear();
    };
  }

  /** @throws TypeError if its script cannot be loaded; DOMException AbortError when aborted */
  static async start(signal: AbortSignal): Promise<FileReaderThread> {
    const worker = new Worker(new URL("./read-files.worker.ts", import.meta.url), { type: "module" });
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    worker.onmessage = () => {
      resolve(undefined);
    };
    worker.onerror = () => {
      reject(new TypeError("the reading thread did not start"));
    };
    const settled = new AbortController();
    signal.addEventListener(
      "abort",
      () => {
        reject(new DOMException("Upload aborted", "AbortError"));
      },
      { signal: settled.signal },
    );
    try {
      await promise;
      return new FileReaderThread(worker);
    } catch (error) {
      worker.terminate();
      throw error;
    } finally {
      settled.abort();
    }
  }

  /** @throws UploadError if the thread ends, for example for lack of memory */
  read(request: ReadRequest): Promise<ReadAnswer> {
    const id = this.#nextId;
    this.#nextId += 1;
    const pending = Promise.withResolvers<ReadAnswer>();
    this.#pending.set(id, pending);
    this.#worker.postMessage({ id, request });
    return pending.promise;
  }

  stop(): void {
    this.#worker.terminate();
  }
}
