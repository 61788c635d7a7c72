import { once } from "node:events";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Addresses of bytes: those of pages, and that of programs. */
const BYTES = /\/content(\?follow=1)?$|\/links\/[\w-]+\/files\/\d+$/;

/** What happens to one answer. */
interface Fault {
  /** Happens before the request reaches the server. */
  before?: () => Promise<void>;
  /** The connection breaks after this many bytes. */
  cutAfter?: number;
  /** Nothing more is read or sent after this many bytes, and the connection stays. */
  stallAfter?: number;
  /** One bit of the byte at this place arrives changed. */
  flipAt?: number;
}

/** A line between a program and the server, which goes wrong as told. */
export interface BadLine {
  origin: string;
  /** `Range` of each request of bytes so far. */
  ranges: string[];
  /** One for each coming request of bytes; without any they arrive as they are. */
  faults: Fault[];
  close(): Promise<void>;
}

export async function openBadLine(target: string): Promise<BadLine> {
  const line = { ranges: [] as string[], faults: [] as Fault[] };
  const server = createServer((request, response) => {
    const isBytes = BYTES.test(request.url ?? "");
    if (isBytes) line.ranges.push(request.headers.range ?? "");
    const fault = isBytes ? (line.faults.shift() ?? {}) : {};
    const { before = () => Promise.resolve() } = fault;
    void before().then(() => {
      pass(target, request, response, fault);
    });
  });
  server.listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return Object.assign(line, {
    origin: `http://localhost:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}

function pass(target: string, request: IncomingMessage, response: ServerResponse, fault: Fault): void {
  const { host: _, ...headers } = request.headers;
  const upstream = forward(target + (request.url ?? ""), { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    let passed = 0;
    answer.on("data", (chunk: Uint8Array) => {
      const { cutAfter = Infinity, stallAfter = Infinity, flipAt = -1 } = fault;
      const place = flipAt - passed;
      const changed = place >= 0 && place < chunk.length ? chunk.with(place, (chunk[place] ?? 0) ^ 1) : chunk;
      const room = Math.min(cutAfter, stallAfter) - passed;
      passed += chunk.length;
      if (room > 0) response.write(changed.subarray(0, room));
      if (passed >= stallAfter) answer.pause();
      if (passed < cutAfter) return;
      answer.destroy();
      response.socket?.destroySoon();
    });
    answer.on("end", () => {
      response.end();
    });
    answer.on("error", () => response.destroy());
  });
  upstream.on("error", () => response.destroy());
  response.on("close", () => upstream.destroy());
  request.pipe(upstream);
}
