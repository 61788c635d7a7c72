import type { ReactNode } from "react";
import type { DownloadInfo } from "#domain/wire.ts";

export interface ViewerProps {
  /** Where the preview's bytes are. */
  url: string;
  info: DownloadInfo;
  /** The file is not what its type says, or this browser cannot show it. */
  onError(): void;
  /** What to show meanwhile. */
  loading: ReactNode;
}

/** An SVG, too: in an `<img>` it is a picture that runs no script and fetches nothing (decisions, Content). */
export function ImagePreview({ url, info, onError }: ViewerProps) {
  return (
    <div className="grid h-80 place-items-center overflow-hidden rounded-2xl bg-sunken sm:h-96">
      <img src={url} alt={info.filename} onError={onError} className="size-full object-contain" />
    </div>
  );
}

export function VideoPreview({ url, info, onError }: ViewerProps) {
  return (
    // The sender's file is all there is: nobody can know of captions for it.
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
