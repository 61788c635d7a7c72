import { EventEmitter, once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo, Socket } from "node:net";

type Fate = "passes" | "breaks" | "is held" | "is refused";

/** The proxy of a network, which treats requests as told. */
export interface Proxy {
  address: string;
  /** Method and address of each request so far. */
  asked: string[];
  /** What becomes of a request from now on. A held one gets no answer until its program ends. */
  fateOf(method: string, url: string): Fate;
  /** The connections of held requests break. */
  breakHeld(): void;
  /** Waits for a request that is held. */
  untilHeld(): Promise<void>;
  close(): Promise<void>;
}

/** Whether the request sends a part straight to storage. */
export function isPartToStorage(method: string, url: string): boolean {
  return method === "PUT" && url.includes("X-Amz-Signature");
}

export async function openProxy(): Promise<Proxy> {
  const events = new EventEmitter();
  const held: Socket[] = [];
  const server = createServer((request, response) => {
    const { method = "GET", url = "", headers } = request;
    proxy.asked.push(`${method} ${url}`);
    const fate = proxy.fateOf(method, url);
    if (fate === "breaks") request.socket.destroy();
    if (fate === "is refused") response.writeHead(404).end();
    if (fate === "is held") {
      held.push(request.socket);
      events.emit("held");
    }
    if (fate !== "passes") return;
    const upstream = forward(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    upstream.on("error", () => response.destroy());
    response.on("close", () => upstream.destroy());
    request.pipe(upstream);
  });
  server.on("connect", ({ url }, socket) => {
    proxy.asked.push(`CONNECT ${url ?? ""}`);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  server.listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const proxy: Proxy = {
    address: `http://localhost:${port}`,
    asked: [],
    fateOf: () => "passes",
    breakHeld: () => {
      for (const socket of held.splice(0)) socket.destroy();
    },
    untilHeld: async () => {
      await once(events, "held");
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}
