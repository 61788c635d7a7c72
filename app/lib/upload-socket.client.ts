import type { ServerMessage } from "#domain/wire.ts";
import type { LiveSocketEvents } from "#engine/live-socket.ts";
import { UploadSocket } from "#engine/upload-socket.ts";
import { recipientLive } from "./live.ts";

/** Watches a single file arrive, as whoever has the link. */
export function watchUpload(downloadId: string, events: LiveSocketEvents<ServerMessage>): UploadSocket {
  return new UploadSocket(recipientLive, downloadId, events);
}
