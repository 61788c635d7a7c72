import { vi } from "vitest";
import { browserPorts } from "#app/features/upload/browser/browser-ports.ts";
import { wasmHashers } from "#app/lib/hashing/wasm-hashers.ts";
import { planParts } from "#domain/parts.ts";
import { toNumbers, toRuns } from "#domain/transfers/runs.ts";
import type { ListedEntry, StartTransferRequest, TransferBatch } from "#domain/wire.ts";
import type { ReadRequest } from "#engine/read-messages.ts";
import { ByteReader } from "#engine/reading-thread.ts";
import type { TransferList } from "#engine/transfer/transfer-list.ts";
import { TransferUpload } from "#engine/transfer/transfer-upload.ts";

const LINK = { uploadId: "file", downloadId: "link", shareUrl: "http://localhost/d/link" };

/** The reading thread, in this one. */
class ReadingThread {
  readonly #reader = new ByteReader(wasmHashers);
  onmessage?: (event: { data: unknown }) => void;

  constructor() {
    queueMicrotask(() => this.onmessage?.({ data: null }));
  }
  postMessage({ id, request }: { id: number; request: ReadRequest }): void {
    void this.#reader.answer(request).then((answer) => this.onmessage?.({ data: { id, answer } }));
  }
  terminate(): void {
    this.onmessage = () => undefined;
  }
}

/** Storage that takes every PUT, but the first ones when they are to break. */
class TakenRequest {
  static broken = 0;
  readonly upload = {};
  status = 200;
  onload?: () => void;
  onerror?: () => void;

  open(): void {
    this.status = 200;
  }
  setRequestHeader(): void {
    this.status = 200;
  }
  getResponseHeader(): string {
    return "etag";
  }
  abort(): void {
    this.status = 0;
  }
  send(): void {
    const isBroken = TakenRequest.broken > 0;
    if (isBroken) TakenRequest.broken -= 1;
    queueMicrotask(() => (isBroken ? this.onerror : this.onload)?.());
  }
}

class SilentSocket {
  readonly readyState = 0;

  close(): void {
    // Nothing was opened.
  }
}

interface KnownEntry {
  path: string;
  size: number;
  modifiedMs: number;
  isRemoved: boolean;
}

/** The calls of one transfer, with the rules that a sender meets. */
export class TransferServer {
  readonly entries: KnownEntry[] = [];
  readonly batches: Partial<TransferBatch & StartTransferRequest>[] = [];
  readonly calls: string[] = [];
  /** What the last of these calls said, by their names. */
  readonly said = new Map<string, unknown>();
  readonly kept = new Map<string, string>();
  /** Why a batch is refused; null when it is taken. */
  refuse: (batch: TransferBatch) => string | null = () => null;
  /** Awaited before a start is answered. */
  beforeStart: Promise<unknown> = Promise.resolve();
  /** The status of each call, by its name, that fails. */
  readonly failing = new Map<string, number>();
  readonly #objects = new Map<number, { numbers: number[]; isStored: boolean }>();
  #hasStarted = false;

  /** Takes the place of the browser's network, thread and storage. */
  constructor() {
    const fetchStub = async (path: string, { method = "GET", body }: { method?: string; body?: string }) => {
      const call = `${method} ${path.split("?")[0]}`;
      this.calls.push(call);
      this.said.set(call, JSON.parse(body ?? "null"));
      const status = this.failing.get(call);
      if (status !== undefined) return Response.json({ code: "UPLOAD_CLOSED", message: "Not now." }, { status });
      const [answered, answer] = await this.#answer(call, JSON.parse(body ?? "null"));
      return Response.json(answer, { status: answered });
    };
    vi.stubGlobal("fetch", fetchStub);
    vi.stubGlobal("Worker", ReadingThread);
    vi.stubGlobal("XMLHttpRequest", TakenRequest);
    vi.stubGlobal("navigator", { onLine: true });
    vi.stubGlobal("addEventListener", () => undefined);
    vi.stubGlobal("location", { href: "http://localhost/" });
    // A page that names no storage to connect to.
    vi.stubGlobal("document", { querySelector: () => null });
    vi.stubGlobal("WebSocket", SilentSocket);
    const { kept } = this;
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
  }

  /** Storage breaks the connection of the next PUTs. */
  breakPuts(count: number): void {
    TakenRequest.broken = count;
  }

  /** Paths that the transfer has. */
  get paths(): string[] {
    return this.entries.filter(({ isRemoved }) => !isRemoved).map(({ path }) => path);
  }

