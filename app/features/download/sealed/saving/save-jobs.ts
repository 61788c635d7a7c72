import { toBase64url } from "#domain/base64url.ts";
import { attachmentDisposition } from "#domain/content-disposition.ts";
import type { ContentKeys } from "#domain/seal/keys.ts";
import { HOUR_MS } from "#domain/units.ts";
import { OpenError, type OpenProblem } from "../reader/open-error.ts";
import { Opening, plain, type Clear } from "../reader/opener.ts";
import type { Wanted } from "../sealed-files.ts";
import { chooseSink, type Abilities, type SinkKind } from "../sinks/choose-sink.ts";
import { readNote, removeStaged, stageFolder } from "../sinks/stage-store.ts";
import { openStream } from "../stream/streamer.ts";
import { pickFile, probeAbilities } from "./abilities.ts";

/**
 * `opening`: under way. `saved`: the browser has all of it. `staged`: the same, and the stage holds a copy. `stopped`: by
 * the reader. `unable`: this browser cannot save a file of this size. `early`: a ZIP needs sums that the sender has not
 * sent yet.
 */
export type SaveState = "opening" | "saved" | "staged" | "stopped" | "unable" | "early" | OpenProblem;

export interface SaveJob {
  id: number;
  name: string;
  state: SaveState;
  sink: SinkKind;
  /** 0 to 100. */
  percent: number;
}

interface RunningJob extends SaveJob {
  wanted: Wanted;
  stop(): void;
  stageKey: string | null;
}

interface SaveTools {
  downloadId: string;
  keys: ContentKeys;
  /** Takes a download where they are counted. @returns whether bytes may be read */
  take(): Promise<boolean>;
  clear: Clear;
  /** A content was opened to its end. */
  onOpened(wanted: Wanted): void;
}

/** What this page opens and saves. */
export class SaveJobs {
  readonly #listeners = new Set<() => void>();
  #tools: SaveTools | null = null;
  #jobs: readonly RunningJob[] = [];
  #nextId = 0;
  #abilities: Promise<Abilities> | null = null;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Newest first. A new array when it changes. */
  readonly snapshot = (): readonly SaveJob[] => this.#jobs;

  use(tools: SaveTools): void {
    this.#tools = tools;
  }

