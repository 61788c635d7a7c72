import type { ContentKeys } from "#domain/seal/keys.ts";
import type { WaitedFor, Obstacle } from "./fetch-records.ts";
import { OpenError, type OpenProblem } from "./open-error.ts";
import type { Content } from "./sources.ts";

/** The place to which the worker writes decrypted bytes. */
export type Target = { kind: "blob" } | { kind: "stage"; key: string } | { kind: "file"; handle: FileSystemFileHandle };

/** A message from the page to the worker. */
export type ToOpener =
  | { type: "open"; keys: ContentKeys; content: Content; target: Target }
  /** Each read gets one answer. @param to exclusive */
  | { type: "read"; id: number; from: number; to: number }
  | { type: "prepare"; keys: ContentKeys; content: Content }
  /** The worker answers with `probed`. */
  | { type: "probe" }
  /** The page's answer to `obstacle`. */
  | { type: "cleared"; isCleared: boolean }
  /** The page's answer to `ended`: the SHA-256 of the final list, hexadecimal; null if the list cannot be read. */
  | { type: "sum"; sha256: string | null }
  | { type: "stop" };

/** A message from the worker to the page. */
export type FromOpener =
  | { type: "progress"; bytes: number; size: number }
  /** No bytes arrive until the next `progress`. */
  | { type: "waiting"; awaited: WaitedFor }
  /** All bytes of a file that was followed have arrived, so the sender's list is final. The page answers with `sum`. */
  | { type: "ended" }
  | { type: "obstacle"; obstacle: Obstacle }
  | { type: "opened"; blob: Blob | null }
  | { type: "stretch"; id: number; bytes: Uint8Array<ArrayBuffer> }
  | { type: "failed"; id?: number; problem: OpenProblem }
  | { type: "probed"; canStage: boolean }
  | { type: "stopped" };

/** Removes an obstacle, for example by unlocking the link again. @returns whether the obstacle is removed */
export type Clear = (obstacle: Obstacle) => Promise<boolean>;

interface Progress {
  bytes: number;
  size: number;
}

function startWorker(): Worker {
  return new Worker(new URL("./open.worker.ts", import.meta.url), { type: "module" });
}

function send(worker: Worker, message: ToOpener): void {
  worker.postMessage(message);
}

/** @returns whether this browser can write to the origin-private file system */
export async function probeStageInWorker(): Promise<boolean> {
  const worker = startWorker();
  try {
    return await new Promise<boolean>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<FromOpener>) => resolve(data.type === "probed" && data.canStage);
      worker.onerror = () => resolve(false);
      send(worker, { type: "probe" });
    });
  } finally {
    worker.terminate();
  }
}

/** Decrypts a whole file or ZIP in a web worker. */
export class Opening {
  /** @returns a blob if the target is memory, else `blob: null`; null if `stop` was called @throws OpenError */
  readonly isDone: Promise<{ blob: Blob | null } | null>;
  readonly #worker = startWorker();

  constructor(
    keys: ContentKeys,
    content: Content,
    target: Target,
    events: {
      clear: Clear;
      onProgress(progress: Progress): void;
      onWaiting(awaited: WaitedFor): void;
      /** @returns the file's SHA-256 in the sender's final list; null if that list cannot be read */
      findSum(): Promise<string | null>;
    },
  ) {
    const worker = this.#worker;
    this.isDone = new Promise<{ blob: Blob | null } | null>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<FromOpener>) => {
        if (data.type === "progress") events.onProgress(data);
        else if (data.type === "waiting") events.onWaiting(data.awaited);
        else if (data.type === "ended") void tellSum(worker, events.findSum);
        else if (data.type === "obstacle") void clearFor(worker, events.clear, data.obstacle);
        else if (data.type === "opened") resolve({ blob: data.blob });
        else if (data.type === "stopped") resolve(null);
        else if (data.type === "failed") reject(new OpenError(data.problem));
      };
      worker.onerror = () => reject(new OpenError("refused"));
    }).finally(() => worker.terminate());
    send(worker, { type: "open", keys, content: plain(content), target });
  }

  /** Stops the decryption. Staged bytes stay on disk for the next try. */
  stop(): void {
    send(this.#worker, { type: "stop" });
  }
}

/** Reads ranges of a decrypted file for a viewer, in a web worker. */
export class StretchReader {
  readonly #worker = startWorker();
  readonly #waiting = new Map<number, PromiseWithResolvers<Uint8Array<ArrayBuffer>>>();
  #nextId = 0;

  constructor(keys: ContentKeys, content: Content, clear: Clear) {
    this.#worker.onmessage = ({ data }: MessageEvent<FromOpener>) => {
      if (data.type === "obstacle") void clearFor(this.#worker, clear, data.obstacle);
      else if (data.type === "stretch") this.#take(data.id)?.resolve(data.bytes);
      else if (data.type === "failed") this.#take(data.id ?? -1)?.reject(new OpenError(data.problem));
    };
    send(this.#worker, { type: "prepare", keys, content: plain(content) });
  }

  /** @param to exclusive; bytes behind the file's end are left out @throws OpenError */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
    const id = this.#nextId++;
    const waiting = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    this.#waiting.set(id, waiting);
    send(this.#worker, { type: "read", id, from, to });
    return waiting.promise;
  }

  /** Ends the web worker. Promises of running reads never settle. */
  close(): void {
    this.#worker.terminate();
  }

  #take(id: number): PromiseWithResolvers<Uint8Array<ArrayBuffer>> | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

async function clearFor(worker: Worker, clear: Clear, obstacle: Obstacle): Promise<void> {
  const isCleared = await clear(obstacle).catch(() => false);
  send(worker, { type: "cleared", isCleared });
}

async function tellSum(worker: Worker, findSum: () => Promise<string | null>): Promise<void> {
  const sha256 = await findSum().catch(() => null);
  send(worker, { type: "sum", sha256 });
}

/** @returns a copy with only the fields that the worker needs, because messages to a worker are copied */
export function plain({ files, isArchive }: Content): Content {
  return {
    isArchive,
    files: files.map(({ name, size, mtime, crc32, at, stream, streamBytes, url, isFollowed }) => ({
      name,
      size,
      mtime,
      ...(crc32 !== undefined && { crc32 }),
      at,
      stream,
      streamBytes,
      url,
      isFollowed,
    })),
  };
}
