import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { APIRequestContext, Page } from "@playwright/test";
import { fromBase64 } from "#domain/bytes-as-text.ts";
import type { ListedEntries, PictureInfo } from "#domain/wire.ts";
import { join as joinBytes } from "#test/support/pictures/camera-files.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A file that a page chooses. */
export interface ChosenFile {
  name: string;
  bytes: Uint8Array;
}

export function chosen(name: string, bytes: Uint8Array): ChosenFile {
  return { name, bytes };
}

/** One folder per Playwright worker: browsers do not send a file that changed after it was chosen. */
const FOLDER = join(".tmp/photographs", process.env.TEST_PARALLEL_INDEX ?? "");

/** Chooses files that are written to the disk. @param label of the page's input */
export async function chooseAll(page: Page, files: readonly ChosenFile[], label = "Choose a file"): Promise<void> {
  const folder = join(FOLDER, crypto.randomUUID());
  await mkdir(folder, { recursive: true });
  await Promise.all(files.map(({ name, bytes }) => writeFile(join(folder, name), bytes)));
  await page.getByLabel(label).setInputFiles(files.map(({ name }) => join(folder, name)));
}

interface Drawing {
  width: number;
  height: number;
  type?: string;
  /** Grain, which compresses badly, from 0 to 1. */
  grain?: number;
}

/** Draws a picture whose quarters are red and green above blue and white, as the browser writes it. */
export async function drawQuarters(page: Page, drawing: Drawing): Promise<Bytes> {
  const text = await page.evaluate(async ({ width, height, type = "image/jpeg", grain = 0 }) => {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    for (const [at, colour] of ["red", "lime", "blue", "white"].entries()) {
      context.fillStyle = colour;
      context.fillRect((at % 2) * (width / 2), Math.floor(at / 2) * (height / 2), width / 2, height / 2);
    }
    if (grain > 0) {
      const image = context.getImageData(0, 0, width, height);
      let seed = 1;
      for (let at = 0; at < image.data.length; at += 1) {
        seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
        if (at % 4 !== 3) image.data[at] = (image.data[at] ?? 0) * (1 - grain) + (seed >>> 24) * grain;
      }
      context.putImageData(image, 0, 0);
    }
    const blob = await canvas.convertToBlob({ type, quality: 0.92 });
    return new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
      reader.readAsDataURL(blob);
    });
  }, drawing);
  return fromBase64(text.slice(text.indexOf(",") + 1));
}

/** A JPEG file with more segments at its beginning. */
export function withSegments(jpeg: Uint8Array, ...segments: Uint8Array[]): Bytes {
  return joinBytes(jpeg.slice(0, 2), ...segments, jpeg.slice(2));
}

/** A film of 40 frames that is black in its first half and green in its second. */
export async function recordFilm(page: Page, mimeType: string): Promise<Bytes> {
  const recorded = await page.evaluate(async (type) => {
    const canvas = document.createElement("canvas");
    canvas.width = 320;
    canvas.height = 180;
    const context = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: type });
    const pieces: Blob[] = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.start();
    await new Promise<void>((resolve) => {
      let frames = 0;
      const drawing = setInterval(() => {
        frames += 1;
        if (context) context.fillStyle = frames <= 20 ? "black" : "lime";
        context?.fillRect(0, 0, 320, 180);
        if (frames < 40) return;
        clearInterval(drawing);
        resolve();
      }, 40);
    });
    recorder.stop();
    await new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    return [...new Uint8Array(await new Blob(pieces).arrayBuffer())];
  }, mimeType);
  return new Uint8Array(recorded);
}

/** The pictures that the server has of a transfer, by path. */
export async function picturesOf(
  request: APIRequestContext,
  downloadId: string,
): Promise<Map<string, PictureInfo & { n: number }>> {
  const response = await request.get(`/api/files/download/${downloadId}/entries?from=0`);
  const { entries } = (await response.json()) as ListedEntries;
  return new Map(entries.flatMap(({ n, path, picture }) => (picture ? [[path, { n, ...picture }] as const] : [])));
}

export interface SeenPicture {
  type: string;
  sizeBytes: number;
  width: number;
  height: number;
  /** The names of the colours in the middle of the quarters: left and right above, left and right below. */
  colours: string;
  bytes: Bytes;
}

/** Reads a picture as a recipient does. */
export async function seePicture(page: Page, request: APIRequestContext, path: string): Promise<SeenPicture> {
  const response = await request.get(path);
  if (!response.ok()) throw new Error(`${path} answered ${response.status()}`);
  const bytes = new Uint8Array(await response.body());
  return { ...(await lookAt(page, bytes)), type: response.headers()["content-type"] ?? "", bytes };
}

/** Decodes a picture in the browser. */
export async function lookAt(page: Page, bytes: Uint8Array): Promise<Omit<SeenPicture, "bytes" | "type">> {
  const seen = await page.evaluate(
    async (numbers) => {
      const image = await createImageBitmap(new Blob([new Uint8Array(numbers)]));
      const { width, height } = image;
      const context = new OffscreenCanvas(width, height).getContext("2d");
      context?.drawImage(image, 0, 0);
      const places = [
        [0.25, 0.25],
        [0.75, 0.25],
        [0.25, 0.75],
        [0.75, 0.75],
      ] as const;
      const colours = places.map(([x, y]) => {
        const { data } = context?.getImageData(Math.floor(x * width), Math.floor(y * height), 1, 1) ?? { data: [] };
        return [...data]
          .slice(0, 3)
          .map((value) => (value > 127 ? "1" : "0"))
          .join("");
      });
      return { width, height, colours };
    },
    [...bytes],
  );
  const colours = seen.colours.map((bits) => NAMES[bits] ?? bits).join(" ");
  return { ...seen, colours, sizeBytes: bytes.length };
}

const NAMES: Record<string, string> = {
  "000": "black",
  "001": "blue",
  "010": "green",
  "100": "red",
  "111": "white",
};