  async #answer(call: string, body: unknown): Promise<[status: number, answer: unknown]> {
    switch (call) {
      case "POST /api/transfers":
        await this.beforeStart;
        return this.#start(body as TransferBatch);
      case "POST /api/transfers/link/batch":
        return this.#take(body as TransferBatch);
      case "POST /api/transfers/link/finish":
        this.#applyReceipts(body as TransferBatch);
        return [200, { ...LINK, id: "file", filename: "t.zip", size: 0, entries: this.paths.length }];
      case "GET /api/files/download/link/entries":
        return [200, { entries: this.#list(), total: this.entries.length }];
      default:
        return [200, {}];
    }
  }

  #start(batch: TransferBatch): [number, unknown] {
    const resumed = this.#hasStarted;
    this.#hasStarted = true;
    if (!resumed) {
      const [status, answer] = this.#take(batch);
      return [status, { ...(answer as object), ...LINK, resumed }];
    }
    const announcedBytes = this.entries.reduce((sum, { size, isRemoved }) => sum + (isRemoved ? 0 : size), 0);
    const next = { entry: this.entries.length, object: 100 };
    return [200, { ...this.#state(), opened: [], urls: [], ...LINK, resumed, next, announcedBytes }];
  }

  #take(batch: TransferBatch): [number, unknown] {
    const refusal = this.refuse(batch);
    if (refusal !== null) return [403, { code: "PLAN_LIMIT_EXCEEDED", message: refusal }];
    this.batches.push(batch);
    for (const n of batch.remove) if (n < this.entries.length) this.#entry(n).isRemoved = true;
    if ((batch.entries?.from ?? this.entries.length) !== this.entries.length) return [409, { code: "ENTRY_CONFLICT" }];
    for (const [path, size, modifiedMs] of batch.entries?.list ?? []) {
      if (this.paths.includes(path)) return [409, { code: "ENTRY_CONFLICT" }];
      this.entries.push({ path, size, modifiedMs, isRemoved: batch.remove.includes(this.entries.length) });
    }
    for (const object of batch.drop) this.#objects.delete(object);
    for (const { object, runs } of batch.open) this.#objects.set(object, { numbers: toNumbers(runs), isStored: false });
    this.#applyReceipts(batch);
    const opened = batch.open.map(({ object, runs }) => {
      const sizeBytes = toNumbers(runs).reduce((sum, n) => sum + this.#entry(n).size, 0);
      return { object, ...planParts(sizeBytes) };
    });
    const first = opened.map(({ object }) => ({ object, parts: [1] }));
    const urls = [...first, ...batch.sign].flatMap(({ object, parts }) =>
      parts.map((part) => ({ object, part, url: `${object}/${part}` })),
    );
    return [200, { ...this.#state(), opened, urls }];
  }

  #applyReceipts({ receipts }: Pick<TransferBatch, "receipts">): void {
    for (const { object } of receipts) {
      const found = this.#objects.get(object);
      if (found) found.isStored = true;
    }
  }

  #state() {
    const objects = [...this.#objects];
    const stored = objects.filter(([, { isStored }]) => isStored).flatMap(([, { numbers }]) => numbers);
    const empty = this.entries.flatMap(({ size }, n) => (size === 0 ? [n] : []));
    const received = objects
      .filter(([, { isStored }]) => !isStored)
      .map(([object, { numbers }]) => ({ object, runs: toRuns(numbers), parts: [] }));
    return { entries: this.entries.length, stored: toRuns([...stored, ...empty]), received, again: [] };
  }

  #list(): ListedEntry[] {
    return this.entries.map(({ path, size, modifiedMs, isRemoved }, n) => {
      const modifiedAt = new Date(modifiedMs).toISOString();
      return { n, path, size, modifiedAt, type: "", state: isRemoved ? "removed" : "waiting" };
    });
  }

  #entry(n: number): KnownEntry {
    const entry = this.entries[n];
    if (!entry) throw new Error(`no entry ${n}`);
    return entry;
  }
}

export function file(name: string, sizeBytes = 10): File {
  return new File([new Uint8Array(sizeBytes)], name, { lastModified: 1000 });
}

export function unreadable(name: string): File {
  const broken = file(name);
  broken.arrayBuffer = () => Promise.reject(new DOMException("", "NotFoundError"));
  return broken;
}

export function listOf(...files: File[]): TransferList {
  const entries = files.map((each) => ({ path: each.name, file: each, sizeBytes: each.size, modifiedMs: 1000 }));
  return { entries, bytes: files.reduce((sum, { size }) => sum + size, 0), changedNames: 0, leftOut: 0 };
}

/** Begins to send, and tells how it ends. */
export function send(list: TransferList) {
  // The first read of a pack fails as a whole when one of its files cannot be read.
  const hasUnreadable = list.entries.some(({ file: each }) => each && Object.hasOwn(each, "arrayBuffer"));
  if (hasUnreadable) {
    vi.spyOn(Blob.prototype, "arrayBuffer").mockRejectedValueOnce(new DOMException("", "NotFoundError"));
  }
  const started = Promise.withResolvers<undefined>();
  const upload = new TransferUpload(
    browserPorts,
    list,
    { expiration: "1d", expirationChosen: false, title: "", message: "" },
    {
      onStarted: () => {
        started.resolve(undefined);
      },
      onProgress: () => undefined,
      onEntries: () => undefined,
      onTransport: () => undefined,
      onFinishing: () => undefined,
    },
  );
  const run = upload.run();
  run.catch(() => undefined);
  return { upload, run, started: started.promise };
}
