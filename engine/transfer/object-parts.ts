import { PART_CONTENT_TYPE } from "#domain/parts.ts";
import { proxiedObjectPart, type TransferBatch, type TransferBatchAnswer } from "#domain/wire.ts";
import type { Concurrency } from "../concurrency.ts";
import { UploadError } from "../errors.ts";
import { PartSender, type PartSenderPorts } from "../part-sender.ts";
import type { Ports } from "../ports.ts";
import type { TransferRecorder } from "../upload-recorder.ts";
import type { PutRoute } from "../upload-types.ts";
import type { BatchQueue } from "./batch-queue.ts";
import type { SendingObject } from "./sending-object.ts";

/** The number of parts of a large file whose URLs are requested in advance. */
const URLS_AHEAD = 8;

export interface ObjectPartsOptions {
  ports: PartSenderPorts & Pick<Ports, "versionOf">;
  queue: BatchQueue;
  downloadId(): string;
  signal: AbortSignal;
  /** Called when a URL was requested. */
  onChange(): void;
  onTransport(transport: PutRoute): void;
  concurrency: Concurrency;
  record: TransferRecorder;
  /** Finds an object that is being sent. */
  find(object: number): SendingObject | undefined;
}

/** Sends parts of objects with the URLs that come in the answers to batches. */
export class ObjectParts {
  readonly #options: ObjectPartsOptions;
  readonly #urls: ObjectUrls;
  readonly #sender: PartSender<ObjectPart>;

  constructor(options: ObjectPartsOptions) {
    const { ports, queue, signal, onChange, onTransport, concurrency, record, find } = options;
    this.#options = options;
    const request = ({ object, part }: ObjectPart) => {
      queue.sign(object, part);
      onChange();
    };
    this.#urls = new ObjectUrls(request, find, (withoutUrl) => record.noteWork({ withoutUrl }));
    this.#sender = new PartSender<ObjectPart>(ports, {
      urls: this.#urls,
      proxyUrl: ({ object, part }) => ports.calls.objectPartAddress(options.downloadId(), object, part),
      proxyAnswer: proxiedObjectPart,
      describe: ({ object, part }) => `part ${part} of object ${object}`,
      contentType: PART_CONTENT_TYPE,
      signal,
      onTransport,
      onSent: (transport) => record.noteSent(transport),
      onFailure: (cause) => {
        record.noteResend(cause);
        concurrency.recordFailure(performance.now());
      },
    });
  }

  /** @returns the part's ETag @throws as `PartSender.send`; UploadError after `cancel` */
  send(object: SendingObject, part: number, body: Blob, onProgress: (sentBytes: number) => void): Promise<string> {
    this.#fetchAhead(object, part);
    return this.#sender.send({ part: { object: object.object, part }, body, onProgress });
  }

  /** Forgets the URLs of an object that is no longer sent. */
  cancel({ object }: SendingObject): void {
    this.#urls.cancel(object);
  }

  /** Takes the URLs of an answer. @param batch the batch that was answered */
  addAnswer(batch: TransferBatch, answer: TransferBatchAnswer): void {
    this.#urls.addAnswer(batch.sign, answer);
  }

  #fetchAhead({ object, isPack, lastPart }: SendingObject, part: number): void {
    if (isPack || this.#urls.has({ object, part: Math.min(part + URLS_AHEAD, lastPart) })) return;
    for (let ahead = part + 1; ahead <= Math.min(part + 2 * URLS_AHEAD, lastPart); ahead += 1) {
      if (!this.#urls.has({ object, part: ahead })) this.#options.queue.sign(object, ahead);
    }
  }
}

export interface ObjectPart {
  object: number;
  /** From 1. */
  part: number;
}

/** The URLs of one object, by part. */
interface UrlsOfObject {
  urls: Map<number, string>;
  waiting: Map<number, PromiseWithResolvers<string>>;
}

/** The presigned URLs of objects' parts, which come in the answers to batches. */
export class ObjectUrls {
  readonly #request: (wanted: ObjectPart) => void;
  readonly #find: (object: number) => { isOpened: boolean } | undefined;
  readonly #onWaiting: (parts: number) => void;
  #waiting = 0;
  readonly #objects = new Map<number, UrlsOfObject>();

  /**
   * @param request asks for a URL with the next batch
   * @param find an object that is being sent; the answer that opens the object also has its first URLs
   * @param onWaiting gets the number of parts that wait for a URL
   */
  constructor(
    request: (wanted: ObjectPart) => void,
    find: (object: number) => { isOpened: boolean } | undefined,
    onWaiting: (parts: number) => void,
  ) {
    this.#request = request;
    this.#find = find;
    this.#onWaiting = onWaiting;
  }

  has({ object, part }: ObjectPart): boolean {
    return this.#objects.get(object)?.urls.has(part) ?? false;
  }

  /** The URL of a part. @throws UploadError when the server gives no URL, or the object is no longer sent */
  get(wanted: ObjectPart): Promise<string> {
    const { object, part } = wanted;
    const sending = this.#find(object);
    if (!sending) return Promise.reject(noUrl());
    const { urls, waiting } = this.#of(object);
    const url = urls.get(part);
    if (url !== undefined) return Promise.resolve(url);
    let wait = waiting.get(part);
    if (!wait) {
      wait = Promise.withResolvers();
      waiting.set(part, wait);
      this.#countWaiting(1);
      if (sending.isOpened) this.#request(wanted);
    }
    return wait.promise;
  }

  delete({ object, part }: ObjectPart): void {
    this.#objects.get(object)?.urls.delete(part);
  }

  clear(): void {
    for (const { urls } of this.#objects.values()) urls.clear();
  }

  /** Forgets an object that is no longer sent. */
  cancel(object: number): void {
    for (const part of this.#objects.get(object)?.waiting.keys() ?? []) this.#reject({ object, part });
    this.#objects.delete(object);
  }

  /** @param asked the parts that the batch asked for */
  addAnswer(asked: TransferBatch["sign"], { opened, urls }: Pick<TransferBatchAnswer, "opened" | "urls">): void {
    for (const { object, part, url } of urls) {
      if (!this.#find(object)) continue;
      this.#of(object).urls.set(part, url);
      this.#settle({ object, part }, (waiting) => waiting.resolve(url));
    }
    for (const { object, parts } of asked) for (const part of parts) this.#reject({ object, part });
    // The answer that opens objects has room for a hundred URLs, so parts that still wait are asked for again.
    for (const { object } of opened) {
      for (const part of this.#objects.get(object)?.waiting.keys() ?? []) this.#request({ object, part });
    }
  }

  #of(object: number): UrlsOfObject {
    let found = this.#objects.get(object);
    if (!found) {
      found = { urls: new Map(), waiting: new Map() };
      this.#objects.set(object, found);
    }
    return found;
  }

  #reject(part: ObjectPart): void {
    this.#settle(part, (waiting) => waiting.reject(noUrl()));
  }

  #settle({ object, part }: ObjectPart, settle: (waiting: PromiseWithResolvers<string>) => void): void {
    const { waiting } = this.#objects.get(object) ?? {};
    const wait = waiting?.get(part);
    if (!waiting || !wait) return;
    waiting.delete(part);
    this.#countWaiting(-1);
    settle(wait);
  }

  #countWaiting(change: 1 | -1): void {
    this.#waiting += change;
    this.#onWaiting(this.#waiting);
  }
}

function noUrl(): UploadError {
  return new UploadError({ code: "noUrl" });
}
