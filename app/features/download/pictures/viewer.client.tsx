import { Download, Info } from "lucide-react";
import { useContext, useEffect, useMemo, useRef, useState } from "react";
import Lightbox, { type ControllerRef, type GenericSlide, type RenderSlideProps } from "yet-another-react-lightbox";
import Zoom from "yet-another-react-lightbox/plugins/zoom";
import "yet-another-react-lightbox/styles.css";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { nameOf } from "#app/ui/entries/entry-folders.ts";
import { previewOf } from "#domain/preview.ts";
import { formatBytes } from "#domain/units.ts";
import { DownloadLink, ProtectedLinkContext } from "../protection/protected-link-context.tsx";
import { forRecipient, useRecipient } from "../recipient.ts";
import { type EntryList, type EntryPicture, type TransferEntry, entryUrl } from "../transfer/entry-list.ts";
import { SaveButton } from "./save-button.tsx";
import { FileSlide, PictureSlide, type PixelSize } from "./viewer-slides.tsx";
import "./viewer.css";

interface EntrySlide extends GenericSlide {
  entry: TransferEntry;
}

declare module "yet-another-react-lightbox" {
  interface SlideTypes {
    picture: EntrySlide & { type: "picture" };
    file: EntrySlide & { type: "file" };
  }
}

interface ViewerProps {
  downloadId: string;
  list: EntryList;
  /** The files that follow each other in the viewer. */
  files: readonly TransferEntry[];
  /** Changes with the files' states and pictures. */
  version: number;
  /** The number of the file that is shown, which is one of `files`. */
  n: number;
  onMove(n: number): void;
  onClose(): void;
  onShowDetails(entry: TransferEntry): void;
}

/** The most that a picture is enlarged. */
const MAX_ZOOM = 8;

/** Shows one file after another on the whole screen: pictures, which can be enlarged, and all previews of other files. */
export default function Viewer({ downloadId, list, files, n, onMove, onClose, onShowDetails }: ViewerProps) {
  const t = useMessages("pictures");
  const index = files.findIndex((file) => file.n === n);
  const entry = files[index];
  const kinds = files.map((file) => (isPicture(file, list.pictureOf(file.n)) ? "p" : "f")).join("");
  const slides = useMemo(
    () =>
      files.map((file, at) => ({ type: kinds[at] === "p" ? ("picture" as const) : ("file" as const), entry: file })),
    [files, kinds],
  );
  const controller = useRef<ControllerRef>(null);
  useEffect(() => {
    // A control that had the focus may have gone with its file.
    if (document.activeElement === document.body) controller.current?.focus();
  }, [n]);
  const [measured, setMeasured] = useState<PixelSize & { n: number }>();
  if (!entry) return null;
  const renderSlide = ({ slide, offset, rect, zoom = 1 }: RenderSlideProps) => {
    if (slide.type !== "picture" && slide.type !== "file") return null;
    const file = slide.entry;
    const props = {
      entry: file,
      url: entryUrl(downloadId, file.n),
      picture: list.pictureOf(file.n),
      isStored: list.stateOf(file) === "stored",
      isCurrent: offset === 0,
      rect,
    };
    return slide.type === "picture" ? (
      <PictureSlide key={file.n} {...props} zoom={zoom} onMeasured={(size) => setMeasured({ n: file.n, ...size })} />
    ) : (
      <FileSlide key={file.n} {...props} />
    );
  };
  return (
    <Lightbox
      open
      close={onClose}
      index={index}
      slides={slides}
      plugins={[Zoom]}
      className="viewer"
      carousel={{ finite: true, preload: 2, padding: 0, spacing: "10%" }}
      controller={{ ref: controller, closeOnPullDown: true, closeOnBackdropClick: true }}
      zoom={{ supports: ["picture"], scrollToZoom: true, maxZoom: MAX_ZOOM, pinchZoomV4: true }}
      animation={{ swipe: 300 }}
      toolbar={{
        buttons: [
          <ViewerButtons
            key="file"
            downloadId={downloadId}
            entry={entry}
            isStored={list.stateOf(entry) === "stored"}
            onShowDetails={onShowDetails}
          />,
          "zoom",
          "close",
        ],
      }}
      on={{
        view: ({ index: at }) => {
          const viewed = files[at];
          if (viewed && viewed.n !== n) onMove(viewed.n);
        },
      }}
      render={{
        slide: renderSlide,
        controls: () => (
          <Caption
            entry={entry}
            position={index + 1}
            total={files.length}
            size={measured?.n === entry.n ? measured : null}
          />
        ),
      }}
      labels={{
        Lightbox: t("viewer"),
        "Photo gallery": t("wallOf"),
        "{index} of {total}": t("positionInViewer", { position: "{index}", total: "{total}" }),
        Previous: t("previous"),
        Next: t("next"),
        Close: t("close"),
        "Zoom in": t("zoomIn"),
        "Zoom out": t("zoomOut"),
        Carousel: "",
        Slide: "",
      }}
    />
  );
}

