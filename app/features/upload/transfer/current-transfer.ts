import { api, call } from "#app/lib/api.ts";
import { fingerprintOf } from "#domain/transfers/fingerprint.ts";
import type { FinishTransferAnswer, UnfinishedUpload } from "#domain/wire.ts";
import { itemsOfDrop, type ChosenItems } from "../engine/transfer/chosen-items.ts";
import type { DroppedItem } from "../engine/transfer/dropped-items.ts";
import type { TransferList, TransferListEntry } from "../engine/transfer/transfer-list.ts";
import { TransferUpload, type TransferEvents } from "../engine/transfer/transfer-upload.ts";
import type { UploadOptions } from "../engine/upload-types.ts";
import { defaultTitle, EMPTY_LIST, extendList, listOf, withoutEntries } from "./list-draft.ts";
import { checkResume } from "./resume-check.ts";
import { sendingView, viewOfEntries } from "./sending-view.ts";
import type { ListView, SendingView, TransferView, TransferWords } from "./transfer-view.ts";

export type { TransferView } from "./transfer-view.ts";

/** More plain files than this show the list first. */
const MAX_SENT_AT_ONCE = 100;

export interface TransferSource {
  items: readonly DroppedItem[];
  /** Shows the list first, however few files there are. */
  needsConsent?: boolean;
  /** Goes on with this unfinished transfer. */
  unfinished?: UnfinishedUpload;
}

/** What adding files to a running transfer came to. */
export interface AddResult {
  added: number;
  alreadyThere: number;
  unreadable: readonly string[];
}

/** The transfer of this browser tab, from the choice of files to the link. */
export class CurrentTransfer {
  readonly #onChange: (view: TransferView) => void;
  #view: TransferView = { phase: "reading" };
  #upload: TransferUpload | null = null;
  #options: UploadOptions | null = null;
  /** The fingerprint under which the server knows the transfer; null before it has started. */
  #fingerprint: Promise<string> | null = null;
  /** Drops that are being read, before the start. */
  #readings = 0;
  /** Everything that was chosen, by its path. */
  readonly #files = new Map<string, TransferListEntry>();
  /** Goes on with an unfinished transfer; null for a new one. */
  #goOn: (() => Promise<void>) | null = null;

  constructor({ items, needsConsent = false, unfinished }: TransferSource, onChange: (view: TransferView) => void) {
    this.#onChange = onChange;
    void itemsOfDrop(items).then((chosen) => {
      if (unfinished) {
        this.#goOn = () => this.#resume(unfinished, chosen);
        void this.#goOn();
      } else this.#showList(chosen, !needsConsent && isPlain(items));
    });
  }

  get view(): TransferView {
    return this.#view;
  }

  setWords(words: TransferWords): void {
    this.#patchList({ words });
  }

