import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { KIB, SECOND_MS } from "#domain/units.ts";
import { Seeded } from "../../soak/seeded.ts";
import { emptyLog, nothingCarried, type Direction, type LineLog } from "./line-log.ts";
import { destroy, Link, reset, takeFrom, wants, type Connection, type Door, type Flow } from "./link.ts";
import { bytesPerSecond, planFaults, rateAt, type PlannedFault } from "./plan.ts";
import { HANDSHAKE_ROUND_TRIPS, TCP_ROUND_TRIPS, type LineShape } from "./shapes.ts";

const TICK_MS = 1;
/** How much a connection may have read before its turn, as time on the line: enough for the line never to wait. */
const READ_AHEAD_MS = 10;
const MIN_READ_AHEAD_BYTES = 16 * KIB;
/** The length of a piece on the line. */
const SLICE_MS = 1;
const MIN_SLICE_BYTES = 2 * KIB;
const MAX_SLICE_BYTES = 64 * KIB;
/** A message with more bytes than this in one direction has a body: the head of a request or answer has fewer. */
const BODY_FROM_BYTES = { up: 4 * KIB, down: 64 * KIB };
/** Faults hit only connections that have carried this much of a body. */
const MID_BODY_BYTES = 256 * KIB;
/** The log counts bytes in stretches of this length. */
const BIN_MS = 10;

/**
 * A person's line between a browser and servers on this machine: a rate that all connections share in turns, a delay, a
 * window for each connection, round trips before a connection's first byte, and faults. Works on bytes of TCP. As on a
 * line with fair queueing, the bytes of one connection do not wait in a queue behind those of others.
 */
export class Line {
  #shape: LineShape;
  readonly #doors: Door[] = [];
  readonly #connections = new Set<Connection>();
  readonly #links: Record<Direction, Link>;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #acks: { flow: Flow; bytes: number; at: number }[] = [];
  #log: LineLog = emptyLog();
  #planned: PlannedFault[] = [];
  #random = new Seeded("");
  #outUntil = 0;
  #isAsleep = true;

  constructor(shape: LineShape) {
    this.#shape = shape;
    this.#links = { up: new Link(), down: new Link() };
  }

  /** @param listening a port, or the file descriptor of a listening socket @returns the port */
  async open(name: string, listening: { port: number } | { fd: number }): Promise<number> {
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    const door: Door = { server, name, target: null, isSecure: false };
    server.on("connection", (socket) => {
      this.#accept(door, socket);
    });
    server.listen("port" in listening ? { ...listening, host: "localhost" } : listening);
    await once(server, "listening");
    this.#doors.push(door);
    return (server.address() as AddressInfo).port;
  }

  leadTo(name: string, target: { host: string; port: number }, isSecure: boolean): void {
    const door = this.#doors.find((other) => other.name === name);
    if (!door) throw new Error(`the line has no door "${name}"`);
    door.target = target;
    door.isSecure = isSecure;
  }

