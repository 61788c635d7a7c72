import { MAX_VIDEO_SECONDS, PICTURE_LIMITS } from "#domain/pictures/limits.ts";
import { SECOND_MS } from "#domain/units.ts";

/** A video that has not come further for this time is given up. */
const PATIENCE_MS = 5 * SECOND_MS;
/** No video may take longer in all. */
const LONGEST_MS = 30 * SECOND_MS;
/** Where in the video a frame is looked for, as shares of its duration. Many videos begin in black. */
const PLACES = [0.1, 0.3, 0.6];
/** The latest of these places that is looked at first: seeking far into a long film takes long. */
const FIRST_WITHIN_SECONDS = 60;
/** A frame is black if its mean brightness, from 0 to 255, is below this. */
const BLACK_BELOW = 20;
/** The brightness is measured on a copy of this many pixels a side. */
const SAMPLE_SIDE = 16;

interface VideoFrame {
  image: ImageBitmap;
  /** Absent if the file does not say its duration, as recordings of browsers do. */
  seconds: number | undefined;
}

/** Finds a frame of a video that is not black. @returns null for a video without pictures, or one that is not played here */
export async function frameOf(file: File, cancelled: AbortSignal): Promise<VideoFrame | null> {
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(LONGEST_MS)]);
  const video = document.createElement("video");
  const url = URL.createObjectURL(file);
  try {
    video.muted = true;
    video.preload = "auto";
    await reach(video, "loadeddata", signal, () => {
      video.src = url;
    });
    if (video.videoWidth === 0) return null;
    const seconds = video.duration <= MAX_VIDEO_SECONDS ? Math.round(10 * video.duration) / 10 : undefined;
    return { image: await brightFrame(video, signal), seconds };
  } catch {
    return null;
  } finally {
    // An element without a source frees the decoder at once.
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(url);
  }
}

async function brightFrame(video: HTMLVideoElement, signal: AbortSignal): Promise<ImageBitmap> {
  let brightest = await copyOf(video);
  for (const place of Number.isFinite(video.duration) ? PLACES : []) {
    const at = video.duration * place;
    try {
      await reach(video, "seeked", signal, () => {
        video.currentTime = place === PLACES[0] ? Math.min(at, FIRST_WITHIN_SECONDS) : at;
      });
    } catch {
      // What is further behind cannot be read.
      break;
    }
    const frame = await copyOf(video);
    const [darker, brighter] = frame.brightness > brightest.brightness ? [brightest, frame] : [frame, brightest];
    darker.image.close();
    brightest = brighter;
    if (brightest.brightness >= BLACK_BELOW) break;
  }
  return brightest.image;
}

async function copyOf(video: HTMLVideoElement): Promise<{ image: ImageBitmap; brightness: number }> {
  const scale = Math.min(1, PICTURE_LIMITS.tile.side / Math.max(video.videoWidth, video.videoHeight));
  const image = await createImageBitmap(video, {
    resizeWidth: Math.max(1, Math.round(video.videoWidth * scale)),
    resizeHeight: Math.max(1, Math.round(video.videoHeight * scale)),
    resizeQuality: "medium",
  });
  return { image, brightness: brightnessOf(image) };
}

/** @returns the mean of all colours, from 0 to 255 */
function brightnessOf(image: ImageBitmap): number {
  const context = new OffscreenCanvas(SAMPLE_SIDE, SAMPLE_SIDE).getContext("2d", { willReadFrequently: true });
  if (!context) return BLACK_BELOW;
  context.drawImage(image, 0, 0, SAMPLE_SIDE, SAMPLE_SIDE);
  const { data } = context.getImageData(0, 0, SAMPLE_SIDE, SAMPLE_SIDE);
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) sum += (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0);
  return sum / (3 * SAMPLE_SIDE * SAMPLE_SIDE);
}

/** Events that show that a video comes further. */
const PROGRESS = ["loadstart", "progress", "durationchange", "loadedmetadata"];

/** Does something, and waits for its event. @throws Error for a broken video, or one that stands still */
function reach(video: HTMLVideoElement, event: string, signal: AbortSignal, begin: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (settle: () => void) => {
      ended.abort();
      clearTimeout(timer);
      settle();
    };
    const fail = () => end(() => reject(new Error("the video stands still or is broken")));
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(fail, PATIENCE_MS);
    };
    const listen = { signal: ended.signal };
    for (const name of PROGRESS) video.addEventListener(name, restart, listen);
    video.addEventListener(event, () => end(resolve), listen);
    video.addEventListener("error", fail, listen);
    signal.addEventListener("abort", fail, listen);
    restart();
    begin();
  });
}