  /** Adds files and folders before the start. */
  async extend(items: readonly DroppedItem[]): Promise<void> {
    this.#readings += 1;
    this.#patchList({ isReading: true });
    const chosen = await itemsOfDrop(items);
    this.#readings -= 1;
    if (this.#view.phase !== "list") return;
    const { list, alreadyThere } = extendList(this.#view.list, chosen.items);
    const unreadable = [...this.#view.unreadable, ...chosen.unreadable];
    this.#patchList({ list, alreadyThere, unreadable, isReading: this.#readings > 0 });
  }

  /** Takes entries off the list before the start. */
  leaveOut(entries: ReadonlySet<TransferListEntry>): void {
    if (this.#view.phase === "list") this.#patchList({ list: withoutEntries(this.#view.list, entries) });
  }

  leaveOutUnreadable(): void {
    this.#patchList({ unreadable: [] });
  }

  /** Something has to be asked before it starts. */
  showList(): void {
    this.#patchList({ startsAtOnce: false });
  }

  /** Does nothing while files are still being read: they belong to the list. */
  send(options: UploadOptions): void {
    if (this.#view.phase !== "list" || this.#view.isReading) return;
    const { list, words } = this.#view;
    this.#options = options;
    this.#fingerprint = fingerprintOf(list.entries);
    this.#files.clear();
    this.#run(list, { ...words, title: words.title.trim() || defaultTitle(list) }, null);
  }

  /** Goes on after a failure, with what the server has kept. */
  async retry(): Promise<void> {
    if (this.#view.phase !== "failed") return;
    if (!this.#upload) {
      await this.#goOn?.();
      return;
    }
    const { entries } = this.#upload;
    const left = Array.from({ length: entries.length }, (_, n) => n)
      .filter((n) => entries.state(n) !== "removed")
      .flatMap((n) => this.#files.get(entries.path(n)) ?? []);
    const { words } = this.#view;
    this.#run(listOf(left), words, await this.#fingerprint);
  }

  /** Adds to the running transfer. @throws ApiError, UploadError; then nothing was added */
  async add(items: readonly DroppedItem[]): Promise<AddResult> {
    const chosen = await itemsOfDrop(items);
    // A file that waits to be chosen again keeps its path.
    const waiting = new Set(this.#view.phase === "sending" ? this.#view.problems.map(({ path }) => path) : []);
    const present = [...this.#files.values()].filter(({ path }) => !waiting.has(path));
    const { added, alreadyThere } = extendList(listOf(present), chosen.items);
    if (added.entries.length > 0) await this.#upload?.add(added);
    this.#keep(added);
    return { added: added.entries.length, alreadyThere, unreadable: chosen.unreadable };
  }

  /** @returns false for the last entries: a transfer needs one */
  remove(numbers: readonly number[]): boolean {
    if (this.#view.phase !== "sending" || numbers.length >= this.#view.count) return false;
    for (const n of numbers) {
      const path = this.#view.entries.path(n);
      this.#upload?.remove(n);
      this.#files.delete(path);
    }
    this.#showEntries();
    return true;
  }

  /** Sends a changed or unreadable file again. @param file what the person chose again */
  retryEntry(n: number, file?: File): void {
    const path = this.#upload?.entries.path(n) ?? "";
    const entry = this.#files.get(path);
    if (file) {
      const read = { file, sizeBytes: file.size, modifiedMs: Math.trunc(file.lastModified) };
      this.#files.set(path, { path, reload: entry?.reload, ...read });
    }
    this.#upload?.retry(n, file);
    this.#showEntries();
  }

  /** Changes what recipients read, while it is sent. @throws ApiError */
  async changeWords({ title, message }: TransferWords): Promise<void> {
    if (this.#view.phase !== "sending" || !this.#view.link) return;
    const { uploadId } = this.#view.link;
    await call("PATCH /api/files/:id", { params: { id: uploadId }, body: { filename: title, message } });
    this.#patchSending({ words: { title, message } });
  }

  /** Deletes what has arrived, also what a failure has left. */
  cancel(): void {
    this.#upload?.cancel();
  }

  #showList({ items, unreadable }: ChosenItems, isPlainChoice: boolean): void {
    const { list } = extendList(EMPTY_LIST, items);
    const startsAtOnce = isPlainChoice && unreadable.length === 0 && list.entries.length > 0;
    const words = { title: "", message: "" };
    const rest = { alreadyThere: 0, isReading: false, error: null };
    this.#show({ phase: "list", words, list, unreadable, startsAtOnce, ...rest });
  }

  /** Nothing is sent when the choice has nothing in common with the transfer. */
  async #resume(unfinished: UnfinishedUpload, { items }: ChosenItems): Promise<void> {
    const { downloadId, filename, expiration, expirationChosen, fingerprint = null } = unfinished;
    const { list } = extendList(EMPTY_LIST, items);
    const words = { title: filename, message: "" };
    this.#options = { expiration, expirationChosen };
    this.#fingerprint = Promise.resolve(fingerprint ?? "");
    try {
      const { known, added } = await checkResume(downloadId, list);
      if (known === 0) this.#show({ phase: "other-files", unfinished });
      else this.#run(list, words, fingerprint, added);
    } catch (error) {
      this.#show({ phase: "failed", words, error, count: unfinished.entries ?? 0, stored: null });
    }
  }

  /**
   * @param fingerprint of the unfinished transfer that goes on
   * @param newPaths what is added to it
   */
  #run(list: TransferList, words: TransferWords, fingerprint: string | null, newPaths: readonly string[] = []): void {
    if (!this.#options) return;
    this.#keep(list);
    const events: TransferEvents = {
      onStarted: ({ resumed, ...link }) => {
        this.#patchSending({ link, resumedWith: resumed ? 0 : null });
        if (resumed) void this.#readWords(link.downloadId);
      },
      onProgress: (progress) => {
        this.#patchSending({ progress });
      },
      onEntries: () => {
        this.#showEntries();
      },
      onTransport: (transport) => {
        this.#patchSending({ transport });
      },
      onFinishing: () => {
        this.#patchSending({ finishing: true });
      },
    };
    const resume = fingerprint === null ? undefined : { fingerprint };
    const upload = new TransferUpload(list, { ...this.#options, ...words }, events, resume);
    this.#upload = upload;
    this.#show({ ...sendingView(upload, list, words), newPaths });
    upload.run().then(
      (result) => {
        this.#finish(upload, result);
      },
      (error: unknown) => {
        if (this.#upload === upload) this.#fail(list, error);
      },
    );
  }

  #finish(upload: TransferUpload, result: FinishTransferAnswer): void {
    if (this.#upload !== upload || this.#view.phase !== "sending") return;
    this.#show({ phase: "done", words: this.#view.words, result });
  }

  /** Before the server has started it, the list is shown again: its words or files may be the reason. */
  #fail(list: TransferList, error: unknown): void {
    if (this.#view.phase !== "sending") return;
    const { words, link, count, entries } = this.#view;
    const kept = entries.count("stored") + entries.countIn("sent");
    if (link) this.#show({ phase: "failed", words, error, count, stored: kept });
    else if (this.#goOn) this.#show({ phase: "failed", words, error, count, stored: null });
    else {
      const rest = { unreadable: [], alreadyThere: 0, isReading: false, startsAtOnce: false };
      this.#show({ phase: "list", words, list, error, ...rest });
    }
  }

  /** A resumed transfer keeps the title and message that it was started with. */
  async #readWords(downloadId: string): Promise<void> {
    const { transfer } = await api.downloadInfo(downloadId);
    if (transfer) this.#patchSending({ words: { title: transfer.title, message: transfer.message ?? "" } });
  }

  #keep({ entries }: TransferList): void {
    for (const entry of entries) this.#files.set(entry.path, entry);
  }

  #showEntries(): void {
    if (this.#view.phase === "sending" && this.#upload) this.#patchSending(viewOfEntries(this.#upload, this.#view));
  }

  #patchList(change: Partial<ListView>): void {
    if (this.#view.phase === "list") this.#show({ ...this.#view, ...change });
  }

  #patchSending(change: Partial<SendingView>): void {
    if (this.#view.phase === "sending") this.#show({ ...this.#view, ...change });
  }

  #show(view: TransferView): void {
    this.#view = view;
    this.#onChange(view);
  }
}

/** A few files and no folder. */
function isPlain(items: readonly DroppedItem[]): boolean {
  return items.length <= MAX_SENT_AT_ONCE && items.every((item) => !isFolder(item));
}

function isFolder({ entry, file }: DroppedItem): boolean {
  return entry?.isDirectory === true || Boolean(file?.webkitRelativePath);
}
