import { senderMessage, type SenderMessage, type ServerMessage, type UploadProgress } from "#domain/wire.ts";
import { SessionSockets, type SocketAdmission } from "../shared/session-sockets.ts";
import { isSettled, receivedPercent, type UploadRecord } from "./state.ts";

/** The sockets of a single file's upload. */
export class UploadSockets extends SessionSockets<UploadProgress, SenderMessage> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, senderMessage);
  }

  /** @param received numbers of completed parts @returns the client's end */
  accept(admission: SocketAdmission, record: UploadRecord, received: number[]): WebSocket {
    const greeting: ServerMessage[] = [this.progressOf(record, received)];
    if (admission.role === "sender") greeting.push({ type: "received", parts: received });
    return this.open(admission, greeting, record.phase);
  }

  acknowledge(socket: WebSocket, parts: number[]): void {
    this.send(socket, { type: "received", parts } satisfies ServerMessage);
  }

  /** Takes nothing but the percentage from the sender: watchers are told no words of a client's. */
  relayProgress(sender: WebSocket, record: UploadRecord, { progress }: UploadProgress): void {
    this.relay(progressMessage(record, progress), sender);
  }

  /** Tells watchers what has arrived from a client that has no socket, such as the chunked upload's. */
  relayReceived(record: UploadRecord, percent: number): void {
    if (!this.hasSender && !this.isEmpty) this.relay(progressMessage(record, percent));
  }

  progressOf(record: UploadRecord, received: number[]): UploadProgress {
    if (this.lastRelayed && !isSettled(record)) return this.lastRelayed;
    return progressMessage(record, receivedPercent(record, received));
  }
}

function progressMessage({ plan }: UploadRecord, progress: number): UploadProgress {
  const { fileId, filename } = plan;
  const statusMessage = progress === 100 ? "Finishing" : "Uploading";
  return { type: "upload_progress", uploadId: fileId, filename, progress, statusMessage };
}
