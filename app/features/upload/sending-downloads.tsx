import { useCurrentUser } from "#app/lib/session.ts";
import { LiveDownloads } from "#app/ui/live-downloads.tsx";
import { SEGMENTED_FROM_BYTES } from "#domain/segments.ts";

/**
 * The downloads of a link whose upload is under way, for a sender with an account. A smaller upload ends before anybody
 * downloads, so it opens no socket.
 */
export function SendingDownloads({ uploadId, sizeBytes }: { uploadId: string; sizeBytes: number }) {
  const user = useCurrentUser();
  return user !== null && sizeBytes >= SEGMENTED_FROM_BYTES ? <LiveDownloads transferId={uploadId} /> : null;
}
