import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { pictureSourceOf } from "#domain/pictures/files.ts";
import type { PictureKind } from "#domain/pictures/limits.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { MadePicture } from "#engine/ports.ts";
import { AnsweringThread } from "../answering-thread.ts";
import type { PictureRequest } from "./make-pictures.worker.ts";

type PictureThread = AnsweringThread<PictureRequest, MadePicture | null>;

/** A picture that takes longer is left out, and its thread is ended. */
const PATIENCE_MS = 30 * SECOND_MS;
/** Threads that have had nothing to do for this time are ended, since each keeps megabytes. */
const IDLE_MS = 10 * SECOND_MS;

let free: PictureThread[] = [];
let idleTimer: ReturnType<typeof setTimeout> | undefined;

/** The photographs that are being decoded. */
const decoding = new Set<Promise<unknown>>();
/** Ends when the last video that was asked for has its frame. */
let lastVideo: Promise<unknown> = Promise.resolve();

/**
 * Makes a picture of a photograph or video. While a video is decoded, nothing else is: the page itself decodes it.
 * @returns null for a file of which no picture can be made
 * @throws TypeError if the thread's script cannot be loaded; DOMException AbortError when aborted
 */
export function make(file: File, kind: PictureKind, signal: AbortSignal): Promise<MadePicture | null> {
  if (pictureSourceOf(file.name, file.type) === "video") {
    const made = Promise.allSettled([lastVideo, ...decoding]).then(() => ofVideo(file, kind, signal));
    lastVideo = made.catch(() => undefined);
    return made;
  }
  const made = lastVideo.then(() => askThread({ source: file, kind }, signal));
  const ended: Promise<unknown> = made.catch(() => undefined).then(() => decoding.delete(ended));
  decoding.add(ended);
  return made;
}

async function ofVideo(file: File, kind: PictureKind, signal: AbortSignal): Promise<MadePicture | null> {
  signal.throwIfAborted();
  const { frameOf } = await importWhenOnline(() => import("./video-frame.client.ts"));
  const frame = await frameOf(file, signal);
  signal.throwIfAborted();
  if (!frame) return null;
  const { seconds, image } = frame;
  const made = await askThread({ source: image, kind }, signal);
  image.close();
  return made && { ...made, seconds };
}

async function askThread(request: PictureRequest, signal: AbortSignal): Promise<MadePicture | null> {
  signal.throwIfAborted();
  clearTimeout(idleTimer);
  const thread = free.pop() ?? (await startThread(signal));
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("the picture takes too long")), PATIENCE_MS);
  try {
    const made = await Promise.race([thread.ask(request), late.promise]);
    free.push(thread);
    return made;
  } catch {
    // The thread has ended, for example for lack of memory. The next picture gets a new one.
    thread.stop();
    return null;
  } finally {
    clearTimeout(timer);
    clearTimeout(idleTimer);
    idleTimer = setTimeout(endIdle, IDLE_MS);
  }
}

function startThread(signal: AbortSignal): Promise<PictureThread> {
  const worker = new Worker(new URL("make-pictures.worker.ts", import.meta.url), { type: "module" });
  return AnsweringThread.start(worker, signal);
}

function endIdle(): void {
  for (const thread of free) thread.stop();
  free = [];
}
