import type { ReactNode } from "react";

export interface PreviewedFile {
  filename: string;
  /** In bytes. */
  size: number;
  mimeType: string;
}

export interface ViewerProps {
  url: string;
  file: PreviewedFile;
  onError(): void;
  loading: ReactNode;
  /** Reads plaintext of a sealed file, whose URL gives none. @param to exclusive; bytes behind the end are left out */
  read?: (from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>;
}

/** A viewer that replaces the one for the kind of the file. */
export type RenderViewer = (viewer: ViewerProps) => ReactNode;

/** Also shows SVG images: an SVG in an `<img>` runs no script and fetches nothing (decision 017). */
export function ImagePreview({ url, file, onError }: ViewerProps) {
  return (
    <div className="grid h-80 place-items-center overflow-hidden rounded-2xl bg-sunken sm:h-96">
      <img src={url} alt={file.filename} onError={onError} className="size-full object-contain" />
    </div>
  );
}

export function VideoPreview({ url, file, onError }: ViewerProps) {
  return (
    // The video has no captions, because the sender uploads only the video.
    <video
      src={url}
      aria-label={file.filename}
      controls
      playsInline
      preload="metadata"
      onError={onError}
      className="h-80 w-full rounded-2xl bg-black object-contain sm:h-96"
    />
  );
}

export function AudioPreview({ url, file, onError }: ViewerProps) {
  return (
    <audio src={url} aria-label={file.filename} controls preload="metadata" onError={onError} className="h-14 w-full" />
  );
}
