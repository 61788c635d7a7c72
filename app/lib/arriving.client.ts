import { serverMessage, transferMessage, type ServerMessage, type TransferMessage } from "#domain/wire.ts";
import { LiveSocket, type LiveSocketEvents } from "#engine/live-socket.ts";
import { recipientLive } from "./live.ts";

/** Watches a single file arrive, as whoever has the link. */
export function watchUpload(downloadId: string, events: LiveSocketEvents<ServerMessage>): LiveSocket<ServerMessage> {
  return new LiveSocket(recipientLive, downloadId, serverMessage, events);
}

/** Watches a transfer of many files arrive, as whoever has the link. */
export function watchTransfer(
  downloadId: string,
  events: LiveSocketEvents<TransferMessage>,
): LiveSocket<TransferMessage> {
  return new LiveSocket(recipientLive, downloadId, transferMessage, events);
}
