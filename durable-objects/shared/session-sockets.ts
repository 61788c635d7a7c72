import type * as z from "zod/mini";
import { SENDER_MESSAGES_PER_SECOND, SOCKETS_PER_UPLOAD } from "#domain/rate-limits.ts";
import { SECOND_MS } from "#domain/units.ts";
import { PICTURES_PER_MESSAGE, SOCKET_MESSAGE_MAX_BYTES, type PicturesMessage } from "#domain/wire.ts";
import { inJurisdiction } from "#worker/storage/jurisdiction.ts";
import type { FinalPhase, Phase } from "./lifecycle.ts";

/** WebSocket close codes (RFC 6455 section 7.4.1). */
const NORMAL = 1000;
const INVALID_PAYLOAD = 1007;
export const POLICY_VIOLATION = 1008;
const TOO_BIG = 1009;
/** Codes that only report a close. Such a code may not be sent in a Close frame. */
const REPORTED_ONLY = new Set([1005, 1006, 1015]);

/** A sender reports progress and completed parts; a watcher only receives. */
type SocketRole = "sender" | "watcher";

export interface SocketAdmission {
  role: SocketRole;
  /** The account or IP address that the socket counts for, and its limit of sockets; null when rate limits are off. */
  limit: { subject: string; max: number } | null;
}

const ADMISSION_HEADER = "x-socket-admission";

export function socketRequest(request: Request, admission: SocketAdmission): Request {
  const headers = new Headers(request.headers);
  headers.set(ADMISSION_HEADER, encodeURIComponent(JSON.stringify(admission)));
  return new Request(request, { headers });
}

/** Reads the admission from the request's header. A client cannot forge the header: the Worker always overwrites it. */
export function readAdmission(request: Request): SocketAdmission {
  return JSON.parse(decodeURIComponent(request.headers.get(ADMISSION_HEADER) ?? "")) as SocketAdmission;
}

/** The answer to a page that connects after the upload has ended. The answer tells how the upload ended. */
export function endedUploadResponse(phase: FinalPhase): Response {
  const [client, server] = openPair();
  server.accept();
  sendText(server, JSON.stringify(endMessage(phase)));
  server.close(NORMAL, closeReason(phase));
  return new Response(null, { status: 101, webSocket: client });
}

interface Attachment {
  role: SocketRole;
  subject: string | null;
  /** Epoch milliseconds. */
  secondStart: number;
  messages: number;
}

/**
 * The shortest time between two messages to watchers, however many senders there are: the latest message replaces
 * earlier ones.
 */
export const RELAY_INTERVAL_MS = SECOND_MS / SENDER_MESSAGES_PER_SECOND;

/** The messages of both kinds of session. */
type CommonMessage = { type: "watchers"; count: number } | { type: "upload_ended"; status: FinalPhase };

/**
 * The hibernating sockets of one session. Role and subject are in each socket's attachment, which survives eviction.
 * `Relayed` is the type of the messages about progress for watchers.
 */
export class SessionSockets<Relayed, Sent> {
  protected readonly ctx: DurableObjectState;
  readonly #env: Env;
  readonly #senderMessage: z.ZodMiniType<Sent>;
  #lastRelayed: { message: Relayed; sender?: WebSocket } | null = null;
  /** Epoch milliseconds. */
  #relayedAt = 0;
  #nextRelay: ReturnType<typeof setTimeout> | undefined;

  /** @param senderMessage the schema of what a sender may send */
  constructor(ctx: DurableObjectState, env: Env, senderMessage: z.ZodMiniType<Sent>) {
    this.ctx = ctx;
    this.#env = env;
    this.#senderMessage = senderMessage;
  }

  /** Counts a new socket. @returns whether the limits allow the socket */
  async countNew({ role, limit }: SocketAdmission): Promise<boolean> {
    if (!limit) return true;
    if (role === "watcher" && this.ctx.getWebSockets().length >= SOCKETS_PER_UPLOAD) return false;
    const open = this.ctx.getWebSockets(limit.subject).length;
    return await this.#counterOf(limit.subject).add(this.ctx.id.toString(), open, limit.max);
  }

  countClosed(socket: WebSocket): void {
    this.broadcastWatcherCount(socket);
    const { subject } = attachmentOf(socket);
    if (subject === null) return;
    const open = this.ctx.getWebSockets(subject).filter((other) => other !== socket).length;
    const counted = this.#counterOf(subject).set(this.ctx.id.toString(), open);
    // If this update is lost, the next opened or closed socket corrects the count.
    this.ctx.waitUntil(counted.catch(() => undefined));
  }

  #counterOf(subject: string) {
    const counters = inJurisdiction(this.#env, this.#env.SOCKETS);
    return counters.get(counters.idFromName(subject));
  }

  /** @returns the client's end */
  protected open({ role, limit }: SocketAdmission, greeting: unknown[], phase: Phase): WebSocket {
    const [client, server] = openPair();
    this.ctx.acceptWebSocket(server, limit ? [role, limit.subject] : [role]);
    const subject = limit?.subject ?? null;
    server.serializeAttachment({ role, subject, secondStart: 0, messages: 0 } satisfies Attachment);
    for (const message of greeting) this.send(server, message);
    if (isFinal(phase)) this.broadcastEnd(phase);
    else this.broadcastWatcherCount();
    return client;
  }

