import type * as z from "zod/mini";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { CLI_VERSION } from "#domain/cli-package.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { V1_PATH } from "#domain/v1/call.ts";
import type { CallAnswer, V1_CALLS } from "#domain/v1/calls.ts";
import { ApiError, messageFromBody, parseObject } from "#engine/api-error.ts";
import { noteVersion } from "../newer-version.ts";
import { CALLS, type MadeCall } from "./calls.ts";
import type { Fetch } from "./fetch.ts";

type Input<Name extends MadeCall, Part extends string> =
  (typeof V1_CALLS)[Name] extends Record<Part, infer Schema extends z.ZodMiniType> ? z.input<Schema> : undefined;

interface CallOptions<Name extends MadeCall> {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | undefined>;
  body?: Input<Name, "body">;
  /** The idempotency key: a repeated start with the same key answers the same upload. */
  startKey?: string;
  /** Headers with the grant of an unlocked link, and with the lease of a taken download. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A client of `/api/v1`, with an API key or without one. */
export class V1 {
  readonly origin: string;
  /** Headers that are sent to our server, and never to storage. */
  readonly headers: Record<string, string>;
  readonly #fetch: Fetch;

  /** @param own headers that name the program; default: those of the command line */
  constructor(
    origin: string,
    key: string | null,
    fetch: Fetch,
    own: Record<string, string> = { [HEADER_NAMES.cli]: CLI_VERSION },
  ) {
    this.origin = origin;
    this.headers = { ...own, ...(key !== null && { authorization: `Bearer ${key}` }) };
    this.#fetch = fetch;
  }

  /** @throws ApiError; TypeError without an answer; Error for an answer that is not v1's; the signal's reason */
  async call<Name extends MadeCall>(name: Name, options: CallOptions<Name> = {}): Promise<CallAnswer<Name>> {
    const { body, startKey, headers, signal } = options;
    const call = CALLS[name];
    const { text } = await this.ask(this.addressOf(name, options), {
      method: call.method,
      headers: {
        ...headers,
        ...(startKey !== undefined && { "idempotency-key": startKey }),
        ...(body && { "content-type": "application/json" }),
      },
      body: body && JSON.stringify(body),
      signal,
    });
    if (!call.answer) return undefined as CallAnswer<Name>;
    const parsed = call.answer.safeParse(parseObject(text));
    if (!parsed.success) throw this.stranger();
    return parsed.data as CallAnswer<Name>;
  }

  /** Asks our server. @returns the whole response @throws ApiError; TypeError without an answer; the signal's reason */
  async ask(url: string, init: Parameters<Fetch>[1]): Promise<{ headers: Headers; text: string }> {
    const response = await this.#fetch(url, { ...init, headers: { ...this.headers, ...init?.headers } });
    noteVersion(this.origin, response.headers);
    const text = await response.text();
    if (!response.ok) throw refusalOf(response.status, text);
    return { headers: response.headers, text };
  }

  /** @returns the error for an answer that is not v1's */
  stranger(): Error {
    return new Error(`${this.origin} does not answer like ${PRODUCT_NAME}.`);
  }

  addressOf<Name extends MadeCall>(name: Name, { params = {}, query = {} }: CallOptions<Name> = {}): string {
    const path = CALLS[name].path.replaceAll(/\{(\w+)\}/g, (_, field: string) =>
      encodeURIComponent(params[field] ?? ""),
    );
    const address = new URL(`${this.origin}${V1_PATH}${path}`);
    for (const [field, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(field, String(value));
    }
    return address.href;
  }
}

/** @returns the error for a refused call, with the server's message if there is one */
export function refusalOf(status: number, text: string): ApiError {
  const body = parseObject(text) ?? {};
  return new ApiError(status, messageFromBody(body) ?? `The server answered ${status}.`, body);
}

type Listing = "listReceived" | "listRequests" | "listTransfers";
type ItemOf<Name extends Listing> = CallAnswer<Name> extends { items: (infer Item)[] } ? Item : never;

/** Yields the items of a list, and asks for the next page when the items of a page are used up. @throws as `V1.call` */
export function allOf<Name extends Listing>(
  v1: V1,
  name: Name,
  query: { request?: string } = {},
): AsyncGenerator<ItemOf<Name>> {
  return itemsOf((cursor) => v1.call(name, { query: { ...query, cursor } }) as Promise<Page<ItemOf<Name>>>);
}

/** @returns all items of a list @throws as `V1.call` */
export function listAll<Name extends Listing>(v1: V1, name: Name, query?: { request?: string }) {
  return collectItems(allOf(v1, name, query));
}

interface Page<Item> {
  items: Item[];
  next: string | null;
}

/** @param read gives the page at a cursor, or the first page for undefined @throws as `read` */
export async function* itemsOf<Item>(read: (cursor: string | undefined) => Promise<Page<Item>>): AsyncGenerator<Item> {
  for (let cursor: string | undefined | null; cursor !== null;) {
    const page: Page<Item> = await read(cursor);
    yield* page.items;
    cursor = page.next;
  }
}

export async function collectItems<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
