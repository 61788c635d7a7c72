import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import * as z from "zod/mini";
import { newAccount, Refusal, type Account } from "./account.ts";
import type { Call } from "./handler.ts";
import { QUEUES } from "./queues.ts";
import { STORAGE } from "./storage.ts";
import { WORKERS } from "./workers.ts";
import { ZONE } from "./zone.ts";

export interface CloudflareDouble {
  account: Account;
  /** For CLOUDFLARE_API_BASE_URL. */
  apiUrl: string;
  /** For S3_ENDPOINT. */
  s3Url: string;
  /** Where the files of the deployed Worker are served. Its code does not run. */
  siteUrl: string;
  /** The calls, oldest first, as `METHOD /path` with the path below the account. */
  calls: string[];
  /** Requests that a correct client never sends. */
  faults: string[];
  /** The call whose connection is cut, written as in `calls` with `:id`; null for none. */
  cut: string | null;
  /** The call that is carried out, and whose answer is lost; written like `cut`. */
  lost: string | null;
  close(): Promise<void>;
}

const SITE = "/site";

const HANDLERS = { ...STORAGE, ...QUEUES, ...WORKERS, ...ZONE };

/**
 * A double of Cloudflare's API over HTTP: the calls that wrangler makes for a deployment, with their state. Rejects what
 * Cloudflare rejects, with its codes. A request that a correct client never sends is also a fault.
 * @param token the only valid API token
 */
export async function startCloudflareDouble(token: string): Promise<CloudflareDouble> {
  const account = newAccount();
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      const { status, code, message, isFault } =
        error instanceof Refusal ? error : new Refusal(500, 10013, String(error), true);
      if (isFault) double.faults.push(`${request.method ?? ""} ${request.url ?? ""}: ${message}`);
      send(response, status, { success: false, errors: [{ code, message }], messages: [], result: null });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const double: CloudflareDouble = {
    account,
    calls: [],
    faults: [],
    cut: null,
    lost: null,
    apiUrl: `${origin}/client/v4`,
    s3Url: `${origin}/s3`,
    siteUrl: origin + SITE,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const url = new URL(request.url ?? "/", double.apiUrl);
    const path = url.pathname.replace("/client/v4", "");
    if (path.startsWith(SITE)) {
      const file = findFile(account, path.slice(SITE.length));
      response.writeHead(file ? 200 : 404).end(file);
      return;
    }
    if (path.startsWith("/s3/")) {
      response.writeHead(opensBucket(account, path, request.headers.authorization) ? 200 : 403).end();
      return;
    }
    const isUpload = path.endsWith("/workers/assets/upload");
    if (request.headers.authorization !== `Bearer ${isUpload ? "assets-session" : token}`) refuseToken(path);
    const whose = aboutToken(account, path);
    if (whose) {
      send(response, 200, success(whose));
      return;
    }
    const inside = path.replace(`/accounts/${account.id}`, "");
    if (inside === path && !path.startsWith("/zones"))
      throw new Refusal(403, 9109, "Unauthorized to access requested resource", true);
    const { name, id } = routeOf(request.method ?? "GET", inside);
    double.calls.push(name);
    if (name === double.cut) {
      response.destroy();
      return;
    }
    const handler = HANDLERS[name];
    if (!handler) throw new Refusal(404, 7003, `Could not route to ${inside}`, true);
    const result = await handler({ account, id, query: url.searchParams, ...reading(request, body) });
    if (name === double.lost) response.destroy();
    else send(response, 200, success(result));
  }
  return double;
}

/** The only key pair that opens a bucket over S3. The double does not check the signature. */
export const STORAGE_KEYS = { accessKeyId: "access-key-id", secretAccessKey: "secret-access-key" };

function opensBucket(account: Account, path: string, authorization = ""): boolean {
  const isKnown = account.buckets.has(path.slice("/s3/".length));
  return isKnown && authorization.startsWith(`AWS4-HMAC-SHA256 Credential=${STORAGE_KEYS.accessKeyId}/`);
}

/** The file that the Worker of the account serves at a path. */
function findFile({ workers, assets }: Account, path: string): Uint8Array | undefined {
  const [worker] = workers.values();
  return assets.get(worker?.files[path] ?? "");
}

/** The API's errors for an unknown token. */
function refuseToken(path: string): never {
  if (path === "/user/tokens/verify") throw new Refusal(401, 1000, "Invalid API Token");
  throw new Refusal(401, 10000, "Authentication error");
}

/** The answers about the token and its account; null for another path. */
function aboutToken(account: Account, path: string): object | null {
  const whose = { id: account.id, name: "An account" };
  if (path === "/user/tokens/verify") return { id: "token", status: "active" };
  if (path === "/user") return { id: "user", email: "somebody@example.com" };
  if (path === "/accounts") return [whose];
  return path === "/memberships" ? [{ id: "membership", account: whose }] : null;
}

function reading({ headers }: IncomingMessage, body: Buffer): Pick<Call, "json" | "form" | "jurisdiction"> {
  const type = headers["content-type"] ?? "";
  return {
    jurisdiction: headers["cf-r2-jurisdiction"]?.toString(),
    json: (shape) => {
      // Some of wrangler's calls set no type; fetch then sends a string as text/plain.
      const isJson = /^(application\/(merge-patch\+)?json|text\/plain)/.test(type);
      const parsed = shape.safeParse(isJson ? JSON.parse(body.toString()) : undefined);
      if (!parsed.success) throw new Refusal(400, 10026, `${type}: ${z.prettifyError(parsed.error)}`, true);
      return parsed.data;
    },
    form: () => new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData(),
  };
}

/** The call's name in HANDLERS, and the id in its path. A literal path goes before one with an id. */
function routeOf(method: string, path: string): { name: string; id: string } {
  const routes = Object.keys(HANDLERS).sort((a, b) => Number(a.includes(":id")) - Number(b.includes(":id")));
  for (const name of routes) {
    const [verb = "", pattern = ""] = name.split(" ");
    const match = new RegExp(`^${pattern.replace(":id", "([\\w-]+)")}$`).exec(path);
    if (verb === method && match) return { name, id: match[1] ?? "" };
  }
  return { name: `${method} ${path}`, id: "" };
}

function success(result: unknown): object {
  const paging = Array.isArray(result)
    ? { result_info: { page: 1, per_page: 50, count: result.length, total_pages: 1 } }
    : {};
  return { success: true, errors: [], messages: [], result, ...paging };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
