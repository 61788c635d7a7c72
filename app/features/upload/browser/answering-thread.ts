import { UploadError } from "#engine/errors.ts";
import type { Thread } from "#engine/ports.ts";

/** The message of a thread: the number of a request, and its answer. */
interface NumberedAnswer<Answer> {
  id: number;
  answer: Answer;
}

/** Called in a worker thread. From this call on, the thread answers the requests of its `AnsweringThread`. */
export function answerRequests(answer: (request: never) => Promise<unknown>): void {
  addEventListener("message", ({ data: { id, request } }: MessageEvent<{ id: number; request: never }>) => {
    answer(request).then((given) => postMessage({ id, answer: given } satisfies NumberedAnswer<unknown>), reportError);
  });
  postMessage(null);
}

/** A worker thread that answers requests. The thread posts null when it is ready. */
export class AnsweringThread<Request, Answer> implements Thread<Request, Answer> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<Answer>>();
  #nextId = 0;
  #isStopped = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<NumberedAnswer<Answer>>) => {
      this.#pending.get(data.id)?.resolve(data.answer);
      this.#pending.delete(data.id);
    };
    worker.onerror = () => this.#rejectAll(new UploadError({ code: "transferError" }));
  }

  /**
   * Starts a thread. @throws TypeError if the thread's script cannot be loaded; DOMException AbortError when aborted
   */
  static async start<Request, Answer>(worker: Worker, signal: AbortSignal): Promise<AnsweringThread<Request, Answer>> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    worker.onmessage = () => resolve(undefined);
    worker.onerror = () => reject(new TypeError("the thread did not start"));
    const settled = new AbortController();
    if (signal.aborted) reject(stopped());
    signal.addEventListener("abort", () => reject(stopped()), { signal: settled.signal });
    try {
      await promise;
      return new AnsweringThread(worker);
    } catch (error) {
      worker.terminate();
      throw error;
    } finally {
      settled.abort();
    }
  }

  /**
   * @throws UploadError if the thread ends, for example for lack of memory; DOMException AbortError once the thread is
   * stopped
   */
  ask(request: Request): Promise<Answer> {
    if (this.#isStopped) return Promise.reject(stopped());
    const id = this.#nextId;
    this.#nextId += 1;
    const pending = Promise.withResolvers<Answer>();
    this.#pending.set(id, pending);
    this.#worker.postMessage({ id, request });
    return pending.promise;
  }

  stop(): void {
    this.#isStopped = true;
    this.#worker.terminate();
    this.#rejectAll(stopped());
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

function stopped(): DOMException {
  return new DOMException("Upload aborted", "AbortError");
}
