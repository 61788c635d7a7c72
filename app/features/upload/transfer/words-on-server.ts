import { api, call } from "#app/lib/api.ts";
import { codeOf } from "#engine/transfer/transfer-api.ts";
import { retryCall } from "#engine/upload-step.ts";
import { browserPorts } from "../browser/browser-ports.ts";

/** The title and message of a transfer, which recipients read. */
export interface TransferWords {
  /** "" is the default title. */
  title: string;
  message: string;
}

interface SealedWords {
  readonly words: TransferWords;
  changeWords(change: Partial<TransferWords>): Promise<void>;
}

/** Sends to the server the title and message of a transfer that has a link. */
export class WordsOnServer {
  readonly #findSealed: () => SealedWords | null;
  /** The words that the person typed before the start. The server may not have these words. */
  #typed: Partial<TransferWords> = {};
  #saved: Partial<TransferWords> = {};

  /** @param findSealed gives the words of a sealed transfer, which only its manifest has */
  constructor(findSealed: () => SealedWords | null = () => null) {
    this.#findSealed = findSealed;
  }

  /** Keeps the typed words. @param words "" for a field that the person left empty */
  type({ title, message }: TransferWords): void {
    this.#typed = { ...(title === "" ? {} : { title }), ...(message === "" ? {} : { message }) };
  }

  /** Notes that the server got the words with the start. */
  started(): void {
    this.#typed = {};
  }

  /** Whether the person has typed words that the server may not have. */
  get isUnsaved(): boolean {
    return Object.keys(this.#typed).length > 0;
  }

  /** @throws ApiError */
  async save(uploadId: string, change: Partial<TransferWords>): Promise<void> {
    const words = { ...this.#typed, ...change };
    if (Object.keys(words).length === 0) return;
    const sealed = this.#findSealed();
    await (sealed ? sealed.changeWords(words) : changeWords(uploadId, words));
    this.#typed = {};
    this.#saved = { ...this.#saved, ...words };
  }

  /**
   * Replaces the words of a resumed transfer by those that the person typed this time.
   * @returns the words after the change @throws ApiError, UploadError, and AbortError by `signal`
   */
  async takeOver(link: { uploadId: string; downloadId: string }, signal: AbortSignal): Promise<TransferWords> {
    const read = () => this.#read(link.downloadId);
    const { title, message } = await retryCall(browserPorts, "title and message", read, signal);
    const save = () => this.save(link.uploadId, {});
    await retryCall(browserPorts, "title and message", save, signal);
    // Words that were saved after the server was read replace the words that the server answered.
    return { title, message, ...this.#saved };
  }

  async #read(downloadId: string): Promise<TransferWords> {
    const sealed = this.#findSealed();
    if (sealed) return sealed.words;
    const { transfer } = await api.downloadInfo(downloadId);
    return { title: transfer?.title ?? "", message: transfer?.message ?? "" };
  }
}

async function changeWords(id: string, { title, message }: Partial<TransferWords>): Promise<void> {
  const body = { ...(title === undefined ? {} : { filename: title }), ...(message === undefined ? {} : { message }) };
  const send = () => call("PATCH /api/files/:id", { params: { id }, body });
  try {
    await send();
  } catch (error) {
    // The transfer was finished while the server handled the change, so the change is sent again.
    if (codeOf(error) !== "UPLOAD_CLOSED") throw error;
    await send();
  }
}
