import { request as requestHttp, Agent as HttpAgent, type ClientRequest, type RequestOptions } from "node:http";
import { request as requestHttps, Agent as HttpsAgent } from "node:https";
import { Readable } from "node:stream";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { CLI_VERSION } from "#domain/cli-package.ts";
import { KIB, MINUTE_MS } from "#domain/units.ts";

/** A connection that has sent and received nothing for this long counts as broken. */
const IDLE_MS = MINUTE_MS;
/** Cloudflare's Browser Integrity Check refuses requests without a user agent. */
const PROGRAM = { "user-agent": `${PRODUCT_NAME}-CLI/${CLI_VERSION}` };
const WITHOUT_BODY = new Set([204, 304]);
/** Progress is reported after each piece of this size. */
const PIECE_BYTES = 256 * KIB;

interface FetchInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  /** @param sentBytes the bytes of the body that are sent */
  onProgress?(sentBytes: number): void;
}

export type Fetch = (url: string, init?: FetchInit) => Promise<Response>;

// Node's own `fetch` uses a proxy only if the whole process was started with one.
const agents = {
  "http:": new HttpAgent({ keepAlive: true, proxyEnv: process.env }),
  "https:": new HttpsAgent({ keepAlive: true, proxyEnv: process.env }),
};

/** Begins a request through the proxy of `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`. @throws TypeError unless http(s) */
function startRequest(url: string, options: RequestOptions): ClientRequest {
  const { protocol } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") throw new TypeError(`${protocol} is no protocol of this program.`);
  const request = protocol === "http:" ? requestHttp : requestHttps;
  const sending = request(url, { ...options, agent: agents[protocol] });
  sending.setTimeout(IDLE_MS, () => sending.destroy(new Error("nothing came for a minute")));
  return sending;
}

/**
 * A `fetch` that uses the proxy of the environment, follows no redirect, and sends a body with a fixed length, which
 * storage demands. @throws TypeError when the server does not answer; the signal's reason
 */
export const fetchDirectly: Fetch = (url, { method = "GET", headers = {}, body, signal, onProgress } = {}) =>
  new Promise((resolve, reject) => {
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    const length = bytes && { "content-length": bytes.length };
    const sending = startRequest(url, {
      method,
      headers: { ...PROGRAM, ...headers, ...length },
      ...(signal && { signal }),
    });
    sending.on("response", (incoming) => {
      const { statusCode: status = 0, headersDistinct } = incoming;
      const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      if (WITHOUT_BODY.has(status)) incoming.resume();
      // Node's `ReadableStream` and the global type are the same class, declared twice.
      const answer = WITHOUT_BODY.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream);
      resolve(new Response(answer, { status, headers: pairs }));
    });
    // A server that refuses a body early closes the connection after it has sent a response, which gives the reason.
    const fail = (error?: Error) =>
      reject(signal?.aborted ? asError(signal.reason) : new TypeError("fetch failed", { cause: error }));
    sending.on("error", fail);
    sending.on("close", fail);
    if (bytes && onProgress) sendPieces(sending, bytes, onProgress);
    else sending.end(bytes);
  });

function sendPieces(
  sending: ClientRequest,
  bytes: Uint8Array,
  onProgress: (sentBytes: number) => void,
  from = 0,
): void {
  if (from >= bytes.length) {
    sending.end();
    return;
  }
  const to = Math.min(bytes.length, from + PIECE_BYTES);
  sending.write(bytes.subarray(from, to), (error) => {
    // The request's "error" event reports the same error.
    if (error) return;
    onProgress(to);
    sendPieces(sending, bytes, onProgress, to);
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException("Aborted", "AbortError");
}
