import { execFileSync } from "node:child_process";
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { AwsV4Signer } from "aws4fetch";
import { MIB } from "#domain/units.ts";
import { corsRule } from "#worker/storage/bucket-rules.ts";

/** A key and a certificate in PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

/** The path at which wrangler serves the bucket. */
const LOCAL_STORE = "/cdn-cgi/local/r2/s3";
/** The keys in wrangler.toml, which are for the local store only. */
const KEYS = {
  accessKeyId: "mayfly-local",
  secretAccessKey: "mayfly-local-secret",
  service: "s3",
  region: "auto",
};

/** The window of a stream and of a connection, larger than any window of a line, so that the line decides. */
const HTTP2_WINDOW_BYTES = 64 * MIB;
/** Headers that HTTP/2 forbids: https://www.rfc-editor.org/rfc/rfc9113#section-8.2.2 */
const ONLY_IN_HTTP1 = ["connection", "keep-alive", "transfer-encoding"];

/** Makes a certificate for localhost that is valid for a day. Needs openssl. */
export function makeCertificate(): Certificate {
  const options =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -keyout - -out - -subj /CN=localhost " +
    "-addext subjectAltName=DNS:localhost,DNS:*.localhost";
  const pem = execFileSync("openssl", options.split(" "), { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [key = "", cert = ""] = pem.split(/(?=-----BEGIN CERTIFICATE)/);
  return { key, cert };
}

/**
 * Starts a server that answers preflights as R2 does with the deployment's CORS rule, and that forwards other requests
 * to the local store and adds CORS headers. The local store has the app's origin, so it knows no CORS. With a
 * certificate the server has two addresses as R2 has, and signs requests to them anew for the address of the local
 * store.
 * @param target port of the local system
 * @param certificate for HTTP/2; null for HTTP/1.1
 * @returns the server's port
 */
export async function openStoreFront(target: number, certificate: Certificate | null): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { origin } = request.headers;
    if (request.method === "OPTIONS") preflight(origin ?? "", response);
    else void forward(request, response, { agent, target, origin });
  };
  const server = certificate ? http2Server(certificate, answer) : createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function http2Server(certificate: Certificate, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const settings = { initialWindowSize: HTTP2_WINDOW_BYTES };
  const server = createSecureServer({ ...certificate, settings }, (request, response) => {
    request.headers.host = request.authority;
    // Node's API for HTTP/1.1 and for HTTP/2 is the same as far as it is used here.
    const both = (one: Http2ServerRequest | Http2ServerResponse): unknown => one;
    answer(both(request) as IncomingMessage, both(response) as ServerResponse);
  });
  server.on("session", (session) => {
    session.setLocalWindowSize(HTTP2_WINDOW_BYTES);
  });
  return server;
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

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { agent, target, origin }: { agent: Agent; target: number; origin: string | undefined },
): Promise<void> {
  const { method } = request;
  const { path, host } = await addressInStore(request, target);
  const headers = { ...pick(request.headers, (name) => !name.startsWith(":")), host };
  const upstream = httpRequest({ agent, host: "127.0.0.1", port: target, method, path, headers }, (answer) => {
    const cors =
      origin === undefined
        ? {}
        : {
            "access-control-allow-origin": origin,
            "access-control-expose-headers": corsRule(origin).exposeHeaders.join(", "),
          };
    const passed = pick(answer.headers, (name) => request.httpVersionMajor === 1 || !ONLY_IN_HTTP1.includes(name));
    response.writeHead(answer.statusCode ?? 502, { ...passed, ...cors });
    answer.pipe(response);
    answer.on("error", () => response.destroy());
  });
  upstream.on("error", () => response.destroy());
  response.on("close", () => {
    if (!response.writableFinished) upstream.destroy();
  });
  request.pipe(upstream);
}

/** @returns path and host as the local store wants them signed */
async function addressInStore(request: IncomingMessage, target: number): Promise<{ path: string; host: string }> {
  const { method = "GET", url = "/", headers } = request;
  const host = headers.host ?? "";
  if (url.startsWith(LOCAL_STORE)) return { path: url, host };
  const { pathname, searchParams } = new URL(url, `https://${host}`);
  const local = new URL(`http://localhost:${target}${LOCAL_STORE}`);
  local.pathname += host.startsWith("localhost") ? pathname : `/${host.split(".")[0] ?? ""}${pathname}`;
  for (const [name, value] of searchParams) if (!name.startsWith("X-Amz-")) local.searchParams.set(name, value);
  const signed = await new AwsV4Signer({ ...KEYS, method, url: local.href, signQuery: true }).sign();
  return { path: signed.url.pathname + signed.url.search, host: signed.url.host };
}

type Headers = IncomingMessage["headers"];

function pick(headers: Headers, isPassed: (name: string) => boolean): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isPassed(name)));
}
