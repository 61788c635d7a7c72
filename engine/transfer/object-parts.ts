import { PART_CONTENT_TYPE } from "#domain/parts.ts";
import { proxiedObjectPart, type TransferBatch, type TransferBatchAnswer } from "#domain/wire.ts";
import type { Concurrency } from "../concurrency.ts";
import { PartSender, type PartSenderPorts } from "../part-sender.ts";
import type { PutRoute } from "../upload-types.ts";
import type { BatchQueue } from "./batch-queue.ts";
import type { Ports } from "../ports.ts";
import { ObjectUrls, type ObjectPart } from "./object-urls.ts";
import type { SendingObject } from "./sending-object.ts";
import type { TransferRecord } from "./transfer-record.ts";

/** A large file's URLs are asked for so many parts ahead. */
const URLS_AHEAD = 8;

export interface ObjectPartsOptions {
  ports: PartSenderPorts & Pick<Ports, "versionOf">;
  queue: BatchQueue;
  downloadId(): string;
  signal: AbortSignal;
  /** A URL is asked for. */
  onChange(): void;
  onTransport(transport: PutRoute): void;
  concurrency: Concurrency;
  record: TransferRecord;
  /** An object that is being sent. */
  find(object: number): SendingObject | undefined;
}

/** Sends parts of objects, with URLs that batches bring. */
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
    this.#urls = new ObjectUrls(request, find, (withoutUrl) => {
      record.noteWork({ withoutUrl });
    });
    this.#sender = new PartSender<ObjectPart>(ports, {
      urls: this.#urls,
      proxyUrl: ({ object, part }) => ports.calls.objectPartAddress(options.downloadId(), object, part),
      proxyAnswer: proxiedObjectPart,
      describe: ({ object, part }) => `part ${part} of object ${object}`,
      contentType: PART_CONTENT_TYPE,
      signal,
      onTransport,
      onSent: (transport) => {
        record.noteSent(transport);
      },
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

  /** Nobody needs the object's URLs any more. */
  cancel({ object }: SendingObject): void {
    this.#urls.cancel(object);
  }

  /** @param batch what was asked */
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
