import type { TransferBatch, TransferBatchAnswer } from "#domain/wire.ts";
import { UploadError } from "../errors.ts";

export interface ObjectPart {
  object: number;
  /** From 1. */
  part: number;
}

/** Presigned URLs of objects' parts. Batches bring them. */
export class ObjectUrls {
  readonly #request: (wanted: ObjectPart) => void;
  readonly #isOpened: (object: number) => boolean;
  readonly #urls = new Map<string, string>();
  readonly #waiting = new Map<string, PromiseWithResolvers<string>>();

  /**
   * @param request asks for a URL with the next batch
   * @param isOpened whether the server has answered that the object is open; that answer brings URLs unasked
   */
  constructor(request: (wanted: ObjectPart) => void, isOpened: (object: number) => boolean) {
    this.#request = request;
    this.#isOpened = isOpened;
  }

  has(wanted: ObjectPart): boolean {
    return this.#urls.has(keyOf(wanted));
  }

  /** @throws UploadError when the server gives none, for example because the object was dropped */
  get(wanted: ObjectPart): Promise<string> {
    const key = keyOf(wanted);
    const url = this.#urls.get(key);
    if (url !== undefined) return Promise.resolve(url);
    let waiting = this.#waiting.get(key);
    if (!waiting) {
      waiting = Promise.withResolvers();
      this.#waiting.set(key, waiting);
      if (this.#isOpened(wanted.object)) this.#request(wanted);
    }
    return waiting.promise;
  }

  delete(part: ObjectPart): void {
    this.#urls.delete(keyOf(part));
  }

  clear(): void {
    this.#urls.clear();
  }

  /** Nobody needs URLs of the object any more. */
  cancel(object: number): void {
    for (const key of this.#waiting.keys()) if (key.startsWith(keyOf({ object, part: "" }))) this.#reject(key);
  }

  /** @param asked what the batch asked for by number */
  addAnswer(asked: TransferBatch["sign"], { opened, urls }: Pick<TransferBatchAnswer, "opened" | "urls">): void {
    for (const signed of urls) {
      const key = keyOf(signed);
      this.#urls.set(key, signed.url);
      this.#settle(key, (waiting) => {
        waiting.resolve(signed.url);
      });
    }
    for (const { object, parts } of asked) {
      for (const part of parts) {
        this.#reject(keyOf({ object, part }));
      }
    }
    // An answer has room for a hundred URLs.
    for (const { object, partCount } of opened) {
      for (let part = 1; part <= partCount; part += 1) {
        if (this.#waiting.has(keyOf({ object, part }))) this.#request({ object, part });
      }
    }
  }

  #reject(key: string): void {
    this.#settle(key, (waiting) => {
      waiting.reject(new UploadError((t) => t("noUrl")));
    });
  }

  #settle(key: string, settle: (waiting: PromiseWithResolvers<string>) => void): void {
    const waiting = this.#waiting.get(key);
    if (!waiting) return;
    this.#waiting.delete(key);
    settle(waiting);
  }
}

function keyOf({ object, part }: { object: number; part: number | "" }): string {
  return `${object}/${part}`;
}