  /** Begins a new log. Faults and changes of the rate count from the first byte of a body after this call. */
  begin(shape: LineShape, seed: string): void {
    this.#shape = shape;
    this.#planned = planFaults(shape, seed);
    this.#random = new Seeded(`${seed}:connection`);
    this.#log = emptyLog();
    for (const { name } of this.#doors) this.#log.carried[name] = { up: nothingCarried(), down: nothingCarried() };
  }

  read(): LineLog {
    return this.#log;
  }

  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    for (const connection of this.#connections) destroy(connection);
    await Promise.all(
      this.#doors.map(async ({ server }) => {
        server.close();
        await once(server, "close");
      }),
    );
  }

  #accept(door: Door, socket: Socket): void {
    if (!door.target) {
      socket.destroy();
      return;
    }
    const upstream = connect({ ...door.target, allowHalfOpen: true, noDelay: true });
    const roundTrips = door.isSecure ? TCP_ROUND_TRIPS : HANDSHAKE_ROUND_TRIPS;
    const readyAt = clock() + roundTrips * this.#shape.roundTripMs;
    const connection = { door } as Connection;
    connection.flows = {
      up: this.#flow("up", connection, socket, upstream, readyAt),
      down: this.#flow("down", connection, upstream, socket, readyAt),
    };
    this.#connections.add(connection);
    for (const end of [socket, upstream]) {
      end.on("error", () => {
        destroy(connection);
      });
      end.on("close", () => {
        // After an orderly end, the other end learns of it behind the last bytes; after an error, at once.
        if (end.errored || !(socket.readableEnded && upstream.readableEnded)) destroy(connection);
        this.#connections.delete(connection);
      });
    }
  }

  #flow(direction: Direction, connection: Connection, from: Socket, to: Socket, blockedUntil: number): Flow {
    const flow: Flow = {
      direction,
      connection,
      from,
      to,
      waiting: [],
      waitingBytes: 0,
      inFlightBytes: 0,
      hasEnded: false,
      blockedUntil,
      burstBytes: 0,
      burstFrom: 0,
      lastSentAt: 0,
    };
    from.on("data", (bytes: Buffer) => {
      flow.waiting.push(bytes);
      flow.waitingBytes += bytes.length;
      if (flow.waitingBytes >= this.#readAheadBytes()) from.pause();
      this.#wake();
    });
    from.on("end", () => {
      flow.hasEnded = true;
      this.#links[direction].add(flow);
      this.#wake();
    });
    this.#links[direction].add(flow);
    return flow;
  }

  #readAheadBytes(): number {
    return Math.max(MIN_READ_AHEAD_BYTES, this.#rate() * READ_AHEAD_MS);
  }

  /** The present rate of the line, in bytes a millisecond. */
  #rate(): number {
    const { beganAt } = this.#log;
    const elapsedMs = beganAt === null ? 0 : clock() - beganAt;
    return bytesPerSecond(rateAt(this.#shape, elapsedMs)) / SECOND_MS;
  }

  #wake(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#tick();
    }, TICK_MS);
  }

  #tick(): void {
    const now = clock();
    if (this.#isAsleep) for (const link of Object.values(this.#links)) link.freeAt = Math.max(link.freeAt, now);
    this.#isAsleep = false;
    this.#break(now);
    if (now < this.#outUntil) {
      for (const link of Object.values(this.#links)) link.freeAt = link.tickedAt = now;
      this.#wake();
      return;
    }
    this.#acks = this.#acks.filter((ack) => {
      if (ack.at > now) return true;
      ack.flow.inFlightBytes -= ack.bytes;
      return false;
    });
    for (const link of Object.values(this.#links)) {
      this.#deliver(link, now);
      this.#send(link, now);
      link.tickedAt = now;
    }
    const isBusy =
      this.#acks.length > 0 ||
      Object.values(this.#links).some((link) => link.onTheWay.length > 0 || link.flows.some(wants)) ||
      (this.#planned.length > 0 && this.#connections.size > 0);
    if (isBusy) this.#wake();
    else this.#isAsleep = true;
  }

  /** Puts pieces on the line, one connection after the other. */
  #send(link: Link, now: number): void {
    const rate = this.#rate();
    const sliceBytes = Math.min(MAX_SLICE_BYTES, Math.max(MIN_SLICE_BYTES, Math.round(rate * SLICE_MS)));
    while (link.freeAt <= now) {
      const flow = link.next((candidate) => this.#maySend(candidate, now));
      if (flow === null) {
        // Time in which no bytes waited is lost; time that passed because a tick came late is made up for.
        link.freeAt = Math.max(link.freeAt, link.tickedAt);
        return;
      }
      if (flow.waitingBytes === 0) {
        link.remove(flow);
        link.onTheWay.push({ flow, bytes: null, at: now + this.#shape.roundTripMs / 2 });
        continue;
      }
      const bytes = takeFrom(flow, sliceBytes);
      if (flow.waitingBytes < this.#readAheadBytes()) flow.from.resume();
      link.freeAt += bytes.length / rate;
      flow.inFlightBytes += bytes.length;
      link.onTheWay.push({ flow, bytes, at: Math.max(now, link.freeAt) + this.#shape.roundTripMs / 2 });
      this.#note(flow, bytes.length, now);
    }
  }

  #maySend(flow: Flow, now: number): boolean {
    if (now < flow.blockedUntil) return false;
    if (flow.waitingBytes === 0) return flow.hasEnded;
    return flow.inFlightBytes < this.#shape.windowBytes;
  }

  #deliver(link: Link, now: number): void {
    let arrived = 0;
    for (const { flow, bytes, at } of link.onTheWay) {
      if (at > now) break;
      arrived += 1;
      if (bytes === null) {
        flow.to.end();
        continue;
      }
      flow.to.write(bytes, () => {
        this.#acks.push({ flow, bytes: bytes.length, at: clock() + this.#shape.roundTripMs / 2 });
        this.#wake();
      });
    }
    link.onTheWay.splice(0, arrived);
  }

  #note(flow: Flow, length: number, now: number): void {
    const { direction, connection } = flow;
    const { door } = connection;
    // While a stream of HTTP/2 sends its body, answers to other streams pass. Over HTTP/2 only full pieces count as a
    // body.
    if (!door.isSecure) connection.flows[direction === "up" ? "down" : "up"].burstBytes = 0;
    else if (length < MIN_SLICE_BYTES) return;
    if (flow.burstBytes === 0) flow.burstFrom = now;
    const before = flow.burstBytes;
    flow.burstBytes += length;
    flow.lastSentAt = now;
    const carried = this.#log.carried[door.name]?.[direction];
    if (!carried) return;
    const bin = Math.floor(now / BIN_MS);
    const last = carried.bins.at(-1);
    if (last?.[0] === bin) last[1] += length;
    else carried.bins.push([bin, length]);
    const from = door.isSecure ? 0 : BODY_FROM_BYTES[direction];
    if (flow.burstBytes < from) return;
    carried.bodyBytes += before < from ? flow.burstBytes : length;
    carried.firstAt ??= flow.burstFrom;
    carried.lastAt = now;
    this.#log.beganAt ??= flow.burstFrom;
  }

  /** Lets the planned faults happen. */
  #break(now: number): void {
    const { beganAt } = this.#log;
    const next = this.#planned[0];
    if (!next || beganAt === null || now < beganAt + next.atMs) return;
    if (next.kind === "outage") {
      this.#outUntil = now + next.lastsMs;
    } else {
      const flows = this.#midBody(now);
      const flow = flows[this.#random.between(0, Math.max(0, flows.length - 1))];
      // Between two bodies there is nothing to break: the fault waits for the next one.
      if (!flow) return;
      if (next.kind === "resets") reset(flow.connection);
      else for (const one of Object.values(flow.connection.flows)) one.blockedUntil = now + next.lastsMs;
    }
    this.#planned.shift();
    this.#log.faults.push({ ...next, atMs: now - beganAt });
  }

  #midBody(now: number): Flow[] {
    return [...this.#connections]
      .flatMap(({ flows }) => [flows.up, flows.down])
      .filter(({ burstBytes, lastSentAt }) => burstBytes >= MID_BODY_BYTES && now - lastSentAt < SECOND_MS);
  }
}

/** Milliseconds of the machine's clock, with fractions: comparable between processes. */
function clock(): number {
  return performance.timeOrigin + performance.now();
}
