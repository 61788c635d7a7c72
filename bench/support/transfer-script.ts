import { crc32 } from "node:zlib";
import { PART_CONTENT_TYPE, partRange, planParts } from "#domain/parts.ts";
import { MAX_ENTRIES_PER_BATCH, MAX_OPENED_AT_START, MAX_OPENED_PER_BATCH } from "#domain/transfers/limits.ts";
import { packEntries } from "#engine/transfer/object-planner.ts";
import { toRunsInOrder } from "#domain/transfers/runs.ts";
import type {
  FinishTransferAnswer,
  SignedObjectPart,
  StartTransferAnswer,
  TransferBatchAnswer,
  CompletedObjectPart,
} from "#domain/wire.ts";
import type { Account } from "./account.ts";
import { put } from "./http.ts";
import { PARTS_IN_FLIGHT } from "./store.ts";

export interface ScriptFile {
  path: string;
  bytes: Uint8Array;
}

/** An object as it is sent: the numbers of its entries, and all bytes of the entries. */
export interface ScriptObject {
  numbers: number[];
  bytes: Uint8Array;
}

/** Makes packs as the browser would, and an object of each large file. */
export function objectsOf(files: readonly ScriptFile[]): ScriptObject[] {
  const { packs, large } = packEntries(files.map(({ bytes }, n) => ({ n, size: bytes.byteLength })));
  return [...packs, ...large.map((n) => [n])].map((numbers) => ({
    numbers,
    bytes: concatenate(numbers.map((n) => files[n]?.bytes ?? new Uint8Array())),
  }));
}

function concatenate(pieces: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}

/**
 * Uploads files behind one link without a page: entries and objects are announced one batch ahead of the bytes.
 * @returns what `finish` answered
 */
export async function uploadTransferByScript(
  account: Pick<Account, "post">,
  files: readonly ScriptFile[],
): Promise<FinishTransferAnswer> {
  const objects = objectsOf(files);
  const totals = { entries: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) };
  const receipts: CompletedObjectPart[] = [];
  const sender = new ObjectSender(objects, receipts);
  let announced = 0;
  let opened = 0;
  const nextBatch = (maxOpened: number) => {
    const list = files.slice(announced, announced + MAX_ENTRIES_PER_BATCH);
    const entries = { from: announced, list: list.map(({ path, bytes }) => [path, bytes.byteLength, 0]) };
    announced += list.length;
    const ready = objects.slice(opened, opened + maxOpened).filter(({ numbers }) => (numbers.at(-1) ?? 0) < announced);
    const open = ready.map(({ numbers }, index) => ({ object: opened + index, runs: toRunsInOrder(numbers) }));
    opened += ready.length;
    return { ...(list.length > 0 ? { entries } : {}), open, receipts: receipts.splice(0, 200) };
  };
  const started = await account.post<StartTransferAnswer>("/api/transfers", {
    expiration: "1d",
    totals,
    ...nextBatch(MAX_OPENED_AT_START),
  });
  const { downloadId } = started;
  const sent = [sender.send(started.urls)];
  const postBatch = () =>
    account.post<TransferBatchAnswer>(`/api/transfers/${downloadId}/batch`, nextBatch(MAX_OPENED_PER_BATCH));
  while (announced < files.length || opened < objects.length) {
    const { urls } = await postBatch();
    sent.push(sender.send(urls));
  }
  // Receipts go out while other objects are sent, so that storage joins the first objects during that time.
  let isSending = true;
  const allSent = Promise.all(sent).finally(() => {
    isSending = false;
  });
  while (isSending) {
    await Promise.race([allSent, sender.nextReceipt()]);
    if (isSending && receipts.length > 0) await postBatch();
  }
  await allSent;
  return account.post<FinishTransferAnswer>(`/api/transfers/${downloadId}/finish`, { receipts });
}

/** Sends a few PUTs at the same time, as the browser's engine does. */
class ObjectSender {
  readonly #objects: ScriptObject[];
  readonly #receipts: CompletedObjectPart[];
  #announceReceipt = Promise.withResolvers<undefined>();
  readonly #slots: Promise<void>[] = Array.from({ length: PARTS_IN_FLIGHT }, () => Promise.resolve());

  constructor(objects: ScriptObject[], receipts: CompletedObjectPart[]) {
    this.#objects = objects;
    this.#receipts = receipts;
  }

  /** Resolves with the next receipt. */
  async nextReceipt(): Promise<void> {
    if (this.#receipts.length === 0) await this.#announceReceipt.promise;
  }

  async send(urls: SignedObjectPart[]): Promise<void> {
    await Promise.all(
      urls.map((signed, index) => {
        const slot = index % this.#slots.length;
        const sent = (this.#slots[slot] ?? Promise.resolve()).then(() => this.#sendPart(signed));
        this.#slots[slot] = sent;
        return sent;
      }),
    );
  }

  async #sendPart({ object, part, url }: SignedObjectPart): Promise<void> {
    const { bytes } = this.#objects[object] ?? { bytes: new Uint8Array() };
    const { start, end } = partRange(bytes.byteLength, part, planParts(bytes.byteLength).partSizeBytes);
    const body = bytes.subarray(start, end);
    const sum = crc32(body).toString(16).padStart(8, "0");
    this.#receipts.push({ object, part, etag: await put(url, body, PART_CONTENT_TYPE), crc32: sum });
    this.#announceReceipt.resolve(undefined);
    this.#announceReceipt = Promise.withResolvers();
  }
}
