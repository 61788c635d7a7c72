import { handOver } from "#app/lib/hand-over.ts";
import { createStore } from "#app/lib/store.ts";
import { attachmentDisposition } from "#domain/file-names.ts";
import type { ContentKeys } from "#domain/seal/keys.ts";
import type { WaitedFor } from "../reader/fetch-records.ts";
import { OpenError, type OpenProblem } from "../reader/open-error.ts";
import { Opening, plain, type Clear } from "../reader/opener.ts";
import type { Wanted } from "../sealed-files.ts";
import { chooseSink, type Abilities, type SinkKind, pickFile, probeAbilities } from "../sinks/choose-sink.ts";
import { KEEP_FINISHED_MS, flagStaged } from "../sinks/stage.ts";
import { openStream } from "../stream/streamer.ts";
import { freeStage, handOverStaged, stagedBytesOf, stageKeyOf } from "./staged-copy.ts";

/**
 * `opening`: the job runs. `saved`: the browser has all bytes. `staged`: the browser has all bytes, and the staged copy
 * still exists. `stopped`: the reader stopped the job. `unable`: this browser cannot save a file of this size. `early`:
 * a ZIP needs checksums that the sender has not sent yet.
 */
export type SaveState = "opening" | "saved" | "staged" | "stopped" | "unable" | "early" | OpenProblem;

export interface SaveJob {
  id: number;
  name: string;
  state: SaveState;
  sink: SinkKind;
  /** From 0 to 100. */
  percent: number;
  /** What the job waits for; null while bytes arrive. */
  awaited: WaitedFor | null;
}

interface RunningJob extends SaveJob {
  wanted: Wanted;
  stop(): void;
  stageKey: string | null;
  /** The timer that deletes the job's staged copy. */
  freeing?: ReturnType<typeof setTimeout>;
}

interface SaveTools {
  downloadId: string;
  keys: ContentKeys;
  /** Gets a lease if the link counts downloads. @returns whether bytes may be read */
  take(): Promise<boolean>;
  clear: Clear;
  /** @returns the file's SHA-256 in the sender's final list; null if that list cannot be read */
  findSum(wanted: Wanted): Promise<string | null>;
  /** Called when a file or ZIP was decrypted to its end. */
  onOpened(wanted: Wanted): void;
}

/** The list of files and ZIPs that this page decrypts and saves. */
export class SaveJobs {
  readonly #jobs = createStore<readonly RunningJob[]>([]);
  #tools: SaveTools | null = null;
  /** Chosen files and ZIPs that are not in the list of jobs yet. */
  readonly #starting = new Set<Wanted>();
  #nextId = 0;
  #abilities: Promise<Abilities> | null = null;

  readonly subscribe = this.#jobs.subscribe;

  /** Newest first. Each change makes a new array. */
  readonly snapshot: () => readonly SaveJob[] = this.#jobs.get;

  use(tools: SaveTools): void {
    this.#tools = tools;
  }

  /** Probes early: browsers allow a file picker only right after a click, and a probe takes longer. */
  probe(): Promise<Abilities> {
    return (this.#abilities ??= probeAbilities());
  }

  /** Decrypts and saves a file or ZIP, unless a job for the same files runs. */
  async start(wanted: Wanted): Promise<void> {
    const tools = this.#tools;
    const underWay = [
      ...this.#starting,
      ...this.#jobs
        .get()
        .filter(isOpening)
        .map((job) => job.wanted),
    ];
    if (!tools || underWay.some((one) => isSame(one, wanted))) return;
    this.#starting.add(wanted);
    try {
      await this.#choose(wanted, tools);
    } finally {
      this.#starting.delete(wanted);
    }
  }

  /** Chooses the sink and starts the job. Returns when the list has the job, or when no job will start. */
  async #choose(wanted: Wanted, tools: SaveTools): Promise<void> {
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
    else if (sink === "stream") void this.#stream(job, tools);
    else void this.#open(job, tools, handle);
  }

  stop(id: number): void {
    this.#jobs
      .get()
      .find((job) => job.id === id)
      ?.stop();
  }

