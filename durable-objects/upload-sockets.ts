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

/** The sender's own session sends; whoever else has the link only receives (decisions, Limits on calls). */
export type SocketRole = "sender" | "watcher";

/** Whom the Worker lets in. */
export interface Admission {
  role: SocketRole;
  /** Whose sockets this one counts among, and how many they may have; null where nobody counts. */
  limit: { subject: string; most: number } | null;
}

const ADMISSION_HEADER = "x-socket-admission";

/** The request that asks an upload for a socket, from one whose role and subject the Worker has found out. */
export function requestSocket(request: Request, admission: Admission): Request {
  const headers = new Headers(request.headers);
  headers.set(ADMISSION_HEADER, encodeURIComponent(JSON.stringify(admission)));
  return new Request(request, { headers });
}

/** What `requestSocket` wrote: only the Worker calls the object, and it always writes its own. */
export function readAdmission(request: Request): Admission {
  return JSON.parse(decodeURIComponent(request.headers.get(ADMISSION_HEADER) ?? "")) as Admission;
}

/**
 * The answer to whoever asks for a socket once the upload has ended. It tells them how, as those were told who were there:
 * a page that was sent before the end may come after it.
 */
export function openToEnd(phase: FinalPhase): Response {
  const [client, server] = openPair();
  server.accept();
  sendText(server, JSON.stringify(endOf(phase)));
  server.close(NORMAL, reasonOf(phase));
  return new Response(null, { status: 101, webSocket: client });
}

/** WebSocket close codes (RFC 6455 section 7.4.1). */
const NORMAL = 1000;
const INVALID_PAYLOAD = 1007;
const POLICY_VIOLATION = 1008;
const TOO_BIG = 1009;
const REPORTED_ONLY = new Set([1005, 1006, 1015]);

interface Attachment {
  role: SocketRole;
  /** Whose sockets it counts among, where that is limited. */
  subject: string | null;
  /** Start of the second that is being counted, and the messages in it. */
  secondStart: number;
  messages: number;
}

/**
 * Progress goes on at most as often as one sender may say it, however many tabs of theirs do: of what comes sooner, the
 * newest says it all.
 */
const RELAY_INTERVAL_MS = SECOND_MS / SENDER_MESSAGES_PER_SECOND;

