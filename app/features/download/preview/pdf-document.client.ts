import {
  getDocument,
  GlobalWorkerOptions,
  PDFDataRangeTransport,
  version,
  type PDFDocumentLoadingTask,
  type PDFPageProxy,
  // The legacy build supports older phones.
} from "pdfjs-dist/legacy/build/pdf.mjs";
import workerUrl from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";
import { KIB } from "#domain/units.ts";

GlobalWorkerOptions.workerSrc = workerUrl;

/** Fonts, character maps and decoders that pdf.js loads on demand; vite.config.ts copies them. */
const PDFJS_DATA_PATH = `/assets/pdfjs-${version}`;

const RANGE_BYTES = 256 * KIB;

/** Phones limit the size of a canvas. */
const MAX_CANVAS_PIXELS = 4_000_000;

/** Bytes that have no address. */
interface ReadableBytes {
  size: number;
  /** @param to exclusive */
  read(from: number, to: number): Promise<Uint8Array>;
}

/** pdf.js runs no script of the PDF, draws no forms and links, and requests no other origin. */
export function openPdf(source: string | ReadableBytes): PDFDocumentLoadingTask {
  return getDocument({
    ...(typeof source === "string" ? { url: source } : { range: new ReadTransport(source) }),
    rangeChunkSize: RANGE_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    cMapUrl: `${PDFJS_DATA_PATH}/cmaps/`,
    iccUrl: `${PDFJS_DATA_PATH}/iccs/`,
    standardFontDataUrl: `${PDFJS_DATA_PATH}/standard_fonts/`,
    wasmUrl: `${PDFJS_DATA_PATH}/wasm/`,
    verbosity: 0,
  });
}

/** Asks for what pdf.js wants to see, and for nothing more. */
class ReadTransport extends PDFDataRangeTransport {
  readonly #source: ReadableBytes;

  constructor(source: ReadableBytes) {
    super(source.size, null);
    this.#source = source;
  }

  override requestDataRange(from: number, to: number): void {
    this.#source.read(from, to).then(
      (bytes) => {
        this.onDataRange(from, bytes);
      },
      () => {
        this.abort();
      },
    );
  }
}

export function drawPage(
  page: PDFPageProxy,
  canvas: HTMLCanvasElement,
  cssWidth: number,
): { done: Promise<void>; cancel(): void } {
  const { width, height } = page.getViewport({ scale: 1 });
  const fullScale = (cssWidth / width) * devicePixelRatio;
  const scale = Math.min(fullScale, Math.sqrt(MAX_CANVAS_PIXELS / (width * height)));
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
