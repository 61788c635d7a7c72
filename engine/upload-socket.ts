import { serverMessage, type SenderMessage, type ServerMessage } from "#domain/wire.ts";
import { LiveSocket, type LiveSocketEvents } from "./live-socket.ts";
import type { Live } from "./ports.ts";

/** The WebSocket of the upload of a single file. */
export class UploadSocket extends LiveSocket<ServerMessage, SenderMessage> {
  constructor(live: Live, downloadId: string, events: LiveSocketEvents<ServerMessage>) {
    super(live, downloadId, serverMessage, events);
  }
}
