import {
  getDocument,
  GlobalWorkerOptions,
  version,
  type PDFDocumentLoadingTask,
  type PDFPageProxy,
  // The build for phones that are some years old, too.
} from "pdfjs-dist/legacy/build/pdf.mjs";
import workerUrl from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";
import { KIB } from "#domain/units.ts";

GlobalWorkerOptions.workerSrc = workerUrl;

/** Fonts, character maps and decoders that some documents need; the build puts them there (vite.config.ts). */
const DATA = `/assets/pdfjs-${version}`;

/** Only what the pages in view need is fetched, so much at a time. */
const RANGE_BYTES = 256 * KIB;

/** A page is drawn with so many pixels at most: phones give a canvas little more. */
const MOST_PIXELS = 4_000_000;

/** Opens a PDF. pdf.js evaluates no code of it, draws it without its forms, scripts and links, and asks no other site. */
export function openPdf(url: string): PDFDocumentLoadingTask {
  return getDocument({
    url,
    rangeChunkSize: RANGE_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    cMapUrl: `${DATA}/cmaps/`,
    iccUrl: `${DATA}/iccs/`,
    standardFontDataUrl: `${DATA}/standard_fonts/`,
    wasmUrl: `${DATA}/wasm/`,
    verbosity: 0,
  });
}

/**
 * Draws a page.
 * @param cssWidth how wide it is shown, CSS pixels
 * @returns how to give the drawing up
 */
export function drawPage(
  page: PDFPageProxy,
  canvas: HTMLCanvasElement,
  cssWidth: number,
): { done: Promise<void>; cancel(): void } {
  const { width, height } = page.getViewport({ scale: 1 });
  const sharp = (cssWidth / width) * devicePixelRatio;
  const scale = Math.min(sharp, Math.sqrt(MOST_PIXELS / (width * height)));
  const viewport = page.getViewport({ scale });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const task = page.render({ canvas, viewport });
  return {
    done: task.promise,
    cancel: () => {
      task.cancel();
    },
  };
}
