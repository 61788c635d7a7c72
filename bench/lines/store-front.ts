import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { corsRule } from "#worker/storage/bucket-rules.ts";

/**
 * Answers preflights as R2 does with the deployment's rule, and forwards the rest to the local store with CORS headers:
 * the local store stands on the app's origin and knows none.
 * @param target port of the local system
 * @returns its port
 */
export async function openStoreFront(target: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((request, response) => {
    const { origin } = request.headers;
    if (request.method === "OPTIONS") preflight(origin ?? "", response);
    else forward(request, response, { agent, target, origin });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function preflight(origin: string, response: ServerResponse): void {
  const { methods, headers, maxAgeSeconds } = corsRule(origin);
  response
    .writeHead(204, {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": headers.join(", "),
      "access-control-max-age": String(maxAgeSeconds),
    })
    .end();
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { agent, target, origin }: { agent: Agent; target: number; origin: string | undefined },
): void {
  const { method, url: path, headers } = request;
  const upstream = httpRequest({ agent, host: "127.0.0.1", port: target, method, path, headers }, (answer) => {
    const cors =
      origin === undefined
        ? {}
        : {
            "access-control-allow-origin": origin,
            "access-control-expose-headers": corsRule(origin).exposeHeaders.join(", "),
          };
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...cors });
    answer.pipe(response);
    answer.on("error", () => response.destroy());
  });
  upstream.on("error", () => response.destroy());
  response.on("close", () => {
    if (!response.writableFinished) upstream.destroy();
  });
  request.pipe(upstream);
}
