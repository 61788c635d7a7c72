import { transferMessage, type TransferMessage, type TransferProgress } from "#domain/wire.ts";
import { LiveSocket, type LiveSocketEvents, type SocketRole } from "./live-socket.ts";

/** The WebSocket of a transfer of many files. */
export class TransferSocket extends LiveSocket<TransferMessage, TransferProgress> {
  constructor(downloadId: string, events: LiveSocketEvents<TransferMessage>, role: SocketRole = "sender") {
    super(downloadId, role, transferMessage, events);
  }
}
