import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { useEffect, useRef, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { ViewerProps } from "./media.tsx";
import { drawPage, openPdf } from "./pdf-document.client.ts";

/** A preview is a look, not a reader. */
const MOST_PAGES = 100;

/** Pages are drawn shortly before they scroll into view. */
const AHEAD = "600px";

/** A PDF's pages, each drawn to a canvas of its own while it is in view, or near it. */
export default function PdfPreview({ url, info, onError, loading }: ViewerProps) {
  const t = useMessages("download");
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const scroller = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const opening = openPdf(url);
    let isGone = false;
    opening.promise.then(
      (opened) => {
        if (!isGone) setPdf(opened);
      },
      () => {
        if (!isGone) onError();
      },
    );
    return () => {
      isGone = true;
      void opening.destroy();
    };
    // It is opened once: `onError` is another function with each drawing of the page around it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [url]);

  if (!pdf) return loading;
  const shown = Math.min(pdf.numPages, MOST_PAGES);
  return (
    <>
      <div
        ref={scroller}
        tabIndex={0}
        role="document"
        aria-label={info.filename}
        className="grid max-h-[75vh] gap-3 overflow-auto rounded-2xl bg-sunken p-3"
      >
        {Array.from({ length: shown }, (_, index) => (
          <PdfPage key={index} pdf={pdf} number={index + 1} scroller={scroller} />
        ))}
      </div>
      <p className="mt-2 text-sm text-muted">
        {shown < pdf.numPages ? t("pagesCut", { shown, count: pdf.numPages }) : t("pageCount", { count: shown })}
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
    const options = { root: scroller.current, rootMargin: AHEAD };
    const observer = new IntersectionObserver(([entry]) => {
      setNear(entry?.isIntersecting ?? false);
    }, options);
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [scroller]);

  useEffect(() => {
    const element = canvas.current;
    if (!element || !isNear) return;
    let cancel: (() => void) | undefined;
    let isGone = false;
    const draw = async () => {
      const page = await pdf.getPage(number);
      if (isGone) return;
      const { width, height } = page.getViewport({ scale: 1 });
      element.style.aspectRatio = `${width} / ${height}`;
      const drawing = drawPage(page, element, element.clientWidth);
      cancel = drawing.cancel;
      await drawing.done;
      setState("drawn");
    };
    draw().catch(() => {
      if (!isGone) setState("failed");
    });
    return () => {
      isGone = true;
      cancel?.();
      // Its pixels go back; its place on the page stays.
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
        // A sheet of paper, until the page has said what it is.
        className="aspect-[210/297] w-full rounded-lg bg-white"
      />
      {state === "failed" && (
        <p className="absolute inset-0 grid place-items-center text-sm text-black/60">{t("pageFailed")}</p>
      )}
    </div>
  );
}
