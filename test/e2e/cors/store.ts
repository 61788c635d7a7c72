import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { AwsV4Signer } from "aws4fetch";

/**
 * R2's CORS behaviour in front of the local store, on its own origin: answers preflights by the bucket's rules, adds CORS
 * headers to responses that match a rule, and accepts PutBucketCors. Forwards all other requests, signed again for the
 * other host. Listens on STORE_PORT; APP_PORT is the local server with the real store.
 */
const { STORE_PORT = "", APP_PORT = "" } = process.env;
const upstream = `http://localhost:${APP_PORT}/cdn-cgi/local/r2/s3`;
const credentials = { accessKeyId: "mayfly-local", secretAccessKey: "mayfly-local-secret" };

interface Rule {
  origins: string[];
  methods: string[];
  headers: string[];
  expose: string[];
  maxAgeSeconds: number;
}
let rules: Rule[] = [];
/** Rejects PutBucketCors, as R2 does for a key without that permission. */
let locked = false;
/** Accepts new rules but keeps the old ones, as R2 does for up to a minute. */
let slow = false;

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.writeHead(502).end(String(error));
  });
}).listen(Number(STORE_PORT));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", `http://localhost:${STORE_PORT}`);
  const { origin } = request.headers;
  if (url.pathname === "/control") {
    const state = JSON.parse(await text(request)) as { rules: Rule[]; locked?: boolean; slow?: boolean };
    ({ rules, locked = false, slow = false } = state);
    response.end();
  } else if (url.pathname === "/rules") {
    response.end(JSON.stringify(rules));
  } else if (url.searchParams.has("cors")) {
    await putCors(request, response);
  } else if (request.method === "OPTIONS") {
    preflight(request, response);
  } else {
    await forward(request, response, url, origin);
  }
}

async function putCors(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const signed = request.headers.authorization?.startsWith(`AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/`);
  if (locked || !signed) {
    response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
    return;
  }
  const xml = await text(request);
  const valuesOf = (tag: string) =>
    [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, "g"))].map(([, value = ""]) => value);
  const newRules = [
    {
      origins: valuesOf("AllowedOrigin"),
      methods: valuesOf("AllowedMethod"),
      headers: valuesOf("AllowedHeader"),
      expose: valuesOf("ExposeHeader"),
      maxAgeSeconds: Number(valuesOf("MaxAgeSeconds")[0]),
    },
  ];
  if (!slow) rules = newRules;
  response.end();
}

function preflight(request: IncomingMessage, response: ServerResponse): void {
  const method = request.headers["access-control-request-method"] ?? "";
  const requestedHeaders = (request.headers["access-control-request-headers"] ?? "")
    .split(",")
    .map((name) => name.trim());
  const rule = ruleFor(request.headers.origin, method);
  if (!rule || requestedHeaders.some((name) => name !== "" && !rule.headers.includes(name))) {
    response.writeHead(403).end();
    return;
  }
  response
    .writeHead(204, {
      "access-control-allow-origin": request.headers.origin ?? "",
      "access-control-allow-methods": rule.methods.join(", "),
      "access-control-allow-headers": rule.headers.join(", "),
      "access-control-max-age": String(rule.maxAgeSeconds),
    })
    .end();
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  origin: string | undefined,
): Promise<void> {
  const target = new URL(upstream + url.pathname);
  for (const name of ["partNumber", "uploadId"]) {
    const value = url.searchParams.get(name);
    if (value !== null) target.searchParams.set(name, value);
  }
  const method = request.method ?? "GET";
  const headers = new Headers();
  for (const name of ["content-type", "content-length"]) {
    const value = request.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  const signed = await new AwsV4Signer({
    ...credentials,
    url: target.toString(),
    method,
    signQuery: true,
    service: "s3",
    region: "auto",
  }).sign();
  const body = method === "PUT" ? Readable.toWeb(request) : null;
  const storeResponse = await fetch(signed.url, {
    method,
    headers,
    body: body as BodyInit | null,
    duplex: "half",
  } as RequestInit);
  const rule = ruleFor(origin, method);
  const etag = storeResponse.headers.get("etag");
  response.writeHead(storeResponse.status, {
    ...(etag === null ? {} : { etag }),
    ...(rule
      ? { "access-control-allow-origin": origin ?? "", "access-control-expose-headers": rule.expose.join(", ") }
      : {}),
  });
  response.end(new Uint8Array(await storeResponse.arrayBuffer()));
}

function ruleFor(origin: string | undefined, method: string): Rule | undefined {
  return rules.find((rule) => origin !== undefined && rule.origins.includes(origin) && rule.methods.includes(method));
}
