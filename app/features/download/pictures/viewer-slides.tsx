import { useContext, useState, type KeyboardEvent, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { nameOf } from "#app/ui/entries/entry-folders.ts";
import { FileIcon } from "#app/ui/file-icon.tsx";
import { PICTURE_LIMITS } from "#domain/pictures/limits.ts";
import { previewNeedsClick, previewOf } from "#domain/preview.ts";
import { formatBytes } from "#domain/units.ts";
import { FilePreview } from "../preview/file-preview.tsx";
import type { RenderViewer, ViewerProps } from "../preview/media.tsx";
import { SealedPageContext } from "../sealed/sealed-context.ts";
import type { EntryPicture, TransferEntry } from "../transfer/entry-list.ts";
import Picture from "./picture.client.tsx";

export interface PixelSize {
  width: number;
  height: number;
}

interface SlideProps {
  entry: TransferEntry;
  /** The file's address, without `/view` and the like. */
  url: string;
  picture: EntryPicture | null;
  /** Whether the whole file has arrived. */
  isStored: boolean;
  /** Neighbours of the current file load their pictures, and nothing else. */
  isCurrent: boolean;
  /** The room for the picture, in CSS pixels. */
  rect: PixelSize;
}

interface PictureSlideProps extends SlideProps {
  zoom: number;
  /** Called with the size of the original once it has loaded. */
  onMeasured(size: PixelSize): void;
}

const LAYER = "absolute inset-0 size-full object-contain";

/** A picture: its tile at once, then its view, and the original once it is enlarged, or if it is small. */
export function PictureSlide({ entry, url, picture, isStored, isCurrent, rect, zoom, onMeasured }: PictureSlideProps) {
  const t = useMessages("pictures");
  const [isAsked, setIsAsked] = useState(false);
  const [isBroken, setIsBroken] = useState(false);
  const [natural, setNatural] = useState<PixelSize | null>(null);
  if (zoom > 1 && !isAsked) setIsAsked(true);
  const name = nameOf(entry.path);
  const preview = previewOf(entry.type);
  const hasOriginal = preview?.kind === "image" && isStored && entry.sizeBytes > 0 && !isBroken;
  const hasView = picture?.hasView ?? false;
  const loadsItself = preview !== null && !previewNeedsClick(preview, entry.sizeBytes);
  const isOriginalShown = hasOriginal && (isAsked || (!hasView && loadsItself));
  const frame = fit(rect, picture ?? natural);
  if (!picture && !isOriginalShown) {
    return (
      <EmptySlide entry={entry}>
        {hasOriginal ? (
          <AskButton sizeBytes={entry.sizeBytes} onClick={() => setIsAsked(true)} />
        ) : (
          t(isBroken ? "originalFailed" : isStored ? "noPreview" : "notHereYet")
        )}
      </EmptySlide>
    );
  }
  return (
    <>
      <div className="relative shrink-0" style={frame}>
        {picture && (
          <Picture url={`${url}/tile`} alt={hasView || isOriginalShown ? "" : name} className={LAYER} instead={null} />
        )}
        {hasView && <Picture url={`${url}/view`} alt={isOriginalShown ? "" : name} className={LAYER} instead={null} />}
        {isOriginalShown && (isCurrent || !hasView) && (
          <Original
            viewer={{
              url: `${url}/preview`,
              file: { filename: name, size: entry.sizeBytes, mimeType: entry.type },
              onError: () => setIsBroken(true),
              loading: null,
            }}
            render={(viewer) => (
              <img
                src={viewer.url}
                alt={name}
                draggable={false}
                className={LAYER}
                onError={viewer.onError}
                onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
                  setNatural({ width, height });
                  if (isCurrent) onMeasured({ width, height });
                }}
              />
            )}
          />
        )}
      </div>
      {hasOriginal && !isOriginalShown && !hasView && (
        <span className="absolute bottom-24">
          <AskButton sizeBytes={entry.sizeBytes} onClick={() => setIsAsked(true)} />
        </span>
      )}
    </>
  );
}

function Original({ viewer, render }: { viewer: ViewerProps; render: RenderViewer }) {
  const sealed = useContext(SealedPageContext);
  return sealed ? sealed.renderViewer("image", viewer, render) : render(viewer);
}

function AskButton({ sizeBytes, onClick }: { sizeBytes: number; onClick(): void }) {
  const t = useMessages("pictures");
  return (
    <Button look="quiet" onClick={onClick}>
      {t("original", { size: formatBytes(sizeBytes, t.locale) })}
    </Button>
  );
}

/**
 * @param picture null if its size is not known yet @returns the largest size in `room` with the picture's ratio. A tile
 * below its largest size is as large as its original, and is not enlarged.
 */
function fit(room: PixelSize, picture: (PixelSize & { hasView?: boolean }) | null): PixelSize {
  if (!picture) return { width: room.width, height: room.height };
  const { width, height } = picture;
  const isWhole = Math.max(width, height) < PICTURE_LIMITS.tile.side && picture.hasView !== true;
  const scale = Math.min(room.width / width, room.height / height, isWhole ? 1 : Infinity);
  return { width: width * scale, height: height * scale };
}

/** A file that is no picture: a player or another preview, where there is one. */
export function FileSlide({ entry, url, picture, isStored, isCurrent, rect }: SlideProps) {
  const t = useMessages("pictures");
  const name = nameOf(entry.path);
  const hasPreview = isStored && entry.sizeBytes > 0 && previewOf(entry.type) !== null;
  if (!hasPreview || !isCurrent) {
    if (!picture) return <EmptySlide entry={entry}>{isCurrent && t(isStored ? "noPreview" : "notHereYet")}</EmptySlide>;
    return (
      <div className="relative shrink-0" style={fit(rect, picture)}>
        <Picture url={`${url}/${picture.hasView ? "view" : "tile"}`} alt={name} className={LAYER} instead={null} />
      </div>
    );
  }
  return (
    <div
      className="max-h-[calc(100%-9rem)] w-[min(64rem,calc(100%-1.5rem))] touch-auto overflow-auto rounded-2xl bg-surface p-4 text-ink select-text sm:w-[min(64rem,calc(100%-9rem))]"
      onKeyDown={stopKeysOfControls}
      onPointerDown={(event) => event.stopPropagation()}
      onWheel={(event) => event.stopPropagation()}
    >
      <p className="flex items-center gap-2 font-medium">
        <FileIcon filename={name} />
        <span className="min-w-0 break-words" dir="auto">
          {name}
        </span>
      </p>
      <FilePreview file={{ filename: name, size: entry.sizeBytes, mimeType: entry.type }} url={`${url}/preview`} />
    </div>
  );
}

/** A player and a text that scrolls have keys of their own. Escape still closes the viewer. */
function stopKeysOfControls(event: KeyboardEvent<HTMLElement>): void {
  const isOfControl =
    event.target instanceof Element && event.target.closest("video, audio, pre, select, [role=document]");
  if (isOfControl && event.key !== "Escape") event.stopPropagation();
}

/** Stands for a file that cannot be shown. */
function EmptySlide({ entry, children }: { entry: TransferEntry; children: ReactNode }) {
  const name = nameOf(entry.path);
  return (
    <div className="grid max-w-[80%] justify-items-center gap-4 text-center text-white">
      <FileIcon filename={name} size={64} />
      <p className="font-medium break-words" dir="auto">
        {name}
      </p>
      <div className="text-white/75">{children}</div>
    </div>
  );
}
