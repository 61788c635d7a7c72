import type { ServerMessage, TransferMessage } from "#domain/wire.ts";
import type { LiveSocketEvents } from "#engine/live-socket.ts";
import { TransferSocket } from "#engine/transfer-socket.ts";
import { UploadSocket } from "#engine/upload-socket.ts";
import { recipientLive } from "./live.ts";

/** Watches a single file arrive, as whoever has the link. */
export function watchUpload(downloadId: string, events: LiveSocketEvents<ServerMessage>): UploadSocket {
  return new UploadSocket(recipientLive, downloadId, events);
}

/** Watches a transfer of many files arrive, as whoever has the link. */
export function watchTransfer(downloadId: string, events: LiveSocketEvents<TransferMessage>): TransferSocket {
  return new TransferSocket(recipientLive, downloadId, events);
}