  /** Probes early, so that a click leads to a choice of a file at once: browsers allow it only right after a click. */
  probe(): Promise<Abilities> {
    return (this.#abilities ??= probeAbilities());
  }

  /** Opens a content and saves it. What is under way is not started twice. */
  async start(wanted: Wanted): Promise<void> {
    const tools = this.#tools;
    if (!tools || this.#jobs.some((job) => job.state === "opening" && isSame(job.wanted, wanted))) return;
    const size = wanted.files.reduce((sum, file) => sum + file.size, 0);
    const stageKey = await stageKeyOf(tools.keys, wanted);
    if (wanted.isArchive && wanted.files.some((file) => file.size > 0 && file.crc32 === undefined)) {
      this.#change(this.#add({ name: wanted.name, wanted, sink: "blob", stageKey }), { state: "early" });
      return;
    }
    const sink = chooseSink(size, await stagedBytesOf(stageKey), await this.probe());
    const handle = sink === "file" ? await pickFile(wanted.name) : null;
    if ((sink === "file" && !handle) || !(await tools.take())) return;
    const job = this.#add({ name: wanted.name, wanted, sink: sink ?? "blob", stageKey });
    if (sink === null) this.#change(job, { state: "unable" });
    else if (sink === "stream") await this.#stream(job, tools);
    else await this.#open(job, tools, handle);
  }

  stop(id: number): void {
    this.#jobs.find((job) => job.id === id)?.stop();
  }

  /** Of a page that is left. What is staged stays. */
  stopAll(): void {
    for (const job of this.#jobs) if (job.state === "opening") job.stop();
  }

  /** Takes the job off the list, and its bytes off the stage. */
  async free(id: number): Promise<void> {
    const job = this.#jobs.find((one) => one.id === id);
    if (!job) return;
    this.#jobs = this.#jobs.filter((one) => one.id !== id);
    this.#publish();
    if (job.sink === "stage" && job.stageKey !== null) await removeStaged(await stageFolder(), job.stageKey);
  }

  /** Saves again what is staged, or opens again what is not. */
  async again(id: number): Promise<void> {
    const job = this.#jobs.find((one) => one.id === id);
    if (!job) return;
    if (job.state === "staged") await handOverStaged(job);
    else {
      this.#jobs = this.#jobs.filter((one) => one.id !== id);
      await this.start(job.wanted);
    }
  }

  async #open(job: RunningJob, { keys, clear, onOpened }: SaveTools, handle: FileSystemFileHandle | null) {
    const stage =
      job.sink === "stage" && job.stageKey !== null ? ({ kind: "stage", key: job.stageKey } as const) : null;
    const opening = new Opening(keys, job.wanted, stage ?? (handle ? { kind: "file", handle } : { kind: "blob" }), {
      clear,
      onProgress: ({ bytes, size }) => {
        this.#progress(job, bytes, size);
      },
    });
    job.stop = () => {
      opening.stop();
    };
    try {
      const opened = await opening.isDone;
      if (!opened) {
        this.#change(job, { state: "stopped" });
        return;
      }
      onOpened(job.wanted);
      if (opened.blob) handOver(opened.blob, job.name);
      else if (stage) await handOverStaged(job);
      this.#change(job, { state: stage ? "staged" : "saved", percent: 100 });
    } catch (error) {
      this.#change(job, { state: error instanceof OpenError ? error.problem : "refused" });
    }
  }

  async #stream(job: RunningJob, { downloadId, keys, clear, onOpened }: SaveTools): Promise<void> {
    const order = {
      keys,
      content: plain(job.wanted),
      contentType: "application/octet-stream",
      disposition: attachmentDisposition(job.name),
    };
    const end = (state: SaveState) => {
      stream?.close();
      this.#change(job, { state });
    };
    const stream = await openStream(downloadId, order, {
      clear,
      onProgress: (bytes, size) => {
        this.#progress(job, bytes, size);
      },
      onWhole: () => {
        onOpened(job.wanted);
        this.#progress(job, 1, 1);
        end("saved");
      },
      onBroken: end,
    });
    if (!stream) {
      this.#change(job, { state: "unable" });
      return;
    }
    // An attachment: the page stays.
    location.assign(stream.url);
  }

  #add(job: Pick<RunningJob, "name" | "wanted" | "sink" | "stageKey">): RunningJob {
    const added: RunningJob = { ...job, id: this.#nextId++, state: "opening", percent: 0, stop: () => undefined };
    // One line for each content.
    this.#jobs = [added, ...this.#jobs.filter(({ wanted }) => !isSame(wanted, job.wanted))];
    this.#publish();
    return added;
  }

  #progress(job: RunningJob, bytes: number, size: number): void {
    const percent = size === 0 ? 100 : Math.floor((100 * bytes) / size);
    if (percent !== job.percent) this.#change(job, { percent });
  }

  #change(job: RunningJob, change: Partial<SaveJob>): void {
    Object.assign(job, change);
    this.#jobs = this.#jobs.map((one) => (one.id === job.id ? job : one));
    this.#publish();
  }

  #publish(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isSame(a: Wanted, b: Wanted): boolean {
  return (
    a.isArchive === b.isArchive &&
    a.files.length === b.files.length &&
    a.files.every((file, at) => file.n === b.files[at]?.n)
  );
}

/** Names the bytes: other content, another name. */
async function stageKeyOf({ commitment }: ContentKeys, { files, isArchive }: Wanted): Promise<string> {
  const facts = files.map(({ name, size, mtime, crc32, stream, at }) => [name, size, mtime, crc32, stream, at]);
  const text = JSON.stringify([toBase64url(commitment), isArchive, facts]);
  return toBase64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

async function stagedBytesOf(key: string): Promise<number> {
  try {
    return (await readNote(await stageFolder(), key))?.bytes ?? 0;
  } catch {
    return 0;
  }
}

async function handOverStaged({ stageKey, name }: RunningJob): Promise<void> {
  const handle = await (await stageFolder()).getFileHandle(stageKey ?? "");
  handOver(await handle.getFile(), name);
}

function handOver(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Freed when the browser has copied it.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, HOUR_MS);
}