  protected get lastRelayed(): Relayed | null {
    return this.#lastRelayed?.message ?? null;
  }

  protected get hasSender(): boolean {
    return this.ctx.getWebSockets("sender").length > 0;
  }

  protected get isEmpty(): boolean {
    return this.ctx.getWebSockets().length === 0;
  }

  /** Sends a message to all sockets except its sender's, at most ten times a second. */
  protected relay(message: Relayed, sender?: WebSocket): void {
    this.#lastRelayed = sender ? { message, sender } : { message };
    if (this.#nextRelay !== undefined) return;
    const waitMs = this.#relayedAt + RELAY_INTERVAL_MS - Date.now();
    const relay = () => {
      this.#nextRelay = undefined;
      this.#relayedAt = Date.now();
      if (this.#lastRelayed) this.broadcast(this.#lastRelayed.message, this.#lastRelayed.sender);
    };
    if (waitMs > 0) this.#nextRelay = setTimeout(relay, Math.min(waitMs, RELAY_INTERVAL_MS));
    else relay();
  }

  /** Closes every socket if the phase is final. */
  broadcastEnd(phase: Phase): void {
    if (!isFinal(phase)) return;
    clearTimeout(this.#nextRelay);
    this.broadcast(endMessage(phase));
    this.#closeAll(closeReason(phase));
  }

  /** Tells all sockets of new pictures. An owner who watches their link counts as its sender. */
  announcePictures(pictures: PicturesMessage["list"]): void {
    for (let first = 0; first < pictures.length; first += PICTURES_PER_MESSAGE) {
      const list = pictures.slice(first, first + PICTURES_PER_MESSAGE);
      this.broadcast({ type: "pictures", list } satisfies PicturesMessage);
    }
  }

  send(socket: WebSocket, message: unknown): void {
    sendText(socket, JSON.stringify(message));
  }

  protected broadcast(message: unknown, except?: WebSocket): void {
    const text = JSON.stringify(message);
    for (const socket of this.ctx.getWebSockets()) if (socket !== except) sendText(socket, text);
  }

  /** Tells senders how many other sockets are open: a sender need not report progress if nobody else has a socket. */
  broadcastWatcherCount(closing?: WebSocket): void {
    const open = this.ctx.getWebSockets().filter((socket) => socket !== closing);
    for (const socket of this.ctx.getWebSockets("sender")) {
      if (socket !== closing) this.send(socket, { type: "watchers", count: open.length - 1 } satisfies CommonMessage);
    }
  }

  #closeAll(reason: string): void {
    for (const socket of this.ctx.getWebSockets()) socket.close(NORMAL, reason);
  }

  /** Reads a sender's message. Closes the socket on an invalid message and returns null. */
  readMessage(socket: WebSocket, data: string | ArrayBuffer, now: number): Sent | null {
    const attachment = attachmentOf(socket);
    if (attachment.role !== "sender") return closeWith(socket, POLICY_VIOLATION, "Only the sender may send messages.");
    if (typeof data !== "string") return closeWith(socket, INVALID_PAYLOAD, "Messages are JSON text.");
    if (new TextEncoder().encode(data).byteLength > SOCKET_MESSAGE_MAX_BYTES) {
      return closeWith(socket, TOO_BIG, `A message holds at most ${SOCKET_MESSAGE_MAX_BYTES} bytes.`);
    }
    if (!countMessage(socket, attachment, now))
      return closeWith(socket, POLICY_VIOLATION, "Too many messages per second.");
    const message = parse(this.#senderMessage, data);
    return message ?? closeWith(socket, INVALID_PAYLOAD, "That is not a message of this upload.");
  }
}

function openPair(): [client: WebSocket, server: WebSocket] {
  const pair = new WebSocketPair();
  return [pair[0], pair[1]];
}

function isFinal(phase: Phase): phase is FinalPhase {
  return phase === "ready" || phase === "failed" || phase === "cancelled";
}

function endMessage(status: FinalPhase): CommonMessage {
  return { type: "upload_ended", status };
}

function closeReason(phase: FinalPhase): string {
  return `The upload is ${phase}.`;
}

function sendText(socket: WebSocket, text: string): void {
  try {
    socket.send(text);
  } catch {
    // The socket has just closed. The page that had the socket reconnects, and the upload does not depend on the
    // socket.
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

function parse<Sent>(schema: z.ZodMiniType<Sent>, data: string): Sent | null {
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return null;
  }
  const result = schema.safeParse(json);
  return result.success ? result.data : null;
}

function closeWith(socket: WebSocket, code: number, reason: string): null {
  socket.close(code, reason);
  return null;
}

/** Answers a Close frame, because the runtime does not do that for hibernating sockets. */
export function echoClose(socket: WebSocket, code: number, reason: string): void {
  socket.close(REPORTED_ONLY.has(code) ? NORMAL : code, reason);
}
