import { clearPendingFile } from "#app/lib/pending-file.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { createStore } from "#app/lib/store.ts";
import type { ChunkedUpload } from "#engine/chunked-upload.ts";
import type { DirectUpload } from "#engine/direct-upload.ts";
import type { PartsProgress, Progress } from "#engine/progress.ts";
import type { FinishedUpload, PutRoute, UploadEvents, UploadOptions } from "#engine/upload-types.ts";
import { protectionAgain, type KnownProtection } from "./link-choice.ts";
import type { CurrentTransfer, TransferSource } from "./transfer/current-transfer.ts";
import type { TransferView } from "./transfer/transfer-view.ts";

/** "direct": the bytes go straight to storage, with all fallbacks. "chunked": chunks go through our server. */
export type UploadMethod = "direct" | "chunked";

/** The values of an upload, kept after a failure, so that a retry does not ask for the file again. */
interface UploadAttempt {
  file: File;
  options: UploadOptions;
  method: UploadMethod;
}

export interface FailedUpload extends UploadAttempt {
  error: unknown;
  /** Whether the server has started the upload, and keeps the received bytes. */
  started: boolean;
}

interface StartedLink extends KnownProtection {
  uploadId: string;
}

export type CardState =
  | { mode: "idle"; failed: FailedUpload | null }
  | {
      mode: "sending";
      file: File;
      link: StartedLink | null;
      /** The address of a small picture of the file; null if there is none. */
      tile: string | null;
      progress: Progress;
      transport: PutRoute;
      finishing: boolean;
      /** Direct uploads only; null until a part has progressed. */
      parts: PartsProgress | null;
      /** Chunked uploads only: the chunk being sent, from 1. */
      chunk: { number: number; total: number } | null;
    }
  | { mode: "done"; result: FinishedUpload; link: StartedLink | null; tile: string | null }
  /** A transfer. `transfer` and `view` are null until the scripts for transfers are loaded. */
  | { mode: "transfer"; transfer: CurrentTransfer | null; view: TransferView | null };

export function isSending(state: CardState): boolean {
  return state.mode === "sending" || (state.mode === "transfer" && state.view?.phase === "sending");
}

/**
 * Whether another upload would replace the card's content: a running upload, or a list that was chosen and not sent.
 */
export function isOpen(state: CardState): boolean {
  if (state.mode !== "transfer") return state.mode === "sending";
  return state.view === null || ["reading", "list", "sending"].includes(state.view.phase);
}

/** The engine is loaded when the person is about to choose a file, not with the page. */
const loadEngine = async (method: UploadMethod) => (await loadOnDemand())[method]();

/** Loads an engine in advance. Ignores errors, because the upload itself reports an engine that cannot be loaded. */
export function prepareUpload(method: UploadMethod): void {
  loadEngine(method).catch(() => undefined);
}

const IDLE: CardState = { mode: "idle", failed: null };

/**
 * The one upload of this browser tab. The upload is kept outside React, so that it survives navigation within the site.
 */
class CurrentUpload {
  readonly #store = createStore<CardState>(IDLE);
  #upload: DirectUpload | ChunkedUpload | CurrentTransfer | null = null;
  /** Increases with each start and reset, so that results of earlier runs are ignored. */
  #run = 0;

  readonly getState = this.#store.get;
  readonly subscribe = this.#store.subscribe;

