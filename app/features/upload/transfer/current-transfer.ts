import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { FinishTransferAnswer, UnfinishedUpload } from "#domain/wire.ts";
import type { TransferPorts } from "#engine/ports.ts";
import { finishTransfer, removeEntry, listEntries } from "#engine/transfer/transfer-api.ts";
import { fingerprintOf, type TransferList } from "#engine/transfer/transfer-list.ts";
import { TransferUpload, type TransferEvents } from "#engine/transfer/transfer-upload.ts";
import type { UploadOptions } from "#engine/upload-types.ts";
import { browserPorts } from "../browser/browser-ports.ts";
import type { DroppedItem } from "../dropped-items.ts";
import { protectionAgain, type KnownProtection } from "../link-choice.ts";
import { Tiles } from "../tiles.ts";
import { itemsOfDrop, type ChosenItems } from "./chosen-items.ts";
import { ChosenFiles, EMPTY_LIST, extendList, isSameName } from "./chosen-list.ts";
import { isPlain, TransferDraft } from "./transfer-draft.ts";
import {
  sendingView,
  viewOfEntries,
  hasWords,
  type DoneView,
  type SendingView,
  type TransferLink,
  type TransferView,
} from "./transfer-view.ts";
import { type TransferWords, WordsOnServer } from "./words-on-server.ts";

export interface TransferSource {
  items: readonly DroppedItem[];
  /** Shows the list first, however few files there are. */
  needsConsent?: boolean;
  /** The unfinished transfer to resume. */
  unfinished?: UnfinishedUpload;
}

/** The result of adding files to a running transfer. */
interface AddResult {
  added: number;
  alreadyThere: number;
}

const NO_FINGERPRINT = Promise.resolve<string | null>(null);

/** The transfer of this browser tab, from the choice of files to the link. */
export class CurrentTransfer {
  /** Small pictures of the files, by entry number. */
  readonly tiles = new Tiles();
  readonly #onChange: (view: TransferView) => void;
  readonly #ports: TransferPorts;
  /** Aborted when the person leaves the transfer. From then on nothing new begins. */
  readonly #left = new AbortController();
  readonly #words = new WordsOnServer(() => this.#upload?.sealed ?? null);
  #view: TransferView = { phase: "reading" };
  #upload: TransferUpload | null = null;
  /** The last upload whose start the server has answered. */
  #started: TransferUpload | null = null;
  #link: TransferLink | null = null;
  #options: UploadOptions | null = null;
  /**
   * The fingerprint by which the server knows the transfer. Null before the start, and where the browser cannot hash.
   */
  #fingerprint = NO_FINGERPRINT;
  /** Additions run one after another, because each addition compares its names with those of the earlier additions. */
  #lastAddition: Promise<unknown> = Promise.resolve();
  readonly #files = new ChosenFiles();
  /** The list before the start. Null if this transfer resumes an unfinished one. */
  #draft: TransferDraft | null = null;
  /** How many files the server keeps after a failure; null while that is unknown. */
  #kept: number | null = null;
  /** Resumes the unfinished transfer; null for a new transfer. */
  #goOn: (() => Promise<void>) | null = null;

