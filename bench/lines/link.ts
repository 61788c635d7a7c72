import type { Server, Socket } from "node:net";
import type { Direction } from "./line-log.ts";

/** The line's end at the person's side. */
export interface Door {
  server: Server;
  name: string;
  target: { host: string; port: number } | null;
  /** Whether the door speaks TLS, which itself makes its handshake over the line. */
  isSecure: boolean;
}

/** One direction of a connection. */
export interface Flow {
  direction: Direction;
  connection: Connection;
  from: Socket;
  to: Socket;
  waiting: Uint8Array[];
  waitingBytes: number;
  inFlightBytes: number;
  /** Whether the source has ended. The target ends after the last byte. */
  hasEnded: boolean;
  /** The moment until which a fault lets nothing pass. */
  blockedUntil: number;
  /** The bytes since the other direction last carried something. */
  burstBytes: number;
  burstFrom: number;
  lastSentAt: number;
}

export interface Connection {
  door: Door;
  flows: Record<Direction, Flow>;
}

interface Slice {
  flow: Flow;
  bytes: Uint8Array | null;
  at: number;
}

/** One direction of a line. */
export class Link {
  /** The flows with bytes to send, which take turns. */
  readonly flows: Flow[] = [];
  readonly onTheWay: Slice[] = [];
  /** The moment at which the last piece has left. */
  freeAt = 0;
  tickedAt = 0;

  add(flow: Flow): void {
    if (!this.flows.includes(flow)) this.flows.push(flow);
  }

  remove(flow: Flow): void {
    const index = this.flows.indexOf(flow);
    if (index >= 0) this.flows.splice(index, 1);
  }

  /** @returns the first flow that may send, and moves that flow to the end of the row */
  next(maySend: (flow: Flow) => boolean): Flow | null {
    for (const [index, flow] of this.flows.entries()) {
      if (flow.from.destroyed && flow.to.destroyed) {
        this.flows.splice(index, 1);
        return this.next(maySend);
      }
      if (!maySend(flow)) continue;
      this.flows.splice(index, 1);
      this.flows.push(flow);
      return flow;
    }
    return null;
  }
}

/** @returns the next of the waiting bytes, at most `maxBytes` */
export function takeFrom(flow: Flow, maxBytes: number): Uint8Array {
  const first = flow.waiting[0] ?? new Uint8Array();
  const bytes = first.subarray(0, maxBytes);
  if (bytes.length === first.length) flow.waiting.shift();
  else flow.waiting[0] = first.subarray(maxBytes);
  flow.waitingBytes -= bytes.length;
  return bytes;
}

/** @returns whether the flow has bytes to pass on, or its end */
export function wants({ waitingBytes, hasEnded, from, to }: Flow): boolean {
  return !(from.destroyed && to.destroyed) && (waitingBytes > 0 || hasEnded);
}

/** Closes both ends of a connection. */
export function destroy({ flows }: Connection): void {
  flows.up.from.destroy();
  flows.up.to.destroy();
}

/** Resets both ends of a connection, as a router does that has forgotten the connection. */
export function reset({ flows }: Connection): void {
  flows.up.from.resetAndDestroy();
  flows.up.to.resetAndDestroy();
}
