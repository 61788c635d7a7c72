import { AnsweringThread } from "../answering-thread.ts";
import { retryUploadStep } from "../retry.ts";
import { isRetryableCall } from "../upload-step.ts";
import { BlobCollector } from "./memory.ts";
import type { SealAnswer, SealRequest } from "./seal-messages.ts";

/** Starts with the first request. */
export class SealingThread {
  readonly #signal: AbortSignal;
  readonly #collector = new BlobCollector();
  #thread: Promise<AnsweringThread<SealRequest, SealAnswer>> | null = null;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** @throws UploadError if the thread ends, for example for lack of memory; DOMException AbortError */
  async ask(request: SealRequest): Promise<SealAnswer> {
    const start = () => {
      const worker = new Worker(new URL("./seal.worker.ts", import.meta.url), { type: "module" });
      return AnsweringThread.start<SealRequest, SealAnswer>(worker, this.#signal);
    };
    this.#thread ??= retryUploadStep("sealing thread", start, isRetryableCall, this.#signal);
    const answer = await (await this.#thread).ask(request);
    this.#collector.add(answer.body.size);
    return answer;
  }

  stop(): void {
    this.#thread?.then(
      (thread) => {
        thread.stop();
      },
      () => undefined,
    );
  }
}
