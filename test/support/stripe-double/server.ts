import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { HANDLERS } from "./api.ts";
import { control, type Controlled } from "./control.ts";
import { Deliveries } from "./deliveries.ts";
import { Disturbances } from "./disturbances.ts";
import { Ledger } from "./ledger.ts";
import { answerPage } from "./pages.ts";
import { checkShape, readRequest, Refusal, type ApiRequest } from "./request.ts";
import { SHAPES } from "./shapes.ts";

export interface StripeDouble extends Controlled {
  origin: string;
  close(): Promise<void>;
}

export interface DoubleOptions {
  port: number;
  secretKey: string;
  webhookSecret: string;
  /** Whether events are delivered to the webhook endpoints. */
  delivers: boolean;
}

/**
 * A double of Stripe's servers over HTTP: the calls that this project makes, with their state. Rejects what Stripe rejects,
 * with Stripe's messages. A request that a correct client never sends is also a fault.
 */
export async function startStripeDouble(options: DoubleOptions): Promise<StripeDouble> {
  const ledger = new Ledger(options.webhookSecret);
  const controlled: Controlled = {
    ledger,
    deliveries: options.delivers ? new Deliveries(ledger, options.webhookSecret) : null,
    disturbances: new Disturbances(),
    faults: [],
    webhookSecret: options.webhookSecret,
  };
  const answered = new Map<string, { raw: string; answer: Promise<object> }>();
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      const status = error instanceof Refusal ? error.status : 500;
      const body = error instanceof Refusal ? error.body : { error: { type: "api_error", message: String(error) } };
      if (!(error instanceof Refusal) || error.isFault) {
        controlled.faults.push(`${request.method ?? ""} ${request.url ?? ""}: ${String(error)}`);
      }
      send(response, status, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port, resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", origin);
    if (pathname.startsWith("/v1/")) {
      await speakApi(await readRequest(request, options.secretKey), response);
    } else if (pathname.startsWith("/control/")) {
      const order = (await text(request)) || "{}";
      send(response, 200, await control(controlled, pathname.slice("/control/".length), JSON.parse(order) as object));
    } else if (pathname === "/") {
      send(response, 200, {});
    } else {
      const form = request.method === "POST" ? new URLSearchParams(await text(request)) : null;
      const answer = await answerPage(ledger, controlled.deliveries, pathname, form);
      if ("location" in answer) response.writeHead(303, { location: answer.location }).end();
      else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(answer.html);
    }
  }

  async function speakApi(request: ApiRequest, response: ServerResponse): Promise<void> {
    const { fails, answered: letGo } = controlled.disturbances.meet(request.raw);
    if (fails) {
      send(response, 500, { error: { type: "api_error", message: "An unknown error occurred" } });
      return;
    }
    const body = JSON.stringify(await once(request));
    await letGo;
    response.writeHead(200, { "content-type": "application/json", "request-id": "req_double" }).end(body);
  }

  /** A repeated idempotency key gets the first answer. */
  function once(request: ApiRequest): Promise<object> {
    const { idempotencyKey, raw } = request;
    if (idempotencyKey === null) return handle(request);
    const known = answered.get(idempotencyKey);
    if (known && known.raw !== raw) {
      throw new Refusal(400, "Keys for idempotent requests can only be used with the same parameters.", {
        isFault: true,
      });
    }
    if (known) return known.answer;
    const answer = handle(request);
    answered.set(idempotencyKey, { raw, answer });
    return answer;
  }

  function handle(request: ApiRequest): Promise<object> {
    const { name, id } = routeOf(request);
    const shape = SHAPES[name];
    const handler = HANDLERS[name];
    if (!shape || !handler) throw new Refusal(404, `Unrecognized request URL (${name}).`, { isFault: true });
    checkShape(request, shape);
    // A copy, so that later changes do not change a stored answer.
    return Promise.resolve(JSON.parse(JSON.stringify(handler(ledger, request, id, origin))) as object);
  }

  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  return { ...controlled, origin, close };
}

/** The call's name in SHAPES, and the id in its path. A literal path goes before one with an id. */
function routeOf({ method, path }: ApiRequest): { name: string; id: string } {
  const routes = Object.keys(SHAPES).sort((a, b) => Number(a.includes(":id")) - Number(b.includes(":id")));
  for (const name of routes) {
    const [verb = "", pattern = ""] = name.split(" ");
    const match = new RegExp(`^${pattern.replace(":id", "([\\w-]+)")}$`).exec(path);
    if (verb === method && match) return { name, id: match[1] ?? "" };
  }
  return { name: `${method} ${path}`, id: "" };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
