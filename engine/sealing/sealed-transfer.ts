import { mimeTypeOf } from "#domain/mime.ts";
import { planParts, partRange } from "#domain/parts.ts";
import type { ContentKeys } from "#domain/seal/keys.ts";
import type { Manifest, ManifestFile } from "#domain/seal/manifest.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import { SEGMENTED_FROM_BYTES } from "#domain/segments.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { FinishTransferAnswer, ListedEntry, StartTransferAnswer } from "#domain/wire.ts";
import type { Ports, SealingPorts } from "../ports.ts";
import type { ObjectRequest, ReadAnswer, ReadObject } from "../read-messages.ts";
import { OnDemandThread } from "../reading-thread.ts";
import { Throttle } from "../timing.ts";
import type { EntrySources } from "../transfer/entry-sources.ts";
import type { TransferEntries } from "../transfer/transfer-entries.ts";
import type { TransferListEntry } from "../transfer/transfer-list.ts";
import type { UploadOptions } from "../upload-types.ts";
import { openListed, type OpenedList } from "./open-listed.ts";
import type { PlainSums, SealAnswer, SealedRange, SealRequest } from "./seal-messages.ts";
import { UploadSeal } from "./upload-seal.ts";

/** The longest time until recipients see new names. */
const MANIFEST_INTERVAL_MS = 2 * SECOND_MS;

interface Options {
  ports: Ports & SealingPorts;
  options: UploadOptions;
  entries: TransferEntries;
  sources: EntrySources;
  signal: AbortSignal;
}

/** Title and message, which only the manifest contains. */
interface Words {
  title: string;
  message: string;
}

/** Many files that are sealed before they are sent. Each file is a stream with its entry's number. */
export class SealedTransfer {
  readonly #entries: TransferEntries;
  readonly #sources: EntrySources;
  readonly #start: UploadSeal;
  readonly #thread: OnDemandThread<SealRequest, SealAnswer>;
  readonly #sums = new Map<number, PlainSums>();
  /** The marks of sent parts, by entry and part. */
  readonly #marks = new Map<number, Map<number, string>>();
  /** Files in an earlier session's manifest, which this device may not have. */
  readonly #known = new Map<number, ManifestFile>();
  readonly #keys = Promise.withResolvers<undefined>();
  readonly #putSoon: Throttle;
  readonly #keepSoon: Throttle;
  /** Sends manifests one after the other. */
  #line: Promise<unknown> = Promise.resolve();
  #words: Words = { title: "", message: "" };
  #listVersion = -1;
  #isFinal = false;
  /** Each resumption changes this number, because entries then get other numbers. */
  #numbering = 0;

