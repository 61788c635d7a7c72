import { KIB, MIB } from "#domain/units.ts";
import type { FinishTransferAnswer } from "#domain/wire.ts";
import { HttpError, type Client } from "../client.ts";
import { Seeded } from "../seeded.ts";
import { LossError } from "../soaked-upload.ts";
import { Acknowledged } from "./acknowledged.ts";
import { compareArchive } from "./archive.ts";
import { SenderStoppedError } from "./calls.ts";
import { Device } from "./device.ts";
import { Disk, seededEntries, sizeOfAll } from "./disk.ts";

const PACK_SIZES = [256 * KIB, MIB, 8 * MIB];

export interface TransferCounts {
  finished: number;
  files: number;
  bytes: number;
  cancelled: number;
  deleted: number;
  /** The number of devices that stopped, and whose transfer another device continued. */
  stoppedDevices: number;
  repeatedBatches: number;
  damagedFiles: number;
  changedFiles: number;
  /** The number of receipts and stored entries, counted once for each restart. */
  checked: number;
}

export const NOTHING_YET: TransferCounts = {
  finished: 0,
  files: 0,
  bytes: 0,
  cancelled: 0,
  deleted: 0,
  stoppedDevices: 0,
  repeatedBatches: 0,
  damagedFiles: 0,
  changedFiles: 0,
  checked: 0,
};

/** A `kept` transfer stays until the end of the run. */
type Fate = "kept" | "deleted" | "cancelled";

/** The life of one transfer, from its start to its end, while the server may be killed. Every step can be repeated. */
export class SoakedTransfer {
  readonly name: string;
  readonly disk: Disk;
  finished: FinishTransferAnswer | null = null;
  readonly #client: Client;
  readonly #folder: string;
  readonly #counts: TransferCounts;
  readonly #draw: Seeded;
  readonly #known: Acknowledged;
  readonly #fate: Fate;
  readonly #packBytes: number;
  #device: Device;
  #isCompared = false;
  #isCancelling = false;

  /** @param folder for the ZIP while it is compared */
  constructor(client: Client, name: string, files: number, folder: string, counts: TransferCounts) {
    this.name = name;
    this.disk = new Disk(seededEntries(name, files));
    this.#client = client;
    this.#folder = folder;
    this.#counts = counts;
    this.#draw = new Seeded(`${name}-draw`);
    this.#known = new Acknowledged(name);
    const fate = this.#draw.between(1, 12);
    this.#fate = fate === 1 ? "cancelled" : fate <= 3 ? "kept" : "deleted";
    this.#packBytes = PACK_SIZES[this.#draw.between(0, PACK_SIZES.length - 1)] ?? MIB;
    // The first device stops early, so that another device continues every transfer.
    this.#device = this.#newDevice(this.#draw.between(1, 4));
  }

  get isKept(): boolean {
    return this.#fate === "kept";
  }

  /** Whether the server has acknowledged something that a kill might lose. */
  get hasAcknowledged(): boolean {
    return this.finished === null && this.#known.count > 0;
  }

  /** Continues the transfer where a kill interrupted it. @throws LossError, HttpError, TypeError */
  async live(): Promise<void> {
    for (;;) {
      try {
        if (this.#fate === "cancelled") await this.#cancel();
        else await this.#sendAndCompare();
        return;
      } catch (error) {
        if (!(error instanceof SenderStoppedError)) throw error;
        this.#counts.stoppedDevices += 1;
        this.#replaceDevice();
      }
    }
  }

  /** Checks, at any time, that nothing acknowledged is lost. Another device may continue the transfer from here. */
  async check(): Promise<void> {
    if (this.finished || this.#isCancelling || this.#known.isFinishing || this.#known.uploadId === null) return;
    const before = this.#known.count;
    if (this.#draw.between(0, 1) === 0) this.#replaceDevice();
    try {
      await this.#device.sync();
      this.#counts.checked += before;
    } catch (error) {
      if (!(error instanceof SenderStoppedError)) throw error;
    }
  }

  /** @throws LossError when the ZIP is not what was sent */
  async compare(): Promise<void> {
    if (!this.finished) throw new LossError(`${this.name} was not finished`);
    const { downloadUrl: url, zipSize: zipSizeBytes, size, entries } = this.finished;
    const sent = this.disk.entries;
    if (size !== sizeOfAll(sent) || entries !== sent.length) {
      throw new LossError(`${this.name} has ${entries} entries and ${size} bytes`);
    }
    await compareArchive({ url, zipSizeBytes, name: this.name }, sent, `${this.#folder}/${this.name}.zip`, this.#draw);
  }

  async #sendAndCompare(): Promise<void> {
    this.finished ??= await this.#device.send();
    if (!this.#isCompared) {
      await this.compare();
      this.#isCompared = true;
      this.#counts.finished += 1;
      this.#counts.files += this.finished.entries;
      this.#counts.bytes += this.finished.size;
      this.#counts.damagedFiles += this.#known.damaged.size;
      this.#counts.changedFiles += this.disk.changedCount;
      this.#counts.repeatedBatches += this.#device.calls.repeated;
    }
    if (this.#fate !== "deleted") return;
    await this.#client.delete(`/api/files/${this.finished.id}`).catch((error: unknown) => {
      // An earlier call has deleted the transfer, and its answer was lost.
      if (!(error instanceof HttpError && error.status === 404)) throw error;
    });
    this.#counts.deleted += 1;
  }

  async #cancel(): Promise<void> {
    if (!this.#isCancelling) await this.#device.sendSome();
    this.#isCancelling = true;
    await this.#device.cancel();
    this.#counts.cancelled += 1;
  }

  #replaceDevice(): void {
    this.#counts.repeatedBatches += this.#device.calls.repeated;
    this.#device = this.#newDevice();
  }

  #newDevice(callsUntilStop = this.#drawStop()): Device {
    return new Device(this.#client, this.disk, this.#known, this.#draw, {
      packBytes: this.#packBytes,
      isProxied: this.#draw.between(0, 2) === 0,
      callsUntilStop,
    });
  }

  #drawStop(): number {
    return this.#draw.between(0, 2) === 0 ? this.#draw.between(1, 40) : Infinity;
  }
}
