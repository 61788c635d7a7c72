import { crc32 } from "node:zlib";
import { PART_CONTENT_TYPE, partRange, planParts } from "#domain/parts.ts";
import {
  MAX_ENTRIES_PER_BATCH,
  MAX_OPENED_AT_START,
  MAX_OPENED_PER_BATCH,
  MAX_PACK_OBJECT_BYTES,
} from "#domain/transfers/limits.ts";
import { toNumbers, toRunsInOrder } from "#domain/transfers/runs.ts";
import type {
  AnnouncedEntry,
  FinishTransferAnswer,
  ListedEntries,
  ListedEntry,
  ObjectToOpen,
  ProxiedObjectPart,
  SignedObjectPart,
  StartTransferAnswer,
  CompletedObjectPart,
} from "#domain/wire.ts";
import { packEntries } from "#engine/transfer/object-planner.ts";
import { fingerprintOf } from "#engine/transfer/transfer-list.ts";
import { HttpError, type Client } from "../client.ts";
import type { Seeded } from "../seeded.ts";
import { inParallel, LossError } from "../soaked-upload.ts";
import type { Acknowledged } from "./acknowledged.ts";
import type { Batch, TransferState } from "./batch.ts";
import { Calls } from "./calls.ts";
import { bytesOfAll, sizeOfAll, type Disk, type DiskEntry } from "./disk.ts";
import { SentList } from "./sent-list.ts";

const PARTS_AT_ONCE = 4;
/** One pack of this many arrives with another byte than the sender announced. */
const DAMAGED_ONE_OF = 40;
/** One resumed object of this many is dropped, and the object's files are packed anew. */
const DROPPED_ONE_OF = 4;
/** The number of receipts that a batch or a finish takes besides the receipts of one round. */
const MAX_UNREPORTED = 60;

export interface DeviceOptions {
  /** The size of the device's packs. */
  packBytes: number;
  /** Whether the device cannot reach storage, and sends through the Worker. */
  isProxied: boolean;
  /** The number of calls after which the device stops; Infinity for a device that never stops. */
  callsUntilStop: number;
}

/** An object that is being sent. */
interface OpenObject {
  numbers: number[];
  /** The parts that have no receipt yet. */
  missing: number[];
}

/** One device that sends a transfer. When it stops, it forgets everything; acknowledged data must not be lost. */
export class Device {
  readonly #client: Client;
  readonly #disk: Disk;
  readonly #known: Acknowledged;
  readonly #draw: Seeded;
  readonly #options: DeviceOptions;
  readonly calls: Calls;
  #downloadId: string | null = null;
  readonly #list: SentList;
  #announced = 0;
  #stored = new Set<number>();
  #open = new Map<number, OpenObject>();
  #nextObject = 0;
  #receipts: CompletedObjectPart[] = [];

  constructor(client: Client, disk: Disk, known: Acknowledged, draw: Seeded, options: DeviceOptions) {
    this.#client = client;
    this.#disk = disk;
    this.#known = known;
    this.#draw = draw;
    this.#options = options;
    this.calls = new Calls(client, known, draw, options.callsUntilStop);
    this.#list = new SentList(disk);
  }

