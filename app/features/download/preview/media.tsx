import type { ReactNode } from "react";
import type { DownloadInfo } from "#domain/wire.ts";

export interface ViewerProps {
  url: string;
  info: DownloadInfo;
  onError(): void;
  loading: ReactNode;
}

/** Also for SVG: in an `<img>` it runs no script and fetches nothing (decision 017). */
export function ImagePreview({ url, info, onError }: ViewerProps) {
  return (
    <div className="grid h-80 place-items-center overflow-hidden rounded-2xl bg-sunken sm:h-96">
      <img src={url} alt={info.filename} onError={onError} className="size-full object-contain" />
    </div>
  );
}

export function VideoPreview({ url, info, onError }: ViewerProps) {
  return (
    // No captions: the sender uploads only the video.
    <video
      src={url}
      aria-label={info.filename}
      controls
      playsInline
      preload="metadata"
      onError={onError}
      className="h-80 w-full rounded-2xl bg-black object-contain sm:h-96"
    />
  );
}

export function AudioPreview({ url, info, onError }: ViewerProps) {
  return (
    <audio src={url} aria-label={info.filename} controls preload="metadata" onError={onError} className="h-14 w-full" />
  );
}
