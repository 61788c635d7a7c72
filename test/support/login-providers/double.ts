import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import * as z from "zod/mini";
import { fromBase64url, toBase64url } from "#domain/bytes-as-text.ts";

/** Providers that say whatever a test wants: the code that the test sends back is what they answer. */
export interface ProvidersDouble {
  /** Without a trailing slash. `/openid` is an OpenID provider; the root is a GitHub Enterprise Server. */
  origin: string;
  close(): Promise<void>;
}

export async function startProvidersDouble(): Promise<ProvidersDouble> {
  let origin = "";
  const server = createServer((request, response) => {
    void answer(request, response, origin);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, origin: string): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", origin);
  const body = new URLSearchParams(await text(request));
  const bearer = (request.headers.authorization ?? "").replace(/^Bearer /, "");
  const send = (json: unknown, status = 200) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  };
  switch (pathname) {
    case "/openid/.well-known/openid-configuration":
      send({
        issuer: `${origin}/openid`,
        authorization_endpoint: `${origin}/openid/authorize`,
        token_endpoint: `${origin}/openid/token`,
        jwks_uri: `${origin}/openid/keys`,
        authorization_response_iss_parameter_supported: true,
      });
      return;
    case "/openid/keys":
      send({ keys: [{ ...publicKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid: KEY_ID }] });
      return;
    case "/openid/token":
      if (!isGrant(body)) send({ error: "invalid_request" }, 400);
      else send({ access_token: "unused", token_type: "bearer", id_token: idToken(body.get("code") ?? "") });
      return;
    case "/login/oauth/access_token":
      // GitHub answers 200 for a code that it does not know.
      if (!isGrant(body)) send({ error: "bad_verification_code" });
      else send({ access_token: body.get("code"), token_type: "bearer", scope: "user:email" });
      return;
    case "/api/v3/user":
      send({ login: "somebody", id: readCode(bearer).id });
      return;
    case "/api/v3/user/emails":
      send(readCode(bearer).emails);
      return;
    default:
      send({}, 404);
  }
}

function isGrant(body: URLSearchParams): boolean {
  return body.get("code_verifier")?.length === 43 && body.get("redirect_uri") !== null && body.get("code") !== "wrong";
}

const KEY_ID = "the only key";
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** Nobody publishes its other half. */
const { privateKey: foreignKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** @param code the claims; with `forged: true` among them, another key has signed them */
function idToken(code: string): string {
  const header = toBase64url(encode(JSON.stringify({ alg: "RS256", kid: KEY_ID })));
  const key = readCode(code).forged === true ? foreignKey : privateKey;
  return `${header}.${code}.${toBase64url(sign("sha256", encode(`${header}.${code}`), key))}`;
}

function encode(words: string): Uint8Array {
  return new TextEncoder().encode(words);
}

function readCode(code: string): Record<string, unknown> {
  const bytes = fromBase64url(code);
  if (!bytes) return {};
  return z.record(z.string(), z.unknown()).parse(JSON.parse(new TextDecoder().decode(bytes)));
}
