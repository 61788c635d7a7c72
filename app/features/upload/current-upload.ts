import { forgetPendingFile } from "#app/features/account/pending-file.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { ChunkedUpload } from "./engine/chunked-upload.ts";
import type { PartsProgress, Progress } from "./engine/progress.ts";
import type { PutRoute } from "./engine/put.ts";
import type { FinishedUpload, Upload, UploadEvents, UploadOptions } from "./engine/direct-upload.ts";

/** Straight to storage with all its fallbacks, or in chunks through our own server. */
export type Method = "direct" | "chunked";

/** What a person wanted to send, kept so that they can try again without choosing the file anew. */
export interface Attempt {
  file: File;
  options: UploadOptions;
  method: Method;
}

export interface FailedUpload extends Attempt {
  error: unknown;
  /** Whether the server knows of it, and keeps what has arrived. */
  started: boolean;
}

export type UploadState =
  | { mode: "idle"; failed: FailedUpload | null }
  | {
      mode: "sending";
      file: File;
      /** Null until the server has answered. */
      link: { shareUrl: string; uploadId: string } | null;
      progress: Progress;
      transport: PutRoute;
      finishing: boolean;
      /** Null until a part has moved, and where it goes in chunks. */
      parts: PartsProgress | null;
      /** The chunk that is on its way, from 1, where it goes in chunks. */
      chunk: { number: number; total: number } | null;
    }
  | { mode: "done"; result: FinishedUpload };

/** The engine is fetched when a file is at hand, not with the page. */
const ENGINES = {
  direct: async () => (await importWhenOnline(() => import("./engine/direct-upload.ts"))).Upload,
  chunked: async () => (await importWhenOnline(() => import("./engine/chunked-upload.ts"))).ChunkedUpload,
};

/** Fetches an engine ahead of its use. What fails now is told when a file goes up. */
export function prepareUpload(method: Method): void {
  ENGINES[method]().catch(() => undefined);
}

const IDLE: UploadState = { mode: "idle", failed: null };

/** This page's one upload. It lives outside React, so that walking through the site does not end it. */
class CurrentUpload {
  #state: UploadState = IDLE;
  #upload: Upload | ChunkedUpload | null = null;
  /** Counts what was started and ended: an answer to anything but the last is too late. */
  #turn = 0;
  readonly #listeners = new Set<() => void>();

  readonly getState = (): UploadState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Sends a file. After an error the same call goes on from what had arrived. */
  start(attempt: Attempt): void {
    const { file, options, method } = attempt;
    const events: UploadEvents = {
      onStarted: ({ shareUrl, uploadId }) => {
        this.#patch({ link: { shareUrl, uploadId } });
      },
      onProgress: (progress) => {
        this.#patch({ progress });
      },
      onTransport: (transport) => {
        this.#patch({ transport });
      },
      onParts: (parts) => {
        this.#patch({ parts });
      },
      onFinishing: () => {
        this.#patch({ finishing: true });
      },
      onChunk: (number, total) => {
        this.#patch({ chunk: { number, total } });
      },
    };
    this.#turn += 1;
    const turn = this.#turn;
    this.#upload = null;
    const progress: Progress = { loadedBytes: 0, totalBytes: file.size, percent: 0, speed: 0, timeLeftMs: null };
    this.#set({
      mode: "sending",
      file,
      link: null,
      progress,
      transport: "direct",
      finishing: false,
      parts: null,
      chunk: null,
    });
    const run = async () => {
      const Engine = await ENGINES[method]();
      if (this.#turn !== turn) return null;
      this.#upload = new Engine(file, options, events);
      return this.#upload.run();
    };
    run().then(
      (result) => {
        if (this.#turn !== turn || !result) return;
        forgetPendingFile();
        this.#set({ mode: "done", result });
      },
      (error: unknown) => {
        if (this.#turn !== turn) return;
        const started = this.#state.mode === "sending" && this.#state.link !== null;
        this.#set({ mode: "idle", failed: { ...attempt, error, started } });
      },
    );
  }

  /** Stops at once and discards what has arrived. */
  cancel(): void {
    this.#upload?.cancel();
    this.reset();
  }

  /** Back to choosing a file. */
  reset(): void {
    this.#turn += 1;
    this.#upload = null;
    this.#set(IDLE);
  }

  #patch(change: Partial<Extract<UploadState, { mode: "sending" }>>): void {
    if (this.#state.mode === "sending") this.#set({ ...this.#state, ...change });
  }

  #set(state: UploadState): void {
    this.#state = state;
    if (state.mode === "sending") addEventListener("beforeunload", warnOfLeaving);
    else removeEventListener("beforeunload", warnOfLeaving);
    for (const listener of this.#listeners) listener();
  }
}

/** The browser asks before a page with an upload on its way is left. */
function warnOfLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

export const currentUpload = new CurrentUpload();
export const idleUpload = (): UploadState => IDLE;
