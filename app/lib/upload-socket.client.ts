import { serverMessage, type ServerMessage } from "#domain/wire.ts";
import { LiveSocket, type LiveSocketEvents } from "#engine/live-socket.ts";
import { recipientLive } from "./live.ts";

/** Watches a single file arrive, as whoever has the link. */
export function watchUpload(downloadId: string, events: LiveSocketEvents<ServerMessage>): LiveSocket<ServerMessage> {
  return new LiveSocket(recipientLive, downloadId, serverMessage, events);
}
