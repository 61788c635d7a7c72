import type { ContentKeys } from "#domain/seal/keys.ts";
import { BlobSink, type Sink, FileSink } from "../sinks/sink.ts";
import { probeStage, StageSink } from "../sinks/stage-sink.ts";
import type { Obstacle } from "./fetch-records.ts";
import { FinalSum } from "./final-sum.ts";
import { OpenError } from "./open-error.ts";
import type { FromOpener, Target, ToOpener } from "./opener.ts";
import type { ReadContext } from "./read-stream.ts";
import { openSource, type Content, type Source } from "./sources.ts";

/** A web worker that decrypts a file or ZIP, whole into a sink or in ranges for a viewer, and probes for storage. */
const life = new AbortController();
let prepared: Promise<Source> | null = null;
let findingSum: PromiseWithResolvers<string | null> | null = null;
let clearing: { isDone: Promise<void>; end(isCleared: boolean): void } | null = null;

const context: ReadContext = {
  signal: life.signal,
  clear,
  onWaiting: (awaited) => tell({ type: "waiting", awaited }),
};

addEventListener("message", ({ data }: MessageEvent<ToOpener>) => {
  if (data.type === "open") void openWhole(data.keys, data.content, data.target);
  else if (data.type === "prepare") prepared = openSource(data.keys, data.content);
  else if (data.type === "read") void openStretch(data.id, data.from, data.to);
  else if (data.type === "probe") void tellAbility();
  else if (data.type === "sum") findingSum?.resolve(data.sha256);
  else if (data.type === "cleared") clearing?.end(data.isCleared);
  else life.abort();
});

function tell(message: FromOpener): void {
  postMessage(message);
}

async function tellAbility(): Promise<void> {
  tell({ type: "probed", canStage: await probeStage() });
}

async function openWhole(keys: ContentKeys, content: Content, target: Target): Promise<void> {
  let sink: Sink | null = null;
  try {
    const source = await openSource(keys, content);
    const sum = await FinalSum.of(content);
    sink = await sinkFor(target, source.size);
    let done = sink.start;
    tell({ type: "progress", bytes: done, size: source.size });
    if (sum) for (const bytes of sink.saved()) sum.add(bytes);
    for await (const bytes of source.read(done, source.size, context)) {
      sum?.add(bytes);
      const written = sink.write(bytes);
      if (written) await written;
      done += bytes.length;
      tell({ type: "progress", bytes: done, size: source.size });
    }
    if (done !== source.size) throw new OpenError("damaged");
    sum?.compare(await findSum());
    tell({ type: "opened", blob: await sink.finish() });
  } catch (error) {
    await sink?.abort(error instanceof OpenError && error.problem === "damaged");
    if (life.signal.aborted) tell({ type: "stopped" });
    else fail(error);
  }
}

async function openStretch(id: number, from: number, to: number): Promise<void> {
  try {
    const source = await prepared;
    if (!source) throw new OpenError("refused");
    const bytes = new Uint8Array(Math.min(to, source.size) - from);
    let at = 0;
    for await (const piece of source.read(from, from + bytes.length, context)) {
      bytes.set(piece, at);
      at += piece.length;
    }
    tell({ type: "stretch", id, bytes });
  } catch (error) {
    if (!life.signal.aborted) fail(error, id);
  }
}

function fail(error: unknown, id?: number): void {
  if (!(error instanceof OpenError)) reportError(error);
  const problem = error instanceof OpenError ? error.problem : "refused";
  tell({ type: "failed", problem, ...(id !== undefined && { id }) });
}

/** Asks the page for the file's SHA-256 in the sender's final list. @returns null if the page cannot read that list */
function findSum(): Promise<string | null> {
  findingSum = Promise.withResolvers();
  tell({ type: "ended" });
  return findingSum.promise;
}

async function sinkFor(target: Target, sizeBytes: number): Promise<Sink> {
  if (target.kind === "blob") return new BlobSink();
  return target.kind === "stage" ? StageSink.open(target.key, sizeBytes) : FileSink.open(target.handle);
}

/** Asks the page to remove an obstacle to reads. Reads that fail at the same time share one request. */
async function clear(obstacle: Obstacle): Promise<void> {
  if (!clearing) {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const end = (isCleared: boolean) => {
      clearing = null;
      if (isCleared) resolve(undefined);
      else reject(new OpenError(obstacle === "locked" ? "locked" : "refused"));
    };
    clearing = { isDone: promise, end };
    tell({ type: "obstacle", obstacle });
  }
  await clearing.isDone;
}
