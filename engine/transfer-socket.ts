import { transferMessage, type TransferMessage, type TransferProgress } from "#domain/wire.ts";
import { LiveSocket, type LiveSocketEvents } from "./live-socket.ts";
import type { Live } from "./ports.ts";

/** The WebSocket of a transfer of many files. */
export class TransferSocket extends LiveSocket<TransferMessage, TransferProgress> {
  constructor(live: Live, downloadId: string, events: LiveSocketEvents<TransferMessage>) {
    super(live, downloadId, transferMessage, events);
  }
}
