import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

/** The version of Stripe's API. Not read from the package, so that a package with another version is a fault. */
export const API_VERSION = "2026-10-28.endive";

/** An error in Stripe's format. A fault is a request that a correct client never sends. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: { error: { type: string; message: string; code?: string; param?: string } };
  readonly isFault: boolean;

  constructor(status: number, message: string, more: { code?: string; param?: string; isFault?: boolean } = {}) {
    super(message);
    const { isFault = false, ...rest } = more;
    this.status = status;
    this.body = { error: { type: "invalid_request_error", message, ...rest } };
    this.isFault = isFault;
  }
}

/** @returns Stripe's error for an unknown object */
export function missing(kind: string, id: string, param = "id", status = 404): Refusal {
  return new Refusal(status, `No such ${kind}: '${id}'`, { code: "resource_missing", param });
}

export interface ApiRequest {
  method: string;
  path: string;
  /** Form or query parameters by their whole names, such as `line_items[0][price]`. */
  params: Map<string, string>;
  idempotencyKey: string | null;
  /** Method, path, query and body as one text, which `Disturbances` searches. */
  raw: string;
}

/**
 * Reads a request to the API.
 * @throws Refusal with a fault for wrong credentials, version or format
 */
export async function readRequest(request: IncomingMessage, secretKey: string): Promise<ApiRequest> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const method = request.method ?? "GET";
  const body = await text(request);
  const fault = (status: number, message: string) => new Refusal(status, message, { isFault: true });
  if (request.headers.authorization !== `Bearer ${secretKey}`) throw fault(401, "Invalid API Key provided");
  const version = request.headers["stripe-version"];
  if (version !== API_VERSION) throw fault(400, `Invalid Stripe API version: ${String(version)}`);
  const idempotencyKey = request.headers["idempotency-key"];
  if (method === "POST") {
    const type = request.headers["content-type"] ?? "";
    if (!type.startsWith("application/x-www-form-urlencoded")) throw fault(400, `Invalid content type: ${type}`);
    if (typeof idempotencyKey !== "string") throw fault(400, "A retry of this request would not be known as one.");
  } else if (body !== "") throw fault(400, `${method} takes no body`);
  const params = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(method === "POST" ? body : url.search)) {
    if (params.has(name)) throw fault(400, `Duplicate parameter: ${name}`);
    params.set(name, value);
  }
  if (method === "POST" && url.search !== "") throw fault(400, "POST takes no query");
  const key = typeof idempotencyKey === "string" ? idempotencyKey : null;
  return {
    method,
    path: url.pathname,
    params,
    idempotencyKey: key,
    raw: `${method} ${url.pathname} ${url.search} ${body}`,
  };
}

/** A call's parameters: name and allowed values. In a name, `#` is any index and `*` any key of the caller's. */
export type Shape = Record<string, { required?: true; is: RegExp }>;

/** @throws Refusal with a fault for a parameter that is unknown, missing or invalid */
export function checkShape({ params }: ApiRequest, shape: Shape): void {
  for (const [name, value] of params) {
    const pattern = name
      .replace(/\[\d+\]/g, "[#]")
      .replace(/metadata\]?\[[^\]]+\]$/, (end) => end.replace(/\[[^[\]]+\]$/, "[*]"));
    const rule = shape[pattern];
    if (!rule) throw new Refusal(400, `Received unknown parameter: ${name}`, { param: name, isFault: true });
    if (!rule.is.test(value)) throw new Refusal(400, `Invalid ${name}: ${value}`, { param: name, isFault: true });
  }
  for (const [name, rule] of Object.entries(shape)) {
    if (!rule.required) continue;
    if (!params.has(name.replaceAll("[#]", "[0]"))) {
      throw new Refusal(400, `Missing required param: ${name}.`, { param: name, isFault: true });
    }
  }
}

/** The parameters `<prefix>[…]`. */
export function metadataOf(params: Map<string, string>, prefix = "metadata"): Record<string, string> {
  const found = [...params].filter(([name]) => name.startsWith(`${prefix}[`));
  return Object.fromEntries(found.map(([name, value]) => [name.slice(prefix.length + 1, -1), value]));
}

/** The values of a list parameter: `name[0]`, `name[1]`, … */
export function listOf(params: Map<string, string>, name: string): string[] {
  return [...params].filter(([key]) => new RegExp(`^${name}\\[\\d+\\]$`).test(key)).map(([, value]) => value);
}
