import { serverMessage, type SenderMessage, type ServerMessage } from "#domain/wire.ts";
import { LiveSocket, type LiveSocketEvents, type SocketRole } from "./live-socket.ts";

/** The WebSocket of the upload of a single file. */
export class UploadSocket extends LiveSocket<ServerMessage, SenderMessage> {
  constructor(downloadId: string, events: LiveSocketEvents<ServerMessage>, role: SocketRole = "sender") {
    super(downloadId, role, serverMessage, events);
  }
}
