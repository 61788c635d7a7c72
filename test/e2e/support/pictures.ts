import type { APIRequestContext, Page } from "@playwright/test";
import type { PictureKind } from "#domain/pictures/limits.ts";
import type { ContentKeys } from "#domain/seal/keys.ts";
import { sealAbout, sealPicture } from "#domain/seal/pictures.ts";
import type { StorePicturesAnswer } from "#domain/wire.ts";
import { uploadTransferByApi, type SentFile, type StartedTransfer } from "./transfers.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Width and height in pixels. */
export type Size = readonly [width: number, height: number];

/** Draws a landscape of each size as a WebP file, in the browser. Each is different. */
export async function drawPictures(page: Page, sizes: readonly Size[]): Promise<Bytes[]> {
  const drawn = await page.evaluate(async (list) => {
    const draw = async ([width, height]: readonly [number, number], n: number) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      const hue = (n * 47) % 360;
      const sky = context.createLinearGradient(0, 0, 0, height);
      sky.addColorStop(0, `hsl(${hue} 55% 45%)`);
      sky.addColorStop(1, `hsl(${(hue + 40) % 360} 70% 80%)`);
      context.fillStyle = sky;
      context.fillRect(0, 0, width, height);
      context.fillStyle = "hsl(45 100% 85%)";
      context.beginPath();
      context.arc(width * (0.2 + (n % 5) * 0.15), height * 0.35, Math.min(width, height) * 0.1, 0, 7);
      context.fill();
      for (const [layer, lightness] of [40, 28, 16].entries()) {
        context.fillStyle = `hsl(${(hue + 120) % 360} 30% ${lightness}%)`;
        context.beginPath();
        context.moveTo(0, height);
        for (let x = 0; x <= width; x += width / 40) {
          const wave = Math.sin((x / width) * (5 + layer * 3) + n + layer) * 0.08;
          context.lineTo(x, height * (0.55 + layer * 0.14 + wave));
        }
        context.lineTo(width, height);
        context.fill();
      }
      const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.6 });
      let text = "";
      for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
      return btoa(text);
    };
    const pictures: string[] = [];
    for (const [n, size] of list.entries()) pictures.push(await draw(size, n));
    return pictures;
  }, sizes);
  return drawn.map((text) => Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)));
}

export interface SentPicture {
  n: number;
  kind: PictureKind;
  bytes: Bytes;
  /** Of a tile of a video. */
  seconds?: number;
  /** Of a tile of a sealed file. */
  about?: string;
}

/** A form takes 4 MiB, and the tests' pictures have a few KiB. */
const PICTURES_PER_FORM = 200;

/** Sends pictures as the sender's browser does. */
export async function sendPictures(
  request: APIRequestContext,
  downloadId: string,
  pictures: readonly SentPicture[],
): Promise<void> {
  for (let from = 0; from < pictures.length; from += PICTURES_PER_FORM) {
    const sent = pictures.slice(from, from + PICTURES_PER_FORM);
    const response = await request.post(`/api/pictures/${downloadId}`, { multipart: formOf(sent) });
    if (!response.ok()) throw new Error(`the pictures were answered ${response.status()}: ${await response.text()}`);
    const { stored, refused } = (await response.json()) as StorePicturesAnswer;
    if (stored !== sent.length) throw new Error(`${stored} of ${sent.length} stored: ${JSON.stringify(refused)}`);
  }
}

function formOf(pictures: readonly SentPicture[]): FormData {
  const form = new FormData();
  for (const { n, kind, bytes, seconds, about } of pictures) {
    form.set(`${n}.${kind}`, new File([bytes], `${n}.${kind}`, { type: "image/webp" }));
    if (seconds !== undefined) form.set(`${n}.seconds`, String(seconds));
    if (about !== undefined) form.set(`${n}.about`, about);
  }
  return form;
}

/** @returns the picture of a stream as the sender of a sealed link sends it; a tile with its facts */
export async function sealedPicture(
  keys: ContentKeys,
  stream: number,
  kind: PictureKind,
  image: Bytes,
  [width, height]: Size,
): Promise<SentPicture> {
  const bytes = await sealPicture(keys, stream, kind, image);
  return {
    n: stream,
    kind,
    bytes,
    ...(kind === "tile" && { about: await sealAbout(keys, stream, { width, height }) }),
  };
}

/** Landscape, portrait, square and wide. */
const TILE_SIZES: readonly Size[] = [
  [480, 320],
  [320, 480],
  [480, 480],
  [480, 270],
  [480, 360],
];

export function tileSize(n: number): Size {
  return TILE_SIZES[n % TILE_SIZES.length] ?? [480, 320];
}

/** The files of a photographer: two folders of photographs, a film and a list. */
export function photographs(original: Bytes, count = 24): SentFile[] {
  const half = Math.ceil(count / 2);
  const photo = (n: number): SentFile => ({
    path: `wedding/${n < half ? "ceremony" : "party"}/DSC_${String(1000 + n)}.webp`,
    body: original,
  });
  return [
    ...Array.from({ length: count }, (_, n) => photo(n)),
    { path: "wedding/party/first dance.mp4", body: "no film" },
    { path: "wedding/prices.pdf", body: "%PDF-1.4" },
  ];
}

export interface PicturedTransfer extends StartedTransfer {
  /** How many photographs there are; the film has the next number, the PDF the one after. */
  photographs: number;
}

/** Uploads photographs with their tiles and a few views. */
export async function uploadPhotographs(
  page: Page,
  { count = 24, views = 3, more = {} }: { count?: number; views?: number; more?: Record<string, unknown> } = {},
): Promise<PicturedTransfer> {
  const sizes = Array.from({ length: count }, (_, n) => tileSize(n));
  const [original = new Uint8Array(), film = new Uint8Array(), ...tiles] = await drawPictures(page, [
    [2400, 1600],
    [480, 270],
    ...sizes,
  ]);
  const viewSizes = sizes.slice(0, views).map(([width, height]) => [width * 3, height * 3] as const);
  const drawnViews = await drawPictures(page, viewSizes);
  const transfer = await uploadTransferByApi(page.request, photographs(original, count), {
    title: "Ada and Bo",
    ...more,
  });
  await sendPictures(page.request, transfer.downloadId, [
    ...tiles.map((bytes, n) => ({ n, kind: "tile" as const, bytes })),
    { n: count, kind: "tile", bytes: film, seconds: 83 },
  ]);
  if (views > 0) {
    await sendPictures(
      page.request,
      transfer.downloadId,
      drawnViews.map((bytes, n) => ({ n, kind: "view" as const, bytes })),
    );
  }
  return { ...transfer, photographs: count };
}
