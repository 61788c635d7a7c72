import type { Ports, SealingPorts, Thread } from "../ports.ts";
import { retryUploadStep } from "../retry.ts";
import { isRetryableCall } from "../upload-step.ts";
import { BlobCollector } from "./memory.ts";
import type { SealAnswer, SealRequest } from "./seal-messages.ts";

type ThreadPorts = Pick<Ports & SealingPorts, "online" | "warn" | "startSealing">;

/** Starts with the first request. */
export class SealingThread {
  readonly #ports: ThreadPorts;
  readonly #signal: AbortSignal;
  readonly #collector = new BlobCollector();
  #thread: Promise<Thread<SealRequest, SealAnswer>> | null = null;

  constructor(ports: ThreadPorts, signal: AbortSignal) {
    this.#ports = ports;
    this.#signal = signal;
  }

  /** @throws UploadError if the thread ends, for example for lack of memory; DOMException AbortError */
  async ask(request: SealRequest): Promise<SealAnswer> {
    const start = () => this.#ports.startSealing(this.#signal);
    this.#thread ??= retryUploadStep(this.#ports, "sealing thread", start, isRetryableCall, this.#signal);
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
