import { useQuery } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { previewOf } from "#domain/preview.ts";
import { findIndexLast } from "../follow.client.ts";
import type { ViewerProps } from "./media.tsx";

/** MP4 and QuickTime, whose index may stand at either end. Other media have none, or play without it. */
const INDEXED = new Set(["video/mp4", "audio/mp4"]);

interface FollowedMediaProps {
  viewer: ViewerProps;
  renderViewer(viewer: ViewerProps): ReactNode;
  isArriving: boolean;
}

/**
 * A film or a sound that plays while it arrives, and goes on playing when all of it is there. Says so where the player
 * cannot start before that.
 */
export default function FollowedMedia({ viewer, renderViewer, isArriving }: FollowedMediaProps) {
  const t = useMessages("download");
  const { url, file, onError, loading } = viewer;
  const { kind, contentType } = previewOf(file.mimeType) ?? {};
  const isIndexed = INDEXED.has(contentType ?? "");
  const {
    data: isIndexLast = false,
    isError,
    isLoading,
  } = useQuery({
    queryKey: [url, "index"],
    queryFn: ({ signal }) => findIndexLast(url, signal),
    enabled: isIndexed && isArriving,
  });
  useEffect(() => {
    if (isError) onError();
  }, [isError, onError]);
  if (isArriving && isLoading) return loading;
  if (isArriving && isIndexLast) {
    return (
      <p role="status" className="rounded-2xl bg-sunken p-4 text-sm text-muted">
        {t(kind === "audio" ? "soundIndexLast" : "filmIndexLast")}
      </p>
    );
  }
  return renderViewer(viewer);
}
