import fc from "fast-check";
import { anyJson, hostile, strangeText } from "./arbitrary.ts";
import type { Owned } from "./owned.ts";
import { anyRealId, fillIn, type RealIds } from "./real-ids.ts";
import { dataPath, PAGES, ROUTES } from "./routes.ts";
import { STRANGE_ADDRESSES, STRANGE_NAMES, STRANGE_TYPES } from "./strange-values.ts";

/** Somebody's request, as it will be sent; what it names of the owner's is filled in then. */
export interface HostileRequest {
  key: string;
  /** Whose session it carries. */
  sender: "nobody" | "owner" | "another" | "administrator" | "forged";
  /** With the keys of Stripe's double, or without any. */
  isStripe: boolean;
  method: string;
  /** Null: the path of what the owner has. */
  path: string | null;
  search: string;
  headers: [string, string][];
  body: Body;
}

type Body =
  | { kind: "none" }
  | { kind: "text"; text: string }
  | { kind: "bytes"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "own" }
  | { kind: "form"; fields: [string, string][]; file: FormFile | null };

interface FormFile {
  bytes: Uint8Array<ArrayBuffer>;
  name: string;
  type: string;
}

const HEADER_NAMES = [
  "accept",
  "accept-encoding",
  "authorization",
  "cf-connecting-ip",
  "cf-ray",
  "content-length",
  "content-type",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "origin",
  "range",
  "referer",
  "sec-websocket-protocol",
  "stripe-signature",
  "upgrade",
  "user-agent",
  "x-forwarded-host",
  "x-http-method-override",
];
const HEADER_VALUES = [
  "bytes=0-",
  "bytes=-1",
  "bytes=5-2",
  "bytes=0-0,1-1",
  "bytes=99999999999999999999-",
  "items=0-1",
  "*",
  '"',
  'W/"a"',
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "never",
  "t=1,v1=00",
  "t=,v1=",
  "websocket",
  "application/json",
  "text/html",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "multipart/form-data; boundary=x",
  "-1",
  "1e9",
  "NaN",
  "17",
  "application/json; charset=utf-16",
  "null",
  "https://evil.example",
  "::1",
  "1.2.3.4, 5.6.7.8",
  "googlebot",
];

/** A header's value holds what HTTP lets it hold: more than that never gets here. */
const headerValue = fc.oneof(
  fc.constantFrom(...HEADER_VALUES),
  strangeText.map((text) => text.replace(/[^\x20-\x7e\x80-\xff]/g, "").trim()),
);
const headers = fc.array(fc.tuple(fc.constantFrom(...HEADER_NAMES), headerValue), { maxLength: 3 });
const sender = fc.constantFrom<HostileRequest["sender"][]>(
  "nobody",
  "owner",
  "owner",
  "another",
  "administrator",
  "forged",
);

/** What stands for a parameter: text that was encoded as it should be, or was not. */
const segment = fc.oneof(
  anyRealId,
  strangeText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom("%", "%ff", "%E0%A4%A", "..", ".", "%2e%2e", "a b", "A".repeat(22), "a".repeat(9000), "%00"),
);
const pathOf = (pattern: string) =>
  fc.array(segment, { minLength: 2, maxLength: 2 }).map((segments) => {
    let index = 0;
    return pattern.replace(/:[A-Za-z]+/g, () => segments[index++] ?? "");
  });

/** Where a link says to go on: nothing may lead elsewhere. */
const address = fc.constantFrom(...STRANGE_ADDRESSES);
const searchFor = (names: string[], value: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom(...names), value)
    .map(([name, text]) => `?${new URLSearchParams([[name, text.toWellFormed()]]).toString()}`);

const strangeSearch = fc.oneof(
  fc.constant(""),
  searchFor(["returnTo", "auth", "from"], address),
  searchFor(["id", "user", "edit", "q"], anyRealId),
  fc
    .array(fc.tuple(fc.constantFrom("page", "q", "id", "token", "sort", "tab", "user", "_routes", "from"), strangeText))
    .map((pairs) => `?${new URLSearchParams(pairs.map(([name, text]) => [name, text.toWellFormed()])).toString()}`),
  fc.constantFrom("?", "?%", "?page=%ff", "?=&=", `?q=${"a".repeat(9000)}`),
);

/** What some pages read in their address. */
const SEARCHES: Record<string, fc.Arbitrary<string>> = {
  "/login": searchFor(["returnTo"], address),
  "/register": searchFor(["returnTo"], address),
  "/": fc
    .tuple(searchFor(["returnTo"], address), fc.constantFrom("login", "register"))
    .map(([to, auth]) => `${to}&auth=${auth}`),
};

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => new Uint8Array(array));
const strangeBody: fc.Arbitrary<Body> = fc.oneof(
  fc.constant<Body>({ kind: "none" }),
  strangeText.map((text): Body => ({ kind: "text", text })),
  anyJson.map((json): Body => ({ kind: "text", text: JSON.stringify(json) })),
  bytes.map((array): Body => ({ kind: "bytes", bytes: array })),
  fc
    .tuple(
      fc.array(
        fc.tuple(
          fc.constantFrom("uploadId", "chunkIndex", "totalChunks", "filename", "expiration", "fileType"),
          fc.oneof(strangeText, anyRealId, fc.constantFrom("0", "1", "1d", ...STRANGE_NAMES, ...STRANGE_TYPES)),
        ),
      ),
      fc.option(fc.record({ bytes, name: fc.constantFrom(...STRANGE_NAMES), type: fc.constantFrom(...STRANGE_TYPES) })),
    )
    .map(([fields, file]): Body => ({ kind: "form", fields, file })),
);