  /** Stops the jobs when the reader leaves the page. Staged bytes stay, and the browser's own downloads may go on. */
  stopAll(): void {
    for (const job of this.#jobs.get()) if (isOpening(job) && job.sink !== "stream") job.stop();
  }

  /** Removes a job from the list, and deletes its staged copy. */
  async free(id: number): Promise<void> {
    const job = this.#jobs.get().find((one) => one.id === id);
    if (!job) return;
    this.#jobs.set(this.#jobs.get().filter((one) => one.id !== id));
    clearTimeout(job.freeing);
    await freeStage(job);
  }

  /** Saves a staged copy again. If the copy is gone, decrypts the files again. */
  async again(id: number): Promise<void> {
    const job = this.#jobs.get().find((one) => one.id === id);
    if (!job) return;
    if (job.state === "staged" && (await handOverStaged(job))) {
      this.#freeLater(job);
      return;
    }
    await this.start(job.wanted);
  }

  async #open(job: RunningJob, { keys, clear, findSum, onOpened }: SaveTools, handle: FileSystemFileHandle | null) {
    const stage =
      job.sink === "stage" && job.stageKey !== null ? ({ kind: "stage", key: job.stageKey } as const) : null;
    const opening = new Opening(keys, job.wanted, stage ?? (handle ? { kind: "file", handle } : { kind: "blob" }), {
      clear,
      onProgress: ({ bytes, size }) => this.#progress(job, bytes, size),
      onWaiting: (awaited) => this.#change(job, { awaited }),
      findSum: () => findSum(job.wanted),
    });
    if (stage) flagStaged(true);
    job.stop = () => opening.stop();
    try {
      const opened = await opening.isDone;
      if (!opened) {
        this.#change(job, { state: "stopped" });
        return;
      }
      onOpened(job.wanted);
      if (opened.blob) handOver(opened.blob, job.name);
      if (stage && !(await handOverStaged(job))) throw new OpenError("refused");
      this.#change(job, { state: stage ? "staged" : "saved", percent: 100 });
      if (stage) this.#freeLater(job);
    } catch (error) {
      this.#change(job, { state: error instanceof OpenError ? error.problem : "refused" });
    }
  }

  /** Deletes the job's staged copy after an hour, when the browser has copied the file. */
  #freeLater(job: RunningJob): void {
    clearTimeout(job.freeing);
    job.freeing = setTimeout(() => {
      if (!this.#jobs.get().includes(job)) return;
      this.#change(job, { state: "saved" });
      void freeStage(job);
    }, KEEP_FINISHED_MS);
  }

  async #stream(job: RunningJob, { downloadId, keys, clear, findSum, onOpened }: SaveTools): Promise<void> {
    const order = {
      keys,
      content: plain(job.wanted),
      contentType: "application/octet-stream",
      disposition: attachmentDisposition(job.name),
    };
    let stream: Awaited<ReturnType<typeof openStream>> = null;
    const end = (state: SaveState) => {
      stream?.close();
      this.#change(job, { state });
    };
    job.stop = () => end("stopped");
    stream = await openStream(downloadId, order, {
      clear,
      onProgress: (bytes, size) => this.#progress(job, bytes, size),
      onWaiting: (awaited) => this.#change(job, { awaited }),
      findSum: () => findSum(job.wanted),
      onWhole: () => {
        onOpened(job.wanted);
        this.#progress(job, 1, 1);
        end("saved");
      },
      onBroken: end,
    });
    if (job.state !== "opening") {
      stream?.close();
      return;
    }
    if (!stream) {
      this.#change(job, { state: "unable" });
      return;
    }
    // The response is an attachment, so the browser stays on this page.
    location.assign(stream.url);
  }

  #add(job: Pick<RunningJob, "name" | "wanted" | "sink" | "stageKey">): RunningJob {
    const added: RunningJob = {
      ...job,
      id: this.#nextId++,
      state: "opening",
      percent: 0,
      awaited: null,
      stop: () => undefined,
    };
    // The list has only one job for the same files.
    this.#jobs.set([added, ...this.#jobs.get().filter(({ wanted }) => !isSame(wanted, job.wanted))]);
    return added;
  }

  #progress(job: RunningJob, bytes: number, size: number): void {
    const percent = size === 0 ? 100 : Math.floor((100 * bytes) / size);
    if (percent !== job.percent || job.awaited !== null) this.#change(job, { percent, awaited: null });
  }

  #change(job: RunningJob, change: Partial<SaveJob>): void {
    Object.assign(job, change);
    this.#jobs.set(this.#jobs.get().map((one) => (one.id === job.id ? job : one)));
  }
}

const isOpening = ({ state }: SaveJob) => state === "opening";

function isSame(a: Wanted, b: Wanted): boolean {
  return (
    a.isArchive === b.isArchive &&
    a.files.length === b.files.length &&
    a.files.every((file, at) => file.n === b.files[at]?.n)
  );
}