/** An upload's hibernating sockets: who they are is kept with each socket, so it survives eviction. */
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

  /** Counts one more socket against the limits, where they hold. @returns whether there is room for it */
  async takePlace({ role, limit }: Admission): Promise<boolean> {
    if (!limit) return true;
    if (role === "watcher" && this.#ctx.getWebSockets().length >= SOCKETS_PER_UPLOAD) return false;
    const open = this.#ctx.getWebSockets(limit.subject).length;
    return await this.#counterOf(limit.subject).add(this.#ctx.id.toString(), open, limit.most);
  }

  /** A socket has closed, or is about to. */
  leave(socket: WebSocket): void {
    this.announceWatchers(socket);
    const { subject } = attachmentOf(socket);
    if (subject === null) return;
    const left = this.#ctx.getWebSockets(subject).filter((other) => other !== socket).length;
    const told = this.#counterOf(subject).set(this.#ctx.id.toString(), left);
    // What it misses, it hears with the next socket that comes or goes.
    this.#ctx.waitUntil(told.catch(() => undefined));
  }

  #counterOf(subject: string) {
    return this.#env.SOCKETS.get(this.#env.SOCKETS.idFromName(subject));
  }

  /**
   * Lets somebody in, and tells them how things stand.
   * @param received the parts that storage is known to have
   * @returns the client's end
   */
  accept({ role, limit }: Admission, record: UploadRecord, received: number[]): WebSocket {
    const [client, server] = openPair();
    this.#ctx.acceptWebSocket(server, limit ? [role, limit.subject] : [role]);
    const subject = limit?.subject ?? null;
    server.serializeAttachment({ role, subject, secondStart: 0, messages: 0 } satisfies Attachment);
    this.send(server, this.progressOf(record, received));
    if (role === "sender") this.send(server, { type: "received", parts: received });
    if (isSettled(record)) this.announceEnd(record);
    else this.announceWatchers();
    return client;
  }

  /** Passes the sender's progress on to everybody else. The file's name and id are ours, whatever the message says. */
  relay(sender: WebSocket, record: UploadRecord, progress: UploadProgress): void {
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

  /** How far the upload is: as its sender last said, or as the receipts show. */
  progressOf(record: UploadRecord, received: number[]): UploadProgress {
    if (this.#lastProgress && !isSettled(record)) return this.#lastProgress.message;
    const { fileId, filename } = record.plan;
    const progress = receivedPercent(record, received);
    return { type: "upload_progress", uploadId: fileId, filename, progress, statusMessage: "Uploading" };
  }

  /** Tells everybody how it ended. */
  announceEnd({ phase }: UploadRecord): void {
    if (phase !== "ready" && phase !== "failed" && phase !== "cancelled") return;
    clearTimeout(this.#nextRelay);
    this.broadcast(endOf(phase));
    this.#closeAll(reasonOf(phase));
  }

  send(socket: WebSocket, message: ServerMessage): void {
    sendText(socket, JSON.stringify(message));
  }

  /** To everyone, or to everyone but one. */
  broadcast(message: ServerMessage, except?: WebSocket): void {
    const text = JSON.stringify(message);
    for (const socket of this.#ctx.getWebSockets()) if (socket !== except) sendText(socket, text);
  }

  /** Tells each sender how many others look on: without any, a sender need not send progress. */
  announceWatchers(leaving?: WebSocket): void {
    const open = this.#ctx.getWebSockets().filter((socket) => socket !== leaving);
    for (const socket of this.#ctx.getWebSockets("sender")) {
      if (socket !== leaving) this.send(socket, { type: "watchers", count: open.length - 1 });
    }
  }

  /** Answers a page's Close frame: with hibernation nobody else does. Codes that only report may not be sent. */
  answerClose(socket: WebSocket, code: number, reason: string): void {
    socket.close(REPORTED_ONLY.has(code) ? NORMAL : code, reason);
  }

  #closeAll(reason: string): void {
    for (const socket of this.#ctx.getWebSockets()) socket.close(NORMAL, reason);
  }

  /** A message that may be acted on, or null: then the socket has been closed with the reason. */
  read(socket: WebSocket, data: string | ArrayBuffer, now: number): SenderMessage | null {
    const attachment = attachmentOf(socket);
    if (attachment.role !== "sender") return localizedError(socket, POLICY_VIOLATION, "This link only receives.");
    if (typeof data !== "string") return localizedError(socket, INVALID_PAYLOAD, "Messages are JSON text.");
    if (new TextEncoder().encode(data).byteLength > SOCKET_MESSAGE_MAX_BYTES) {
      return localizedError(socket, TOO_BIG, `A message holds at most ${SOCKET_MESSAGE_MAX_BYTES} bytes.`);
    }
    if (!countMessage(socket, attachment, now))
      return localizedError(socket, POLICY_VIOLATION, "Too many messages a second.");
    const message = parse(data);
    return message ?? localizedError(socket, INVALID_PAYLOAD, "That is not a message of this upload.");
  }
}

function openPair(): [client: WebSocket, server: WebSocket] {
  const pair = new WebSocketPair();
  return [pair[0], pair[1]];
}

function endOf(status: FinalPhase): ServerMessage {
  return { type: "upload_ended", status };
}

function reasonOf(phase: FinalPhase): string {
  return `The upload is ${phase}.`;
}

function sendText(socket: WebSocket, text: string): void {
  try {
    socket.send(text);
  } catch {
    // A socket that has just closed: its page reconnects, and the upload does not depend on it.
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

function localizedError(socket: WebSocket, code: number, reason: string): null {
  socket.close(code, reason);
  return null;
}