  /** Starts a single file. @returns false when another upload is open; that upload stays */
  start(attempt: UploadAttempt): boolean {
    if (isOpen(this.#state)) return false;
    const { file, options, method } = attempt;
    const events: UploadEvents = {
      onStarted: ({ shareUrl, uploadId, guards }) =>
        this.#patch({ link: { shareUrl, uploadId, guards, password: options.guards?.password } }),
      onProgress: (progress) => this.#patch({ progress }),
      onTransport: (transport) => this.#patch({ transport }),
      onParts: (parts) => this.#patch({ parts }),
      onFinishing: () => this.#patch({ finishing: true }),
      onChunk: (number, total) => this.#patch({ chunk: { number, total } }),
      onTile: (_n, image) => {
        if (this.#run === run) this.#showTile(URL.createObjectURL(image));
      },
    };
    this.#run += 1;
    const run = this.#run;
    this.#upload = null;
    const progress: Progress = { loadedBytes: 0, totalBytes: file.size, percent: 0, speed: 0, timeLeftMs: null };
    this.#set({
      mode: "sending",
      file,
      link: null,
      tile: null,
      progress,
      transport: "direct",
      finishing: false,
      parts: null,
      chunk: null,
    });
    const runEngine = async () => {
      const begin = await loadEngine(method);
      if (this.#run !== run) return null;
      const upload = begin(file, options, events);
      this.#upload = upload;
      return upload.run();
    };
    runEngine().then(
      (result) => {
        if (this.#run !== run || !result) return;
        clearPendingFile();
        this.#set({ mode: "done", result, link: this.#link, tile: tileOf(this.#state) });
      },
      (error: unknown) => {
        if (this.#run !== run) return;
        const link = this.#link;
        const again = link ? { ...options, guards: protectionAgain(link) } : options;
        this.#set({ mode: "idle", failed: { ...attempt, options: again, error, started: link !== null } });
      },
    );
    return true;
  }

  /**
   * Opens a transfer of several files or a folder. Loads the scripts for transfers first.
   * @returns false when another upload is open; that upload stays
   */
  openTransfer(source: TransferSource): boolean {
    if (isOpen(this.#state)) return false;
    this.#run += 1;
    const run = this.#run;
    this.#upload = null;
    this.#set({ mode: "transfer", transfer: null, view: null });
    const load = async () => (await loadOnDemand()).transfer();
    load().then(
      (Transfer) => {
        if (this.#run !== run) return;
        const transfer = new Transfer(source, (view) => {
          if (this.#run === run) this.#set({ mode: "transfer", transfer, view });
        });
        this.#upload = transfer;
        this.#set({ mode: "transfer", transfer, view: transfer.view });
      },
      (error: unknown) => {
        console.error("the scripts for several files could not be loaded", error);
        if (this.#run === run) this.#set(IDLE);
      },
    );
    return true;
  }

  /** Takes over the changed protection of a single file's link. */
  setGuards(known: KnownProtection): void {
    const state = this.#state;
    if (state.mode !== "sending" && state.mode !== "done") return;
    if (state.link) this.#set({ ...state, link: { ...state.link, ...known } });
  }

  cancel(): void {
    this.#upload?.cancel();
    this.reset();
  }

  reset(): void {
    if (this.#state.mode === "transfer") this.#state.transfer?.leave();
    this.#run += 1;
    this.#upload = null;
    this.#set(IDLE);
  }

  get #state(): CardState {
    return this.#store.get();
  }

  get #link(): StartedLink | null {
    return this.#state.mode === "sending" ? this.#state.link : null;
  }

  /** The picture may also be made when the file is sent. */
  #showTile(tile: string): void {
    const state = this.#state;
    if (state.mode === "sending" || state.mode === "done") this.#set({ ...state, tile });
  }

  #patch(change: Partial<Extract<CardState, { mode: "sending" }>>): void {
    if (this.#state.mode === "sending") this.#set({ ...this.#state, ...change });
  }

  #set(state: CardState): void {
    if (isSending(state)) addEventListener("beforeunload", confirmLeaving);
    else removeEventListener("beforeunload", confirmLeaving);
    const former = tileOf(this.#state);
    if (former !== null && former !== tileOf(state)) URL.revokeObjectURL(former);
    this.#store.set(state);
  }
}

function tileOf(state: CardState): string | null {
  return state.mode === "sending" || state.mode === "done" ? state.tile : null;
}

function confirmLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

export const currentUpload = new CurrentUpload();
export const idleUpload = (): CardState => IDLE;

export const loadOnDemand = async () => (await importWhenOnline(() => import("./on-demand.client.ts"))).ON_DEMAND;