  constructor({ ports, options, entries, sources, signal }: Options) {
    this.#entries = entries;
    this.#sources = sources;
    this.#start = new UploadSeal(ports, options, signal);
    this.#thread = new OnDemandThread(ports, ports.startSealing, signal);
    this.#putSoon = new Throttle(MANIFEST_INTERVAL_MS, () => {
      // A failure is ignored, because only the last manifest before the end must arrive.
      this.#put().catch(() => undefined);
    });
    this.#keepSoon = new Throttle(MANIFEST_INTERVAL_MS, () => this.#start.keep(this.#manifest()));
    this.#keys.promise.catch(() => undefined);
    signal.addEventListener("abort", () => {
      this.#keys.reject(signal.reason);
      this.#putSoon.stop();
      this.#keepSoon.stop();
    });
  }

  /** @throws TypeError before `prepare` */
  get keys(): ContentKeys {
    return this.#start.keys;
  }

  get words(): Words {
    return this.#words;
  }

  /** The fingerprint by which the server knows the transfer. */
  get fingerprint(): string | null {
    return this.#start.fingerprint;
  }

  /** @returns the start's fields @param known fingerprint of the unfinished transfer to resume @throws UploadError */
  async prepare(words: Words, fingerprint: string | null, known?: string) {
    this.#words = words;
    const start = await this.#start.prepare(fingerprint, this.#manifest(), known);
    this.#keys.resolve(undefined);
    return start;
  }

  /** @returns the whole link @throws UploadError */
  begin(start: StartTransferAnswer): string {
    this.#listVersion = this.#entries.listVersion;
    return this.#start.begin(start);
  }

  /** Reads and seals in the sealing thread, which replaces the reading thread. */
  async read(request: ObjectRequest, { numbers, part }: ReadObject): Promise<ReadAnswer> {
    await this.#keys.promise;
    const { keys } = this.#start;
    const [stream = 0] = numbers;
    const numbering = this.#numbering;
    const answer = await this.#thread.ask(
      request.kind === "bytes"
        ? { kind: "pack", keys, files: request.blobs.map((file, index) => ({ stream: numbers[index] ?? 0, file })) }
        : { ...request, keys, stream, part, needsSums: true },
    );
    const { body, crc32, marks, sums, failures } = answer;
    if (numbering === this.#numbering) {
      for (const [index, sum] of sums.entries()) this.#sums.set(numbers[index] ?? 0, sum);
      for (const [index, mark] of marks.entries()) this.#markSent(numbers[index] ?? 0, part, mark);
      if (sums.length > 0) this.#keepSoon.call();
      // Who reads a large file while it arrives compares it with its sum.
      if (sums.length > 0 && this.#entries.sizeBytes(stream) >= SEGMENTED_FROM_BYTES) this.#putSoon.call();
    }
    return {
      body,
      crc32,
      sha256: null,
      failures,
      marks: marks.map((mark, index) => ({ n: numbers[index] ?? 0, mark })),
    };
  }

  /** Sends the list of files if it has changed. Cheap enough to call often. */
  update(): void {
    if (this.#listVersion === this.#entries.listVersion || !this.#start.hasBegun) return;
    this.#listVersion = this.#entries.listVersion;
    this.#putSoon.call();
  }

  /**
   * Compares this device's files with the server's. @param listed by the server @throws ApiError, SealError,
   * UploadError
   */
  async resume(
    listed: readonly ListedEntry[],
    start: StartTransferAnswer,
    chosen: readonly TransferListEntry[],
  ): Promise<OpenedList> {
    const { newest: manifest, ...kept } = await this.#start.readNewest();
    const { title, message } = manifest;
    this.#numbering += 1;
    this.#sums.clear();
    this.#marks.clear();
    for (const { n, part, mark } of start.marks ?? []) this.#markSent(n, part, mark);
    this.#words = { title: title ?? "", message: message ?? "" };
    const { known, ...opened } = await openListed({
      listed,
      start,
      chosen,
      manifest,
      kept,
      check: (n, file) => this.#check(n, file),
    });
    for (const [n, { sha256, crc32, ...file }] of known) {
      this.#known.set(n, file);
      if (sha256 !== undefined && crc32 !== undefined) this.#sums.set(n, { sha256, crc32 });
    }
    return opened;
  }

  /** @returns numbers of files without known sums, which must be sent again @throws as `UploadSeal.put` */
  async finish(): Promise<number[]> {
    const missing: number[] = [];
    for (let n = 0; n < this.#entries.length; n += 1) {
      if (this.#entries.isIn(n, "removed") || this.#entries.path(n).endsWith("/") || this.#sums.has(n)) continue;
      const file = this.#sources.file(n);
      const { marks, sums } = file ? await this.#check(n, file) : NOTHING;
      // The file may have changed since its parts were sent.
      const isSame = marks.every((mark, index) => mark === this.#marks.get(n)?.get(index + 1));
      if (sums[0] && isSame) this.#sums.set(n, sums[0]);
      else missing.push(n);
    }
    if (missing.length > 0) return missing;
    this.#isFinal = true;
    await this.#put();
    return [];
  }

  /** Makes the list open again, because the transfer could not be finished. */
  reopen(): void {
    this.#isFinal = false;
  }

  /** Takes removed entries of the finished transfer out of its list. @throws as `UploadSeal.edit` */
  forgetRemoved(): Promise<void> {
    return this.#edit(({ files, ...others }) => ({
      ...others,
      files: files.filter(({ stream }) => !this.#entries.isIn(stream, "removed")),
    }));
  }

  /** @throws as `UploadSeal.put` and `UploadSeal.edit` */
  async changeWords(change: Partial<Words>): Promise<void> {
    const before = this.#words;
    this.#words = { ...before, ...change };
    try {
      if (!this.#isFinal) await this.#put(new AbortController().signal);
      else await this.#edit(({ title: _title, message: _message, ...others }) => ({ ...others, ...this.#toldWords() }));
    } catch (error) {
      this.#words = before;
      throw error;
    }
  }

  /** @throws UploadError if the manifest with the names of `added` would be too long */
  refuseTooMany(added: readonly TransferListEntry[]): void {
    const manifest = this.#manifest();
    const files = added.map((entry, index) => describe(this.#entries.length + index, entry));
    this.#start.refuseTooMany({ ...manifest, files: [...manifest.files, ...files] });
  }

  nameFinished(finished: FinishTransferAnswer): FinishTransferAnswer {
    this.#start.end(finished.expiresAt);
    const size = this.#manifest().files.reduce((sum, file) => sum + file.size, 0);
    return { ...finished, size, filename: this.#words.title, shareUrl: this.#start.linkOf(finished.shareUrl) };
  }

  forget(): void {
    this.#start.forget();
  }

  #edit(edit: (manifest: Manifest) => Manifest): Promise<void> {
    const edited = this.#line.then(() => this.#start.edit(edit, this.#manifest()));
    this.#line = edited.catch(() => undefined);
    return edited;
  }

  #put(signal?: AbortSignal): Promise<void> {
    const put = this.#line.then(() => this.#start.put(this.#manifest(), { removed: this.#removed() }, signal));
    this.#line = put.catch(() => undefined);
    return put;
  }

  #markSent(n: number, part: number, mark: string): void {
    const marks = this.#marks.get(n) ?? new Map<number, string>();
    this.#marks.set(n, marks.set(part, mark));
  }

  async #check(n: number, file: File): Promise<SealAnswer> {
    await this.#keys.promise;
    return this.#thread.ask({
      kind: "check",
      keys: this.#start.keys,
      stream: n,
      file,
      ranges: rangesOf(sealedSize(file.size)),
    });
  }

  #manifest(): Manifest {
    const files: ManifestFile[] = [];
    for (let n = 0; n < this.#entries.length; n += 1) {
      if (this.#entries.isIn(n, "removed")) continue;
      const entry = this.#sources.get(n);
      const known = this.#known.get(n);
      const file = known && !entry?.file ? known : entry ? describe(n, entry) : known;
      if (file) files.push({ ...file, name: this.#entries.path(n), ...this.#sums.get(n) });
    }
    return { final: this.#isFinal, ...this.#toldWords(), files };
  }

  #toldWords(): Pick<Manifest, "title" | "message"> {
    const { title, message } = this.#words;
    return { ...(title !== "" && { title }), ...(message !== "" && { message }) };
  }

  #removed(): [number, string][] {
    return this.#entries.listIn("removed").map((n) => [n, this.#entries.path(n)]);
  }
}

const NOTHING: Pick<SealAnswer, "marks" | "sums"> = { marks: [], sums: [] };

function describe(n: number, { path, file, sizeBytes, modifiedMs }: TransferListEntry): ManifestFile {
  const type = path.endsWith("/") ? "" : mimeTypeOf(path, file?.type ?? "");
  return { name: path, type, size: sizeBytes, mtime: modifiedMs, stream: n, at: 0 };
}

function rangesOf(sealedBytes: number): SealedRange[] {
  const { partCount, partSizeBytes } = planParts(sealedBytes);
  return Array.from({ length: partCount }, (_, index) => ({
    part: index + 1,
    ...partRange(sealedBytes, index + 1, partSizeBytes),
  }));
}
