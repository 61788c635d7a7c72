import type { TransferMessage } from "#domain/wire.ts";
import type { LiveSocketEvents } from "#engine/live-socket.ts";
import { TransferSocket } from "#engine/transfer-socket.ts";
import { recipientLive } from "./live.ts";

/** Watches a transfer of many files arrive, as whoever has the link. */
export function watchTransfer(downloadId: string, events: LiveSocketEvents<TransferMessage>): TransferSocket {
  return new TransferSocket(recipientLive, downloadId, events);
}