function callOf(key: string): fc.Arbitrary<HostileRequest> {
  const [method = "", pattern = ""] = key.split(" ");
  const { schema, query, body } = ROUTES[key] ?? {};
  const json = schema ? [hostile(schema).map((value): Body => ({ kind: "text", text: JSON.stringify(value) }))] : [];
  const own = body ? [fc.constant<Body>({ kind: "own" })] : [];
  const asked = query ? [hostile(query).map(searchOf)] : [];
  return fc.record({
    key: fc.constant(key),
    sender,
    isStripe: fc.boolean(),
    method: fc.constant(method),
    headers,
    path: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: pathOf(pattern) }),
    search: fc.oneof(...asked, ...asked, strangeSearch),
    body:
      method === "GET" ? fc.constant<Body>({ kind: "none" }) : fc.oneof(...json, ...json, ...json, ...own, strangeBody),
  });
}

function searchOf(query: unknown): string {
  if (typeof query !== "object" || query === null) return `?${encodeURIComponent(String(query).toWellFormed())}`;
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value).toWellFormed()])).toString()}`;
}

function pageOf(pattern: string): fc.Arbitrary<HostileRequest> {
  const own = SEARCHES[pattern];
  const search = own ? fc.oneof(own, strangeSearch) : strangeSearch;
  return fc.record({
    key: fc.constant(pattern),
    sender,
    isStripe: fc.boolean(),
    headers,
    search,
    body: strangeBody,
    method: fc.constantFrom("GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"),
    path: fc.tuple(pathOf(pattern), fc.boolean()).map(([path, isData]) => (isData ? dataPath(path) : path)),
  });
}

/** Addresses that nobody has thought of. */
const nowhere = fc.record({
  key: fc.constant("nowhere"),
  sender,
  isStripe: fc.boolean(),
  headers,
  search: strangeSearch,
  body: strangeBody,
  method: fc.constantFrom("GET", "POST", "PATCH", "TRACE2"),
  path: fc
    .tuple(fc.constantFrom("/", "/api/", "/api/admin/", "/assets/", "/__manifest", "//", "/cdn-cgi/"), segment)
    .map(([start, rest]) => `${start}${rest}`),
});

/** Requests to every call, every page, and elsewhere, half of them as they should be. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.oneof(
  { weight: Object.keys(ROUTES).length, arbitrary: fc.oneof(...Object.keys(ROUTES).map(callOf)) },
  { weight: Object.keys(PAGES).length / 2, arbitrary: fc.oneof(...Object.keys(PAGES).map(pageOf)) },
  { weight: 4, arbitrary: nowhere },
);

/** The request itself, with those ids in it. Null for one that no client can send. */
export function toRequest(
  hostile: HostileRequest,
  { owned, ids }: { owned: Owned; ids: RealIds },
  cookie: string,
  origin: string,
): Request | null {
  const [, pattern = ""] = hostile.key.split(" ");
  const route = ROUTES[hostile.key];
  const path = hostile.path ?? route?.path?.(owned) ?? pattern;
  const headers = new Headers();
  if (cookie !== "") headers.set("cookie", cookie);
  const body = bodyOf(hostile, owned, ids, headers);
  for (const [name, value] of hostile.headers) headers.set(name, value);
  try {
    const init = { method: hostile.method, headers, redirect: "manual" } as const;
    const isBodiless = hostile.method === "GET" || hostile.method === "HEAD" || body === undefined;
    return new Request(fillIn(`${origin}${path}${hostile.search}`, ids), isBodiless ? init : { ...init, body });
  } catch {
    return null;
  }
}

function bodyOf({ key, body }: HostileRequest, owned: Owned, ids: RealIds, headers: Headers): BodyInit | undefined {
  if (body.kind === "none") return undefined;
  if (body.kind === "form") {
    const form = new FormData();
    for (const [name, value] of body.fields) form.append(name, fillIn(value.toWellFormed(), ids));
    if (body.file) {
      const { bytes, name, type } = body.file;
      form.append("chunk", new Blob([bytes], { type }), name.toWellFormed());
    }
    return form;
  }
  headers.set("content-type", "application/json");
  if (body.kind === "bytes") return body.bytes;
  return body.kind === "text" ? fillIn(body.text, ids) : JSON.stringify(ROUTES[key]?.body?.(owned));
}
