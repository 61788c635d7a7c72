import type { ReactNode } from "react";

export interface PreviewedFile {
  filename: string;
  /** Bytes. */
  size: number;
  mimeType: string;
}

export interface ViewerProps {
  url: string;
  file: PreviewedFile;
  onError(): void;
  loading: ReactNode;
  /**
   * Reads an encrypted file, instead of the URL.
   * @param to exclusive; what lies behind the end is left out
   */
  read?: (from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>;
}

/** Also for SVG: in an `<img>` it runs no script and fetches nothing (decision 017). */
export function ImagePreview({ url, file, onError }: ViewerProps) {
  return (
    <div className="grid h-80 place-items-center overflow-hidden rounded-2xl bg-sunken sm:h-96">
      <img src={url} alt={file.filename} onError={onError} className="size-full object-contain" />
    </div>
  );
}

export function VideoPreview({ url, file, onError }: ViewerProps) {
  return (
    // No captions: the sender uploads only the video.
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
