import { SECOND_MS } from "#domain/units.ts";
import { SOCKET_MESSAGE_MAX_BYTES, senderMessage, type RelayMessage, type SenderMessage } from "#domain/wire.ts";

/** The sender's own session sends; whoever else has the link only receives (decisions, Limits on calls). */
export type SocketRole = "sender" | "watcher";

/** Messages a second that a sender may send (decisions, Limits on calls). */
const MESSAGES_PER_SECOND = 10;

/** WebSocket close codes (RFC 6455 section 7.4.1). */
const NORMAL = 1000;
const INVALID_PAYLOAD = 1007;
const POLICY_VIOLATION = 1008;
const TOO_BIG = 1009;

interface Attachment {
  role: SocketRole;
  /** Start of the second that is being counted, and the messages in it. */
  secondStart: number;
  messages: number;
}

/** An upload's hibernating sockets: who they are is kept with each socket, so it survives eviction. */
export class UploadSockets {
  readonly #ctx: DurableObjectState;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
  }

  accept(role: SocketRole): { client: WebSocket; server: WebSocket } {
    const [client, server] = Object.values(new WebSocketPair());
    if (!client || !server) throw new Error("no socket pair");
    this.#ctx.acceptWebSocket(server, [role]);
    server.serializeAttachment({ role, secondStart: 0, messages: 0 } satisfies Attachment);
    return { client, server };
  }

  send(socket: WebSocket, message: RelayMessage): void {
    try {
      socket.send(JSON.stringify(message));
    } catch {
      // A socket that has just closed: its page reconnects, and the upload does not depend on it.
    }
  }

  /** To everyone, or to everyone but one. */
  broadcast(message: RelayMessage, except?: WebSocket): void {
    for (const socket of this.#ctx.getWebSockets()) if (socket !== except) this.send(socket, message);
  }

  /** Tells each sender how many others look on: without any, a sender need not send progress. */
  announceWatchers(leaving?: WebSocket): void {
    const open = this.#ctx.getWebSockets().filter((socket) => socket !== leaving);
    for (const socket of this.#ctx.getWebSockets("sender")) {
      if (socket !== leaving) this.send(socket, { type: "watchers", count: open.length - 1 });
    }
  }

  closeAll(reason: string): void {
    for (const socket of this.#ctx.getWebSockets()) socket.close(NORMAL, reason);
  }

  /** A message that may be acted on, or null: then the socket has been closed with the reason. */
  read(socket: WebSocket, data: string | ArrayBuffer, now: number): SenderMessage | null {
    const attachment = attachmentOf(socket);
    if (attachment.role !== "sender") return refuse(socket, POLICY_VIOLATION, "This link only receives.");
    if (typeof data !== "string") return refuse(socket, INVALID_PAYLOAD, "Messages are JSON text.");
    if (new TextEncoder().encode(data).byteLength > SOCKET_MESSAGE_MAX_BYTES) {
      return refuse(socket, TOO_BIG, `A message holds at most ${SOCKET_MESSAGE_MAX_BYTES} bytes.`);
    }
    if (!countMessage(socket, attachment, now)) return refuse(socket, POLICY_VIOLATION, "Too many messages a second.");
    const message = parse(data);
    return message ?? refuse(socket, INVALID_PAYLOAD, "That is not a message of this upload.");
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
  return messages <= MESSAGES_PER_SECOND;
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

function refuse(socket: WebSocket, code: number, reason: string): null {
  socket.close(code, reason);
  return null;
}
