import type { Server, Socket } from "node:net";
import type { Direction } from "./line-log.ts";

/** The line's end at the person's side. */
export interface Door {
  server: Server;
  name: string;
  target: { host: string; port: number } | null;
  /** Whether it speaks TLS, which makes its own handshake over the line. */
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
  /** The source has ended; the target ends after the last byte. */
  hasEnded: boolean;
  /** Nothing is sent until then. */
  blockedUntil: number;
  /** Since the other direction last carried something. */
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
  /** Flows take turns. */
  readonly flows: Flow[] = [];
  readonly onTheWay: Slice[] = [];
  /** When the last piece has left. */
  freeAt = 0;
  tickedAt = 0;

  add(flow: Flow): void {
    if (!this.flows.includes(flow)) this.flows.push(flow);
  }

  remove(flow: Flow): void {
    const index = this.flows.indexOf(flow);
    if (index >= 0) this.flows.splice(index, 1);
  }

  /** @returns the first flow that may send, which then goes to the end of the row */
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

/** @returns up to so many of the bytes that wait */
export function takeFrom(flow: Flow, maxBytes: number): Uint8Array {
  const first = flow.waiting[0] ?? new Uint8Array();
  const bytes = first.subarray(0, maxBytes);
  if (bytes.length === first.length) flow.waiting.shift();
  else flow.waiting[0] = first.subarray(maxBytes);
  flow.waitingBytes -= bytes.length;
  return bytes;
}

/** @returns whether the flow has bytes, or its end, to pass on */
export function wants({ waitingBytes, hasEnded, from, to }: Flow): boolean {
  return !(from.destroyed && to.destroyed) && (waitingBytes > 0 || hasEnded);
}

/** Both ends of a connection. */
export function destroy({ flows }: Connection): void {
  flows.up.from.destroy();
  flows.up.to.destroy();
}

/** With a reset, as a router does that has forgotten the connection. */
export function reset({ flows }: Connection): void {
  flows.up.from.resetAndDestroy();
  flows.up.to.resetAndDestroy();
}