/** Whether a file is shown as a picture: an image, or a file that only its picture can show, such as a raw photograph. */
function isPicture(entry: TransferEntry, picture: EntryPicture | null): boolean {
  const preview = previewOf(entry.type);
  return preview ? preview.kind === "image" : picture !== null && picture.seconds === undefined;
}

interface ViewerButtonsProps {
  downloadId: string;
  entry: TransferEntry;
  isStored: boolean;
  onShowDetails(entry: TransferEntry): void;
}

function ViewerButtons({ downloadId, entry, isStored, onShowDetails }: ViewerButtonsProps) {
  const t = useMessages("pictures");
  const recipient = useRecipient();
  const protectedLink = useContext(ProtectedLinkContext);
  const [isAsked, setIsAsked] = useState(false);
  if (!isStored) return null;
  const name = nameOf(entry.path);
  const href = forRecipient(`${entryUrl(downloadId, entry.n)}/content`, recipient);
  return (
    <>
      <SaveButton key={entry.n} entry={entry} href={href} />
      <span className="contents" onClick={() => setIsAsked(true)}>
        <DownloadLink href={href} className="yarl__button viewer-button">
          <Download aria-hidden />
          <span className="sr-only">{t("download", { name })}</span>
        </DownloadLink>
      </span>
      <button
        type="button"
        className="yarl__button viewer-button"
        aria-label={t("details", { name })}
        title={t("details", { name })}
        onClick={() => onShowDetails(entry)}
      >
        <Info aria-hidden />
      </button>
      {/* The notes of a protected link say why a download was refused, and how far a decryption is. */}
      {isAsked && protectedLink && (
        <div className="fixed inset-x-3 bottom-3 mx-auto max-h-1/3 max-w-xl overflow-y-auto rounded-2xl bg-surface px-4 pb-4 text-start leading-normal text-ink">
          {protectedLink.notes}
        </div>
      )}
    </>
  );
}

interface CaptionProps {
  entry: TransferEntry;
  position: number;
  total: number;
  /** Of the original, once it has loaded. */
  size: PixelSize | null;
}

function Caption({ entry, position, total, size }: CaptionProps) {
  const t = useMessages("pictures");
  const name = nameOf(entry.path);
  const facts = [
    t("positionInViewer", { position, total }),
    formatBytes(entry.sizeBytes, t.locale),
    ...(size ? [`${size.width} × ${size.height}`] : []),
  ];
  return (
    <>
      <div className="viewer-caption" aria-hidden>
        <p className="truncate font-medium" dir="auto">
          {name}
        </p>
        <p className="text-sm text-white/75 tabular-nums">{facts.join(" · ")}</p>
      </div>
      <p role="status" className="sr-only">
        {t("said", { name, position, total })}
      </p>
    </>
  );
}
