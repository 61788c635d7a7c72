import { SENDER_MESSAGES_PER_SECOND, SOCKETS_PER_UPLOAD } from "#domain/rate-limits.ts";
import { SECOND_MS } from "#domain/units.ts";
import {
  SOCKET_MESSAGE_MAX_BYTES,
  senderMessage,
  type ServerMessage,
  type SenderMessage,
  type UploadProgress,
} from "#domain/wire.ts";
import { isSettled, receivedPercent, type FinalPhase, type UploadRecord } from "./upload-state.ts";

/** A sender reports progress and receipts; a watcher only receives. */
type SocketRole = "sender" | "watcher";

export interface SocketAdmission {
  role: SocketRole;
  /** The account or address, and its limit; null when rate limits are off. */
  limit: { subject: string; max: number } | null;
}

const ADMISSION_HEADER = "x-socket-admission";

export function socketRequest(request: Request, admission: SocketAdmission): Request {
  const headers = new Headers(request.headers);
  headers.set(ADMISSION_HEADER, encodeURIComponent(JSON.stringify(admission)));
  return new Request(request, { headers });
}

/** A client cannot forge the header: the Worker always overwrites it. */
export function readAdmission(request: Request): SocketAdmission {
  return JSON.parse(decodeURIComponent(request.headers.get(ADMISSION_HEADER) ?? "")) as SocketAdmission;
}

/** Tells a page that connects after the end how the upload ended. */
export function endedUploadResponse(phase: FinalPhase): Response {
  const [client, server] = openPair();
  server.accept();
  sendText(server, JSON.stringify(endMessage(phase)));
  server.close(NORMAL, closeReason(phase));
  return new Response(null, { status: 101, webSocket: client });
}

/** WebSocket close codes (RFC 6455 section 7.4.1). */
const NORMAL = 1000;
const INVALID_PAYLOAD = 1007;
const POLICY_VIOLATION = 1008;
const TOO_BIG = 1009;
/** Codes that report a close and may not be sent in a Close frame. */
const REPORTED_ONLY = new Set([1005, 1006, 1015]);

interface Attachment {
  role: SocketRole;
  subject: string | null;
  /** Epoch milliseconds. */
  secondStart: number;
  messages: number;
}

/** With several senders, watchers get one sender's rate: the latest message replaces the earlier ones. */
const RELAY_INTERVAL_MS = SECOND_MS / SENDER_MESSAGES_PER_SECOND;

