import { serverMessage, transferMessage, type ServerMessage, type TransferMessage } from "#domain/wire.ts";
import { LiveSocket, type LiveSocketEvents } from "#engine/live-socket.ts";
import { recipientLive } from "./live.ts";

/** Opens a socket with the progress of a file's upload, for people who have the link. */
export function watchUpload(downloadId: string, events: LiveSocketEvents<ServerMessage>): LiveSocket<ServerMessage> {
  return new LiveSocket(recipientLive, downloadId, serverMessage, events);
}

/** Opens a socket with the progress of a transfer's upload, for people who have the link. */
export function watchTransfer(
  downloadId: string,
  events: LiveSocketEvents<TransferMessage>,
): LiveSocket<TransferMessage> {
  return new LiveSocket(recipientLive, downloadId, transferMessage, events);
}