  /** @param ports the sender's ports; default: the ports of the signed-in person */
  constructor(source: TransferSource, onChange: (view: TransferView) => void, ports: TransferPorts = browserPorts) {
    const { items, needsConsent = false, unfinished } = source;
    this.#onChange = onChange;
    this.#ports = ports;
    void itemsOfDrop(items).then((chosen) => {
      if (unfinished) {
        this.#goOn = () => this.#resume(unfinished, chosen);
        void this.#goOn();
        return;
      }
      this.#draft = new TransferDraft(chosen, !needsConsent && isPlain(items), (view) => {
        if (this.#view.phase === "list") this.#show(view);
      });
      this.#show(this.#draft.view);
    });
  }

  get view(): TransferView {
    return this.#view;
  }

  /** Whether the person has left the transfer. */
  get isLeft(): boolean {
    return this.#left.signal.aborted;
  }

  /**
   * Sends the list. Does nothing while chosen files are still being read, because the list will contain them. @param
   * title the title if the person typed none
   */
  send(options: UploadOptions, title: string): void {
    if (this.#view.phase !== "list" || this.#view.isReading) return;
    const { list, words } = this.#view;
    const typed = { title: words.title.trim(), message: words.message };
    this.#options = options;
    this.#fingerprint = options.sealed ? NO_FINGERPRINT : fingerprintOf(list.entries).catch(() => null);
    this.#words.type(typed);
    this.#run(list, { ...typed, title: typed.title || title }, null);
  }

  /** Resumes the transfer after a failure. Files that the server has kept are not sent again. */
  async retry(): Promise<void> {
    if (this.#view.phase !== "failed") return;
    const { words } = this.#view;
    this.#show({ phase: "reading" });
    if (!this.#upload) {
      await this.#goOn?.();
      return;
    }
    const fingerprint = await this.#fingerprint;
    if (this.isLeft) return;
    // A transfer without a fingerprint cannot be found again, so it is sent anew.
    if (fingerprint === null) this.#started?.cancel();
    this.#run(this.#files.list(), words, fingerprint);
  }

  /** Adds files to the running transfer. @throws ApiError, UploadError; after an error nothing was added */
  add(items: readonly DroppedItem[]): Promise<AddResult> {
    const reading = itemsOfDrop(items);
    const addition = this.#lastAddition.then(async () => this.#add(await reading));
    this.#lastAddition = addition.catch(() => undefined);
    return addition;
  }

  /** @returns false if no entry would be left, because a transfer needs an entry */
  remove(numbers: readonly number[]): boolean {
    if (this.#view.phase !== "sending" || numbers.length >= this.#view.count) return false;
    for (const n of numbers) {
      this.#files.remove(this.#view.entries.path(n));
      this.tiles.drop(n);
      this.#upload?.remove(n);
    }
    this.#showEntries();
    return true;
  }

  /**
   * Removes entries of the finished transfer. @returns false if no entry would be left @throws ApiError, UploadError
   */
  async removeFinished(numbers: readonly number[]): Promise<boolean> {
    if (this.#view.phase !== "done" || numbers.length >= this.#view.result.entries) return false;
    const { id, downloadId } = this.#view.result;
    // The removal continues when the person leaves the card.
    const { signal } = new AbortController();
    for (const n of numbers) {
      await removeEntry(this.#ports, id, n, signal);
      this.#upload?.entries.setPhase(n, "removed");
      this.tiles.drop(n);
    }
    const sealed = this.#upload?.sealed;
    await sealed?.forgetRemoved();
    const result = await finishTransfer(this.#ports, downloadId, [], signal);
    this.#show({ ...this.#view, result: sealed?.nameFinished(result) ?? result });
    return true;
  }

  /**
   * Sends a changed or unreadable file again.
   * @param file the file that the person chose again @returns false if `file` has another name than the entry
   */
  retryEntry(n: number, file?: File): boolean {
    const path = this.#upload?.entries.path(n) ?? "";
    if (file) {
      if (!isSameName(file.name, path, this.#files.find(path)?.file?.name ?? null)) return false;
      this.#files.replace(path, file);
    }
    this.#upload?.retry(n, file);
    this.#showEntries();
    return true;
  }

  /**
   * Changes the title and message of a transfer that has a link. Recipients read the new words at once. @throws
   * ApiError
   */
  async changeWords(change: Partial<TransferWords>): Promise<void> {
    if (!this.#link) return;
    await this.#words.save(this.#link.uploadId, change);
    if (hasWords(this.#view)) this.#patchWords({ words: { ...this.#view.words, ...change }, wordsFailed: false });
  }

  /** Sets the protection of the link after it was changed. */
  setGuards(known: KnownProtection): void {
    if (!this.#link || !this.#options) return;
    this.#link = { ...this.#link, ...known };
    this.#options = { ...this.#options, guards: protectionAgain(this.#link) };
    if (hasWords(this.#view)) this.#show({ ...this.#view, link: this.#link });
  }

  /** Leaves the transfer, and has the server delete the files that have arrived, also after a failure. */
  cancel(): void {
    this.leave();
    this.#upload?.cancel();
    if (this.#started !== this.#upload) this.#started?.cancel();
  }

  /**
   * Leaves the transfer, for example when the person starts another upload. The server keeps the files that have
   * arrived.
   */
  leave(): void {
    this.#left.abort();
    this.tiles.clear();
  }

  /** Resumes an unfinished transfer. Nothing is sent if the transfer has none of the chosen files. */
  async #resume(unfinished: UnfinishedUpload, { items, unreadable }: ChosenItems): Promise<void> {
    const { downloadId, expiration, expirationChosen, expiresAt, fingerprint = null, seal } = unfinished;
    const { list } = extendList(EMPTY_LIST, items);
    const words = { title: unfinished.filename, message: "" };
    const end = { expiration, expirationChosen, ...(expiresAt && { expiresAt }) };
    this.#options = { ...end, ...(seal && { sealed: true, goesOnWith: downloadId }) };
    this.#fingerprint = Promise.resolve(fingerprint);
    try {
      const { known, added } = await checkResume(this.#ports, unfinished, list, this.#left.signal);
      if (this.isLeft) return;
      if (known === 0) this.#show({ phase: "other-files", unfinished });
      else this.#run(list, words, fingerprint, { newPaths: added, unreadable });
    } catch (error) {
      const count = unfinished.entries ?? 0;
      this.#show({ phase: "failed", words, link: null, error, wordsFailed: false, count, stored: null });
    }
  }

  /**
   * @param fingerprint the fingerprint of the unfinished transfer to resume; null for a new transfer @param told facts
   * for the view that `list` does not have
   */
  #run(
    list: TransferList,
    words: TransferWords,
    fingerprint: string | null,
    told: { newPaths?: readonly string[]; unreadable?: readonly string[] } = {},
  ): void {
    if (!this.#options || this.isLeft) return;
    this.#files.set(list);
    const events: TransferEvents = {
      onStarted: ({ resumed, ...started }) => {
        const link = { ...started, password: this.#options?.guards?.password };
        this.#started = upload;
        this.#link = link;
        if (upload.sealed) this.#fingerprint = Promise.resolve(upload.sealed.fingerprint);
        this.#patchSending({ link, resumedWith: resumed ? 0 : null });
        // Only the words of a transfer that has a link may have been changed since its first start.
        if (resumed && link.shareUrl !== "") void this.#takeOverWords(link);
        else this.#words.started();
      },
      onProgress: (progress) => this.#patchSending({ progress }),
      onEntries: () => this.#showEntries(),
      onTransport: (transport) => this.#patchSending({ transport }),
      onFinishing: () => this.#patchSending({ finishing: true }),
      onTile: (n, image) => {
        if (this.#upload === upload) this.#addTile(n, image);
      },
    };
    // A resumed transfer may have other numbers.
    this.tiles.clear();
    const resume = fingerprint === null ? undefined : { fingerprint };
    const goesOn = resume && this.#link && { goesOnWith: this.#link.downloadId };
    const upload = new TransferUpload(this.#ports, list, { ...this.#options, ...words, ...goesOn }, events, resume);
    this.#upload = upload;
    this.#show(sendingView(upload, list, words, told));
    upload.run().then(
      (result) => this.#finish(upload, result),
      (error: unknown) => {
        if (this.#upload === upload) this.#fail(error);
      },
    );
  }

  /** Pictures may also be made when all files are sent. */
  #addTile(n: number, image: Blob): void {
    if (this.isLeft) return;
    this.tiles.add(n, image);
    if (this.#view.phase === "done") this.#show({ ...this.#view });
    else this.#showEntries();
  }

  #finish(upload: TransferUpload, result: FinishTransferAnswer): void {
    if (this.#upload !== upload || this.#view.phase !== "sending") return;
    const { words, link, notices, wordsFailed } = this.#view;
    this.#show({ phase: "done", words, link, notices, wordsFailed, result });
  }

  /** Shows a failure. If the server has not started the transfer yet, the list is shown again. */
  #fail(error: unknown): void {
    if (this.#view.phase !== "sending") return;
    const { words, wordsFailed, link, count, entries } = this.#view;
    if (link) this.#kept = entries.count("stored") + entries.countIn("sent");
    if (this.#draft && !this.#link) {
      this.#show(this.#draft.view);
      this.#draft.showRefused(this.#files.list(), error);
    } else this.#show({ phase: "failed", words, link: this.#link, error, wordsFailed, count, stored: this.#kept });
  }

  async #add({ items, unreadable }: ChosenItems): Promise<AddResult> {
    // A file that waits to be chosen again keeps its path.
    const waiting = new Set(this.#view.phase === "sending" ? this.#view.problems.map(({ path }) => path) : []);
    const { list, added, alreadyThere } = extendList(this.#files.list(waiting), items);
    const placed = added.entries.length > 0 ? await this.#upload?.add(added) : [];
    this.#files.add(placed ?? [], list);
    const { changedNames, leftOut } = list;
    this.#patchSending({ notices: { changedNames, leftOut, unreadable } });
    return { added: placed?.length ?? 0, alreadyThere };
  }

  /**
   * Shows the words of a resumed transfer once the server has them. Until then, and after a failure, the view has the
   * words of this device.
   */
  async #takeOverWords(link: TransferLink): Promise<void> {
    try {
      const words = await this.#words.takeOver(link, this.#left.signal);
      this.#patchWords({ words, wordsFailed: false });
    } catch {
      this.#patchWords({ wordsFailed: this.#words.isUnsaved });
    }
  }

  #showEntries(): void {
    if (this.#view.phase === "sending" && this.#upload) this.#patchSending(viewOfEntries(this.#upload, this.#view));
  }

  #patchSending(change: Partial<SendingView>): void {
    if (this.#view.phase === "sending") this.#show({ ...this.#view, ...change });
  }

  #patchWords(change: Partial<Pick<DoneView, "words" | "wordsFailed">>): void {
    const view = this.#view;
    if (hasWords(view)) this.#show({ ...view, ...change });
  }

  #show(view: TransferView): void {
    this.#view = view;
    this.#onChange(view);
  }
}

/** How the chosen files differ from the files of the unfinished transfer to resume. */
interface ResumeCheck {
  /** How many of the chosen files the unfinished transfer has. */
  known: number;
  /** The paths of chosen files that the unfinished transfer does not have. These files are added. */
  added: string[];
}

/** Reads the transfer's whole list. @throws ApiError, and AbortError by `signal` */
async function checkResume(
  ports: TransferPorts,
  { downloadId, seal }: Pick<UnfinishedUpload, "downloadId" | "seal">,
  { entries }: TransferList,
  signal: AbortSignal,
): Promise<ResumeCheck> {
  const announced = new Set(seal ? await sealedPaths(downloadId) : await plainPaths(ports, downloadId, signal));
  const added = entries.map(({ path }) => path).filter((path) => !announced.has(path));
  return { known: entries.length - added.length, added };
}

async function plainPaths(ports: TransferPorts, downloadId: string, signal: AbortSignal): Promise<string[]> {
  const listed = await listEntries(ports, downloadId, signal);
  return listed.map(({ path }) => path);
}

/** The paths of a sealed transfer's files. Empty in a browser that does not keep the link's keys. */
async function sealedPaths(downloadId: string): Promise<string[]> {
  const { readKeptManifest } = await importWhenOnline(() => import("#app/lib/sealing/kept-manifest.client.ts"));
  const manifest = await readKeptManifest(downloadId);
  return manifest?.files.map(({ name }) => name) ?? [];
}