/** Hibernating sockets: role and subject are in each socket's attachment, which survives eviction. */
export class UploadSockets {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  #lastProgress: { message: UploadProgress; sender: WebSocket } | null = null;
  /** Epoch milliseconds. */
  #relayedAt = 0;
  #nextRelay: ReturnType<typeof setTimeout> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    this.#ctx = ctx;
    this.#env = env;
  }

  /** @returns whether the limits allow one more socket */
  async countNew({ role, limit }: SocketAdmission): Promise<boolean> {
    if (!limit) return true;
    if (role === "watcher" && this.#ctx.getWebSockets().length >= SOCKETS_PER_UPLOAD) return false;
    const open = this.#ctx.getWebSockets(limit.subject).length;
    return await this.#counterOf(limit.subject).add(this.#ctx.id.toString(), open, limit.max);
  }

  countClosed(socket: WebSocket): void {
    this.broadcastWatcherCount(socket);
    const { subject } = attachmentOf(socket);
    if (subject === null) return;
    const open = this.#ctx.getWebSockets(subject).filter((other) => other !== socket).length;
    const counted = this.#counterOf(subject).set(this.#ctx.id.toString(), open);
    // The next socket that opens or closes corrects a lost count.
    this.#ctx.waitUntil(counted.catch(() => undefined));
  }

  #counterOf(subject: string) {
    return this.#env.SOCKETS.get(this.#env.SOCKETS.idFromName(subject));
  }

  /** @param received part numbers with a receipt @returns the client's end */
  accept({ role, limit }: SocketAdmission, record: UploadRecord, received: number[]): WebSocket {
    const [client, server] = openPair();
    this.#ctx.acceptWebSocket(server, limit ? [role, limit.subject] : [role]);
    const subject = limit?.subject ?? null;
    server.serializeAttachment({ role, subject, secondStart: 0, messages: 0 } satisfies Attachment);
    this.send(server, this.progressOf(record, received));
    if (role === "sender") this.send(server, { type: "received", parts: received });
    if (isSettled(record)) this.broadcastEnd(record);
    else this.broadcastWatcherCount();
    return client;
  }

  /** Takes name and id from the record: a client may forge those of its message. */
  relayProgress(sender: WebSocket, record: UploadRecord, progress: UploadProgress): void {
    const { fileId: uploadId, filename } = record.plan;
    this.#lastProgress = { message: { ...progress, uploadId, filename }, sender };
    if (this.#nextRelay !== undefined) return;
    const waitMs = this.#relayedAt + RELAY_INTERVAL_MS - Date.now();
    const relay = () => {
      this.#nextRelay = undefined;
      this.#relayedAt = Date.now();
      if (this.#lastProgress) this.broadcast(this.#lastProgress.message, this.#lastProgress.sender);
    };
    if (waitMs > 0) this.#nextRelay = setTimeout(relay, Math.min(waitMs, RELAY_INTERVAL_MS));
    else relay();
  }

  progressOf(record: UploadRecord, received: number[]): UploadProgress {
    if (this.#lastProgress && !isSettled(record)) return this.#lastProgress.message;
    const { fileId, filename } = record.plan;
    const progress = receivedPercent(record, received);
    return { type: "upload_progress", uploadId: fileId, filename, progress, statusMessage: "Uploading" };
  }

  broadcastEnd({ phase }: UploadRecord): void {
    if (phase !== "ready" && phase !== "failed" && phase !== "cancelled") return;
    clearTimeout(this.#nextRelay);
    this.broadcast(endMessage(phase));
    this.#closeAll(closeReason(phase));
  }

  send(socket: WebSocket, message: ServerMessage): void {
    sendText(socket, JSON.stringify(message));
  }

  broadcast(message: ServerMessage, except?: WebSocket): void {
    const text = JSON.stringify(message);
    for (const socket of this.#ctx.getWebSockets()) if (socket !== except) sendText(socket, text);
  }

  /** A sender without other sockets need not report progress. */
  broadcastWatcherCount(closing?: WebSocket): void {
    const open = this.#ctx.getWebSockets().filter((socket) => socket !== closing);
    for (const socket of this.#ctx.getWebSockets("sender")) {
      if (socket !== closing) this.send(socket, { type: "watchers", count: open.length - 1 });
    }
  }

  /** The runtime does not answer a Close frame for hibernating sockets. */
  echoClose(socket: WebSocket, code: number, reason: string): void {
    socket.close(REPORTED_ONLY.has(code) ? NORMAL : code, reason);
  }

  #closeAll(reason: string): void {
    for (const socket of this.#ctx.getWebSockets()) socket.close(NORMAL, reason);
  }

  /** Closes the socket on an invalid message and returns null. */
  readMessage(socket: WebSocket, data: string | ArrayBuffer, now: number): SenderMessage | null {
    const attachment = attachmentOf(socket);
    if (attachment.role !== "sender") return closeWith(socket, POLICY_VIOLATION, "This link only receives.");
    if (typeof data !== "string") return closeWith(socket, INVALID_PAYLOAD, "Messages are JSON text.");
    if (new TextEncoder().encode(data).byteLength > SOCKET_MESSAGE_MAX_BYTES) {
      return closeWith(socket, TOO_BIG, `A message holds at most ${SOCKET_MESSAGE_MAX_BYTES} bytes.`);
    }
    if (!countMessage(socket, attachment, now))
      return closeWith(socket, POLICY_VIOLATION, "Too many messages a second.");
    const message = parse(data);
    return message ?? closeWith(socket, INVALID_PAYLOAD, "That is not a message of this upload.");
  }
}

function openPair(): [client: WebSocket, server: WebSocket] {
  const pair = new WebSocketPair();
  return [pair[0], pair[1]];
}

function endMessage(status: FinalPhase): ServerMessage {
  return { type: "upload_ended", status };
}

function closeReason(phase: FinalPhase): string {
  return `The upload is ${phase}.`;
}

function sendText(socket: WebSocket, text: string): void {
  try {
    socket.send(text);
  } catch {
    // The socket has just closed: its page reconnects, and the upload does not depend on it.
  }
}

function attachmentOf(socket: WebSocket): Attachment {
  return socket.deserializeAttachment() as Attachment;
}

function countMessage(socket: WebSocket, attachment: Attachment, now: number): boolean {
  const sameSecond = now - attachment.secondStart < SECOND_MS;
  const secondStart = sameSecond ? attachment.secondStart : now;
  const messages = sameSecond ? attachment.messages + 1 : 1;
  socket.serializeAttachment({ ...attachment, secondStart, messages } satisfies Attachment);
  return messages <= SENDER_MESSAGES_PER_SECOND;
}

function parse(data: string): SenderMessage | null {
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return null;
  }
  const result = senderMessage.safeParse(json);
  return result.success ? result.data : null;
}

function closeWith(socket: WebSocket, code: number, reason: string): null {
  socket.close(code, reason);
  return null;
}