  /** Asks what has arrived, as after a lost connection; starts or resumes if no link is known yet. @throws LossError */
  async sync(): Promise<void> {
    if (this.#downloadId === null) await this.#start();
    else await this.#learn(await this.calls.batch({ receipts: this.#takeReceipts() }));
  }

  /** Sends the bytes that are missing, and finishes. Can be called again after a restart of the server. */
  async send(): Promise<FinishTransferAnswer> {
    if (!this.#known.isFinishing) await this.sync();
    for (;;) {
      if (!this.#known.isFinishing) {
        await this.#sendEverything();
        this.#known.isFinishing = true;
      }
      const finished = await this.#finish();
      if (finished) return finished;
      this.#known.isFinishing = false;
      await this.sync();
    }
  }

  /** Sends a random share of the missing objects to storage. */
  async sendSome(): Promise<void> {
    await this.sync();
    await this.#announce();
    await this.#sendRound();
  }

  async cancel(): Promise<void> {
    await this.#client.post("/api/direct-upload/cancel", { downloadId: this.#downloadId });
  }

  async #start(): Promise<void> {
    const list = this.#disk.initial;
    const first = list.slice(0, MAX_ENTRIES_PER_BATCH);
    const isEager = this.#draw.between(0, 1) === 0;
    const open = isEager ? this.#pack(first).slice(0, MAX_OPENED_AT_START) : [];
    const answer = await this.calls.counted(async () =>
      this.#client.post<StartTransferAnswer>("/api/transfers", {
        title: this.#known.name,
        expiration: "7d",
        totals: { entries: list.length, bytes: sizeOfAll(list) },
        fingerprint: await fingerprintOf(list),
        entries: { from: 0, list: first.map(announcementOf) },
        open: open.map(openingOf),
      }),
    );
    const { uploadId, downloadId, resumed, next } = answer;
    if (this.#known.uploadId !== null && uploadId !== this.#known.uploadId) {
      throw new LossError(`${this.#known.name}: another device did not find it`);
    }
    this.#known.uploadId = uploadId;
    this.#downloadId = downloadId;
    this.calls.downloadId = downloadId;
    this.#nextObject = Math.max(next?.object ?? 0, resumed ? 0 : open.length);
    if (!resumed) for (const { object, numbers } of open) this.#remember(object, numbers);
    this.#known.compare(answer);
    await this.#learn(answer);
    if (resumed) await this.#dropSome();
  }

  /** Reads the list, in which another device, or a batch whose answer was lost, has announced entries. */
  async #readList(): Promise<void> {
    const listed: ListedEntry[] = [];
    for (let total = 1; listed.length < total;) {
      const path = `/api/files/download/${this.#downloadId}/entries?from=${listed.length}`;
      const page = await this.calls.counted(() => this.#client.get<ListedEntries>(path));
      total = page.total;
      listed.push(...page.entries);
    }
    this.#list.replace(listed);
  }

  async #learn({ entries, stored, received }: TransferState): Promise<void> {
    if (entries > this.#list.length) await this.#readList();
    this.#announced = entries;
    this.#stored = new Set(toNumbers(stored));
    const unreported = new Set(this.#receipts.map(({ object, part }) => `${object}/${part}`));
    this.#open = new Map(
      received.map(({ object, runs, parts }) => {
        const numbers = toNumbers(runs);
        const { partCount } = planParts(this.#list.sizeOf(numbers));
        const arrived = new Set(toNumbers(parts));
        const isMissing = (part: number) => !arrived.has(part) && !unreported.has(`${object}/${part}`);
        return [object, { numbers, missing: partsOf(partCount).filter(isMissing) }];
      }),
    );
    for (const [object, { numbers }] of this.#open) this.#known.recordObject(object, numbers);
    this.#nextObject = Math.max(this.#nextObject, ...[...this.#open.keys()].map((object) => object + 1));
  }

  /** Drops some unfinished objects, because a new device may pack their missing files in another way. */
  async #dropSome(): Promise<void> {
    const drop = [...this.#open]
      .filter(([, { missing }]) => missing.length > 0 && this.#draw.between(1, DROPPED_ONE_OF) === 1)
      .map(([object]) => object);
    if (drop.length === 0) return;
    for (const object of drop) this.#known.recordDropped(object);
    await this.#learn(await this.calls.batch({ drop }));
  }

  async #sendEverything(): Promise<void> {
    await this.#announce();
    while (await this.#sendRound()) await this.#announce();
  }

  /** Announces the rest of the list, and, under new numbers, the files that have changed on the disk. */
  async #announce(): Promise<void> {
    const batches: Batch[] = [];
    for (let from = this.#announced; from < this.#list.length; from += MAX_ENTRIES_PER_BATCH) {
      const list = this.#list.slice(from, from + MAX_ENTRIES_PER_BATCH).filter((entry) => entry !== null);
      batches.push({ entries: { from, list: list.map(announcementOf) } });
    }
    await this.calls.batchesInAnyOrder(batches);
    this.#announced = this.#list.length;
    await this.#announceChanges();
  }

  async #announceChanges(): Promise<void> {
    const changes = this.#list.changes();
    const { remove, list, totalBytes: bytes } = changes;
    if (remove.length === 0) return;
    const drop = [...this.#open]
      .filter(([, { numbers, missing }]) => missing.length > 0 && numbers.some((n) => remove.includes(n)))
      .map(([object]) => object);
    this.#known.recordRemoved(remove);
    for (const object of drop) this.#known.recordDropped(object);
    const answer = await this.calls.batch({
      totals: { entries: this.#disk.initial.length, bytes },
      entries: { from: this.#list.length, list: list.map(announcementOf) },
      remove,
      drop,
      receipts: this.#takeReceipts(),
    });
    this.#list.change(changes);
    await this.#learn(answer);
  }

  /** @returns whether there was anything to send in this round */
  async #sendRound(): Promise<boolean> {
    const waiting = [...this.#open].filter(([, { missing }]) => missing.length > 0);
    const added = this.#pack(this.#list.slice(0, this.#announced));
    if (waiting.length === 0 && added.length === 0) return false;
    const open = added.slice(0, this.#draw.between(1, MAX_OPENED_PER_BATCH));
    const sign = waiting
      .slice(0, PARTS_AT_ONCE)
      .map(([object, { missing }]) => ({ object, parts: missing.slice(0, 16) }));
    for (const { object, numbers } of open) this.#known.recordObject(object, numbers);
    const { urls } = await this.calls.batch({ open: open.map(openingOf), sign, receipts: this.#takeReceipts() });
    for (const { object, numbers } of open) this.#remember(object, numbers);
    const parts = urls.filter(({ object, part }) => this.#open.get(object)?.missing.includes(part));
    await inParallel(this.#shuffled(parts), PARTS_AT_ONCE, (part) => this.#sendPart(part));
    this.#disk.maybeChange(this.#draw);
    // Receipts that are not reported now may come with the next batch, or with the finish.
    const isReporting = this.#receipts.length > MAX_UNREPORTED || this.#draw.between(0, 1) === 0;
    if (isReporting) await this.#learn(await this.calls.batch({ receipts: this.#takeReceipts() }));
    return true;
  }

  async #sendPart({ object, part, url }: SignedObjectPart): Promise<void> {
    const { numbers } = this.#open.get(object) ?? { numbers: [] };
    const bytes = bytesOfAll(numbers.map((n) => this.#list.listed(n)));
    const { start, end } = partRange(bytes.byteLength, part, planParts(bytes.byteLength).partSizeBytes);
    const body = bytes.slice(start, end);
    const sum = crc32(body).toString(16).padStart(8, "0");
    const isPack = bytes.byteLength <= MAX_PACK_OBJECT_BYTES;
    // A file is damaged only once, so a pack stays as it is if it holds a file that was damaged before.
    const mayBeDamaged = isPack && !numbers.some((n) => this.#known.damaged.has(n));
    if (mayBeDamaged && this.#draw.between(1, DAMAGED_ONE_OF) === 1) {
      body[0] = (body[0] ?? 0) ^ 1;
      this.#known.recordDamage(object);
    }
    const etag = await this.calls.counted(() => this.#put(object, part, url, body));
    this.#receipts.push({ object, part, etag, crc32: sum });
    const open = this.#open.get(object);
    if (open) open.missing = open.missing.filter((missing) => missing !== part);
  }

  async #put(object: number, part: number, url: string, body: Uint8Array<ArrayBuffer>): Promise<string> {
    if (!this.#options.isProxied) return this.#client.putToStore(url, body, PART_CONTENT_TYPE);
    const path = `/api/transfers/${this.#downloadId}/objects/${object}/${part}`;
    return (await this.#client.put<ProxiedObjectPart>(path, body)).etag;
  }

  /** @returns null when some objects have to be sent again */
  async #finish(): Promise<FinishTransferAnswer | null> {
    const receipts = this.#takeReceipts();
    try {
      const path = `/api/transfers/${this.#downloadId}/finish`;
      return await this.#client.post<FinishTransferAnswer>(path, { receipts });
    } catch (error) {
      if (!(error instanceof HttpError && error.code === "UPLOAD_INCOMPLETE")) throw error;
      this.#known.recordReceipts(receipts);
      return null;
    }
  }

  /** Packs the entries that are neither stored nor in an object. */
  #pack(list: readonly (DiskEntry | null)[]): { object: number; numbers: number[] }[] {
    const assigned = new Set([...this.#open.values()].flatMap(({ numbers }) => numbers));
    const free = [...list.entries()].flatMap(([n, entry]) =>
      entry && !assigned.has(n) && !this.#stored.has(n) ? [{ n, size: entry.sizeBytes }] : [],
    );
    const { packs, large } = packEntries(free, this.#options.packBytes);
    return [...packs, ...large.map((n) => [n])].map((numbers, index) => ({
      object: this.#nextObject + index,
      numbers,
    }));
  }

  #remember(object: number, numbers: number[]): void {
    this.#known.recordObject(object, numbers);
    this.#nextObject = Math.max(this.#nextObject, object + 1);
    if (this.#open.has(object)) return;
    this.#open.set(object, { numbers, missing: partsOf(planParts(this.#list.sizeOf(numbers)).partCount) });
  }

  #takeReceipts(): CompletedObjectPart[] {
    return this.#shuffled(this.#receipts.splice(0));
  }

  #shuffled<Item>(items: Item[]): Item[] {
    const places = items.map((item) => ({ item, place: this.#draw.between(0, 1_000_000) }));
    return places.sort((a, b) => a.place - b.place).map(({ item }) => item);
  }
}

function announcementOf({ path, sizeBytes, modifiedMs }: DiskEntry): AnnouncedEntry {
  return [path, sizeBytes, modifiedMs];
}

function openingOf({ object, numbers }: { object: number; numbers: number[] }): ObjectToOpen {
  return { object, runs: toRunsInOrder(numbers).map(([first, count]) => [first, count]) };
}

function partsOf(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
