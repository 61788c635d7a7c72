import { useEffect, useState, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import {
  mayHaveScripts,
  previewOf,
  SEALED_IMAGE_MAX_BYTES,
  SEALED_MEDIA_MAX_BYTES,
  type PreviewKind,
} from "#domain/preview.ts";
import type { ContentKeys } from "#domain/seal/keys.ts";
import { VIEWERS } from "../preview/file-preview.tsx";
import type { RenderViewer, ViewerProps } from "../preview/media.tsx";
import { plain, StretchReader, type Clear } from "./reader/opener.ts";
import type { Wanted } from "./sealed-files.ts";
import { openStream } from "./stream/streamer.ts";

interface SealedViewerProps extends ViewerProps {
  kind: PreviewKind;
  downloadId: string;
  keys: ContentKeys;
  wanted: Wanted;
  clear: Clear;
  /** Default: the viewer for the kind. */
  render?: RenderViewer | undefined;
}

/**
 * Shows a decrypted file in the viewer for plain files. A web worker decrypts the bytes; those of videos, audio and
 * images that may contain scripts come through the service worker, if there is one.
 */
export function SealedViewer(props: SealedViewerProps): ReactNode {
  const t = useMessages("sealedLinks");
  const { kind, file, loading } = props;
  const source = useSource(props);
  if (source === null) return loading;
  if (source === "unsafe") return <Note>{t("downloadToSee")}</Note>;
  if (source === "tooLarge") return <Note>{t(kind === "image" ? "tooLargeToShow" : "downloadToPlay")}</Note>;
  const viewer = { url: props.url, file, onError: props.onError, loading };
  const Viewer = props.render ?? VIEWERS[kind];
  return <Viewer {...viewer} {...source} />;
}

function Note({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="rounded-2xl bg-sunken p-4 text-sm text-muted">
      {children}
    </p>
  );
}

type Source = { url: string } | { read: NonNullable<ViewerProps["read"]> } | "tooLarge" | "unsafe";

/** @returns the viewer's source; null until it is ready */
function useSource({ kind, file, downloadId, keys, wanted, clear, onError }: SealedViewerProps): Source | null {
  const [source, setSource] = useState<Source | null>(null);
  const key = wanted.files[0]?.n;
  useEffect(() => {
    const closers: (() => void)[] = [];
    let isClosed = false;
    const onClose = (close: () => void) => {
      if (isClosed) close();
      else closers.push(close);
    };
    const open = async (): Promise<Source> => {
      const isMedia = kind === "video" || kind === "audio";
      const preview = previewOf(file.mimeType);
      const contentType = preview?.contentType ?? "application/octet-stream";
      if (kind === "image" && file.size > SEALED_IMAGE_MAX_BYTES) return "tooLarge";
      // A `blob:` URL opened in a tab is a page of this site. The service worker's answer has a sandbox instead.
      const needsSandbox = preview !== null && mayHaveScripts(preview);
      if (isMedia || needsSandbox) {
        const stream = await openStream(downloadId, { keys, content: plain(wanted), contentType }, { clear });
        if (stream) {
          onClose(stream.close);
          return { url: stream.url };
        }
      }
      if (needsSandbox) return "unsafe";
      if (isMedia && file.size > SEALED_MEDIA_MAX_BYTES) return "tooLarge";
      const reader = new StretchReader(keys, wanted, clear);
      onClose(() => reader.close());
      if (kind === "pdf" || kind === "text") return { read: (from, to) => reader.read(from, to) };
      const blob = new Blob([await reader.read(0, file.size)], { type: contentType });
      const url = URL.createObjectURL(blob);
      onClose(() => URL.revokeObjectURL(url));
      return { url };
    };
    open().then(
      (opened) => {
        if (!isClosed) setSource(opened);
      },
      () => {
        if (!isClosed) onError();
      },
    );
    return () => {
      isClosed = true;
      for (const close of closers) close();
    };
    // The source is opened once per file, because a new list has new objects for the same file.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [kind, key, keys]);
  return source;
}
