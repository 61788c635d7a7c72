import type { Ports, Thread } from "./ports.ts";
import { BlobCollector } from "./sealing/memory.ts";
import { retryCall } from "./upload-step.ts";

/** A thread that reads files, or seals them. It starts with the first request. */
export class OnDemandThread<Request, Answer extends { body: Blob }> {
  readonly #ports: Pick<Ports, "online" | "warn">;
  readonly #start: (signal: AbortSignal) => Promise<Thread<Request, Answer>>;
  readonly #signal: AbortSignal;
  readonly #collector = new BlobCollector();
  #thread: Promise<Thread<Request, Answer>> | null = null;

  /** @param start rejects with a TypeError if the thread cannot be started now @param signal stops the thread */
  constructor(
    ports: Pick<Ports, "online" | "warn">,
    start: (signal: AbortSignal) => Promise<Thread<Request, Answer>>,
    signal: AbortSignal,
  ) {
    this.#ports = ports;
    this.#start = start;
    this.#signal = signal;
    signal.addEventListener("abort", () => {
      this.#thread?.then(
        (thread) => {
          thread.stop();
        },
        () => undefined,
      );
    });
  }

  /** @throws UploadError if the thread ends, for example for lack of memory; DOMException AbortError */
  async ask(request: Request): Promise<Answer> {
    this.#signal.throwIfAborted();
    const start = () => this.#start(this.#signal);
    this.#thread ??= retryCall(this.#ports, "thread", start, this.#signal);
    const answer = await (await this.#thread).ask(request);
    this.#collector.add(answer.body.size);
    return answer;
  }
}
