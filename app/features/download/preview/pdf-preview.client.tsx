import {
  type PDFDocumentProxy,
  getDocument,
  GlobalWorkerOptions,
  PDFDataRangeTransport,
  version,
  type PDFDocumentLoadingTask,
  type PDFPageProxy,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import workerUrl from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";
import { useEffect, useRef, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { KIB } from "#domain/units.ts";
import type { ViewerProps } from "./media.tsx";

GlobalWorkerOptions.workerSrc = workerUrl;
/** The path of fonts, character maps and decoders that pdf.js loads on demand. vite.config.ts copies them. */
const PDFJS_DATA_PATH = `/assets/pdfjs-${version}`;
const RANGE_BYTES = 256 * KIB;
/** Phones limit the size of a canvas. */
const MAX_CANVAS_PIXELS = 4_000_000;
/** The plaintext of a sealed file, which has no URL. */
interface ReadableBytes {
  size: number;
  /** @param to exclusive */
  read(from: number, to: number): Promise<Uint8Array>;
}
/** Hands pdf.js the ranges that it requests, and no others. */
class ReadTransport extends PDFDataRangeTransport {
  readonly #source: ReadableBytes;

  constructor(source: ReadableBytes) {
    super(source.size, null);
    this.#source = source;
  }

  override requestDataRange(from: number, to: number): void {
    this.#source.read(from, to).then(
      (bytes) => this.onDataRange(from, bytes),
      () => this.abort(),
    );
  }
}

const MAX_PAGES = 100;

const RENDER_MARGIN = "600px";

/** Shows a PDF. Each page is drawn to a canvas of its own while the page is near the visible area. */
export default function PdfPreview({ url, file, onError, loading, read }: ViewerProps) {
  const t = useMessages("download");
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const scroller = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const opening = openPdf(read ? { size: file.size, read } : url);
    let isUnmounted = false;
    opening.promise.then(
      (opened) => {
        if (!isUnmounted) setPdf(opened);
      },
      () => {
        if (!isUnmounted) onError();
      },
    );
    return () => {
      isUnmounted = true;
      void opening.destroy();
    };
    // `onError` changes with each render; the PDF is opened once per URL.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [url]);

  if (!pdf) return loading;
  const pageCount = Math.min(pdf.numPages, MAX_PAGES);
  return (
    <>
      <div
        ref={scroller}
        tabIndex={0}
        role="document"
        aria-label={file.filename}
        className="grid max-h-[75vh] gap-3 overflow-auto rounded-2xl bg-sunken p-3"
      >
        {Array.from({ length: pageCount }, (_, index) => (
          <PdfPage key={index} pdf={pdf} number={index + 1} scroller={scroller} />
        ))}
      </div>
      <p className="mt-2 text-sm text-muted">
        {pageCount < pdf.numPages
          ? t("pagesCut", { shown: pageCount, count: pdf.numPages })
          : t("pageCount", { count: pageCount })}
      </p>
    </>
  );
}

interface PdfPageProps {
  pdf: PDFDocumentProxy;
  number: number;
  scroller: React.RefObject<HTMLDivElement | null>;
}

function PdfPage({ pdf, number, scroller }: PdfPageProps) {
  const t = useMessages("download");
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isNear, setNear] = useState(false);
  const [state, setState] = useState<"waiting" | "drawn" | "failed">("waiting");

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const options = { root: scroller.current, rootMargin: RENDER_MARGIN };
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), options);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);

  useEffect(() => {
    const element = canvas.current;
    if (!element || !isNear) return;
    let cancel: (() => void) | undefined;
    let isUnmounted = false;
    const draw = async () => {
      const page = await pdf.getPage(number);
      if (isUnmounted) return;
      const { width, height } = page.getViewport({ scale: 1 });
      element.style.aspectRatio = `${width} / ${height}`;
      const drawing = drawPage(page, element, element.clientWidth);
      cancel = drawing.cancel;
      await drawing.done;
      setState("drawn");
    };
    draw().catch(() => {
      if (!isUnmounted) setState("failed");
    });
    return () => {
      isUnmounted = true;
      cancel?.();
      // Frees the canvas's memory. The canvas keeps its place in the layout.
      element.width = 0;
      element.height = 0;
      setState("waiting");
    };
  }, [isNear, number, pdf]);

  return (
    <div className="relative">
      <canvas
        ref={canvas}
        role="img"
        aria-label={t("page", { number })}
        aria-busy={state === "waiting"}
        // The proportions of A4 until the page's size is known.
        className="aspect-[210/297] w-full rounded-lg bg-white"
      />
      {state === "failed" && (
        <p className="absolute inset-0 grid place-items-center text-sm text-black/60">{t("pageFailed")}</p>
      )}
    </div>
  );
}

/** pdf.js runs no script of the PDF, draws no forms and links, and requests no other origin. */
function openPdf(source: string | ReadableBytes): PDFDocumentLoadingTask {
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

function drawPage(
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
    cancel: () => task.cancel(),
  };
}
