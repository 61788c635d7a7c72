import type {
  FinishTransferAnswer,
  ListedEntry,
  ReceivedObject,
  SealAtStart,
  StartTransferAnswer,
} from "#domain/wire.ts";
import type { TransferPorts } from "../ports.ts";
import type { ObjectRequest, ReadAnswer, ReadObject, ReadRequest } from "../read-messages.ts";
import { OnDemandThread } from "../reading-thread.ts";
import type { SealedTransfer } from "../sealing/sealed-transfer.ts";
import { endOf, type TransferOptions } from "../upload-types.ts";
import type { EntrySources } from "./entry-sources.ts";
import { compareStored } from "./resume-transfer.ts";
import type { TransferEntries } from "./transfer-entries.ts";
import { fingerprintOf, type TransferListEntry } from "./transfer-list.ts";

/** The fields of the call that starts a transfer, without the list of its files. */
type Described = ReturnType<typeof endOf> &
  Partial<Pick<TransferOptions, "title" | "message" | "guards">> & { seal?: SealAtStart; fingerprint: string | null };

/** The entries of an unfinished transfer, as this device knows them. */
interface Resumed {
  listed: readonly ListedEntry[];
  received: readonly ReceivedObject[];
  /** Entries whose file has another date on this device, but the same bytes as on the server. */
  sameBytes: ReadonlySet<number>;
  /** Entries that have lost their names, for which reason they are removed. */
  unnamed: readonly number[];
}

interface Options {
  ports: TransferPorts;
  options: TransferOptions;
  chosen: readonly TransferListEntry[];
  /** The fingerprint of the unfinished transfer to resume. */
  fingerprint: string | undefined;
  entries: TransferEntries;
  sources: EntrySources;
  signal: AbortSignal;
}

/** Reads and announces the files of a plain or of a sealed transfer. */
export class ListSource {
  readonly #options: Options;
  readonly #thread: OnDemandThread<ReadRequest, ReadAnswer>;
  #opening: Promise<SealedTransfer> | null = null;
  #sealed: SealedTransfer | null = null;

  constructor(options: Options) {
    this.#options = options;
    const { ports, signal } = options;
    this.#thread = new OnDemandThread(ports, ports.startReading, signal);
  }

  /** Null for a plain transfer, and before the start. */
  get sealed(): SealedTransfer | null {
    return this.#sealed;
  }

  async describe(): Promise<Described> {
    const { options, fingerprint } = this.#options;
    const { title, message, guards } = options;
    const others = endOf(options);
    const sealed = await this.#open();
    if (sealed) {
      const found = await this.#findFingerprint();
      return { ...others, ...(await sealed.prepare({ title, message }, found, fingerprint)) };
    }
    const found = fingerprint ?? (await this.#findFingerprint());
    return { ...others, title, message, ...(guards && { guards }), fingerprint: found };
  }

  /** Takes over the answer to the start. @returns the link to share @throws UploadError */
  begin(start: StartTransferAnswer): string {
    return this.#sealed?.begin(start) ?? start.shareUrl;
  }

  /**
   * Takes over the entries of an unfinished transfer. @param listed the entries that the server has @throws ApiError,
   * UploadError, SealError
   */
  async resume(listed: readonly ListedEntry[], start: StartTransferAnswer): Promise<Resumed> {
    const { chosen } = this.#options;
    if (this.#sealed) return this.#sealed.resume(listed, start, chosen);
    const compared = await compareStored(listed, start, chosen, (request) => this.#thread.ask(request));
    return { ...compared, unnamed: [] };
  }

  async read(request: ObjectRequest, object: ReadObject): Promise<ReadAnswer> {
    const sealed = await this.#open();
    return sealed ? sealed.read(request, object) : this.#thread.ask(request);
  }

  /** @returns the answer to the finish, with the name and link that only the sender of a sealed transfer knows */
  nameFinished(finished: FinishTransferAnswer): FinishTransferAnswer {
    return this.#sealed?.nameFinished(finished) ?? finished;
  }

  async #open(): Promise<SealedTransfer | null> {
    if (!this.#options.options.sealed) return null;
    this.#opening ??= this.#openSealed();
    this.#sealed = await this.#opening;
    return this.#sealed;
  }

  async #openSealed(): Promise<SealedTransfer> {
    const { ports } = this.#options;
    const [{ SealedTransfer }, sealing] = await Promise.all([
      ports.load(() => import("../sealing/sealed-transfer.ts")),
      ports.sealing(),
    ]);
    return new SealedTransfer({ ...this.#options, ports: { ...ports, ...sealing } });
  }

  /** Null where the browser offers no hashing. Such a transfer cannot be resumed. */
  #findFingerprint(): Promise<string | null> {
    return fingerprintOf(this.#options.chosen).catch(() => null);
  }
}
