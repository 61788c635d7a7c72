import fc from "fast-check";
import { anyJson, hostile, edgeCaseText } from "./arbitrary.ts";
import type { AccountFixture } from "./account-fixture.ts";
import { anyId, replacePlaceholders, type IdValues } from "./id-placeholders.ts";
import { PICTURES } from "./pictures.ts";
import { dataPath, PAGES, ROUTES } from "./routes.ts";
import { EDGE_CASE_URLS, EDGE_CASE_NAMES, EDGE_CASE_TYPES } from "./edge-case-values.ts";

/** A generated request. Ids are placeholders until it is sent. */
export interface HostileRequest {
  key: string;
  /** The session it is sent with. */
  sender: "nobody" | "owner" | "another" | "administrator" | "forged";
  /** Whether the Worker has Stripe keys (of the double). */
  isStripe: boolean;
  method: string;
  /** Null for the route's own path, with the fixture's ids. */
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
  "sec-fetch-mode",
  "sec-fetch-site",
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
  "navigate",
  "same-origin",
];

/** Only characters that HTTP allows in a header. */
const headerValue = fc.oneof(
  fc.constantFrom(...HEADER_VALUES),
  edgeCaseText.map((text) => text.replace(/[^\x20-\x7e\x80-\xff]/g, "").trim()),
);
/** Forms and navigations are answered with redirects. */
const pageHeader = fc.constantFrom<[string, string]>(
  ["sec-fetch-mode", "navigate"],
  ["content-type", "application/x-www-form-urlencoded"],
);
const headers = fc.array(
  fc.oneof({ weight: 3, arbitrary: fc.tuple(fc.constantFrom(...HEADER_NAMES), headerValue) }, pageHeader),
  { maxLength: 3 },
);
const sender = fc.constantFrom<HostileRequest["sender"][]>(
  "nobody",
  "owner",
  "owner",
  "another",
  "administrator",
  "forged",
);

/** A path parameter, correctly encoded or not. */
const segment = fc.oneof(
  anyId,
  edgeCaseText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom("%", "%ff", "%E0%A4%A", "..", ".", "%2e%2e", "a b", "A".repeat(22), "a".repeat(9000), "%00"),
);
const pathOf = (pattern: string) =>
  fc.array(segment, { minLength: 2, maxLength: 2 }).map((segments) => {
    let index = 0;
    return pattern.replace(/:[A-Za-z]+/g, () => segments[index++] ?? "");
  });

/** Targets of redirects, which must stay on this site. */
const address = fc.constantFrom(...EDGE_CASE_URLS);
const searchFor = (names: string[], value: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom(...names), value)
    .map(([name, text]) => `?${new URLSearchParams([[name, text.toWellFormed()]]).toString()}`);

const edgeCaseSearch = fc.oneof(
  fc.constant(""),
  searchFor(["returnTo", "auth", "from"], address),
  searchFor(["id", "user", "edit", "q"], anyId),
  fc
    .array(
      fc.tuple(fc.constantFrom("page", "q", "id", "token", "sort", "tab", "user", "_routes", "from"), edgeCaseText),
    )
    .map((pairs) => `?${new URLSearchParams(pairs.map(([name, text]) => [name, text.toWellFormed()])).toString()}`),
  fc.constantFrom("?", "?%", "?page=%ff", "?=&=", `?q=${"a".repeat(9000)}`),
);

/** Query strings that some pages read. */
const SEARCHES: Record<string, fc.Arbitrary<string>> = {
  "/login": searchFor(["returnTo"], address),
  "/register": searchFor(["returnTo"], address),
  "/": fc
    .tuple(searchFor(["returnTo"], address), fc.constantFrom("login", "register"))
    .map(([to, auth]) => `${to}&auth=${auth}`),
};

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => new Uint8Array(array));
const edgeCaseBody: fc.Arbitrary<Body> = fc.oneof(
  fc.constant<Body>({ kind: "none" }),
  edgeCaseText.map((text): Body => ({ kind: "text", text })),
  anyJson.map((json): Body => ({ kind: "text", text: JSON.stringify(json) })),
  bytes.map((array): Body => ({ kind: "bytes", bytes: array })),
  fc
    .tuple(
      fc.array(
        fc.tuple(
          fc.constantFrom(
            "uploadId",
            "chunkIndex",
            "totalChunks",
            "filename",
            "expiration",
            "expiresAt",
            "fileType",
            "0.tile",
            "0.seconds",
            "0.about",
            "1.view",
          ),
          fc.oneof(edgeCaseText, anyId, fc.constantFrom("0", "1", "1d", ...EDGE_CASE_NAMES, ...EDGE_CASE_TYPES)),
        ),
      ),
      fc.option(
        fc.record({
          bytes: fc.oneof(bytes, fc.constantFrom(...Object.values(PICTURES))),
          name: fc.constantFrom(...EDGE_CASE_NAMES),
          type: fc.constantFrom(...EDGE_CASE_TYPES),
        }),
      ),
    )
    .map(([fields, file]): Body => ({ kind: "form", fields, file })),
);

function callOf(key: string): fc.Arbitrary<HostileRequest> {
  const [method = "", pattern = ""] = key.split(" ");
  const { schema, query, body } = ROUTES[key] ?? {};
  const json = schema ? [hostile(schema).map((value): Body => ({ kind: "text", text: JSON.stringify(value) }))] : [];
  const own = body ? [fc.constant<Body>({ kind: "own" })] : [];
  const validSearch = query ? [hostile(query).map(searchOf)] : [];
  return fc.record({
    key: fc.constant(key),
    sender,
    isStripe: fc.boolean(),
    method: fc.constant(method),
    headers,
    path: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: pathOf(pattern) }),
    search: fc.oneof(...validSearch, ...validSearch, edgeCaseSearch),
    body:
      method === "GET"
        ? fc.constant<Body>({ kind: "none" })
        : fc.oneof(...json, ...json, ...json, ...own, edgeCaseBody),
  });
}

function searchOf(query: unknown): string {
  if (typeof query !== "object" || query === null) return `?${encodeURIComponent(String(query).toWellFormed())}`;
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value).toWellFormed()])).toString()}`;
}

function pageOf(pattern: string): fc.Arbitrary<HostileRequest> {
  const own = SEARCHES[pattern];
  const search = own ? fc.oneof(own, edgeCaseSearch) : edgeCaseSearch;
  return fc.record({
    key: fc.constant(pattern),
    sender,
    isStripe: fc.boolean(),
    headers,
    search,
    body: edgeCaseBody,
    method: fc.constantFrom("GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"),
    path: fc.tuple(pathOf(pattern), fc.boolean()).map(([path, isData]) => (isData ? dataPath(path) : path)),
  });
}

/** Paths outside the routes. */
const unknownRoute = fc.record({
  key: fc.constant("unknown"),
  sender,
  isStripe: fc.boolean(),
  headers,
  search: edgeCaseSearch,
  body: edgeCaseBody,
  method: fc.constantFrom("GET", "POST", "PATCH", "TRACE2"),
  path: fc
    .tuple(fc.constantFrom("/", "/api/", "/api/admin/", "/assets/", "/__manifest", "//", "/cdn-cgi/"), segment)
    .map(([start, rest]) => `${start}${rest}`),
});

/** Requests to every API route, every page and unknown paths, about half of them valid. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.oneof(
  { weight: 2 * Object.keys(ROUTES).length, arbitrary: fc.oneof(...Object.keys(ROUTES).map(callOf)) },
  { weight: Object.keys(PAGES).length, arbitrary: fc.oneof(...Object.keys(PAGES).map(pageOf)) },
  { weight: 8, arbitrary: unknownRoute },
);

/** Fills in the ids. @returns null for a request that no client can send */
export function toRequest(
  hostile: HostileRequest,
  { fixture, ids }: { fixture: AccountFixture; ids: IdValues },
  cookie: string,
  origin: string,
): Request | null {
  const [, pattern = ""] = hostile.key.split(" ");
  const route = ROUTES[hostile.key];
  const path = hostile.path ?? route?.path?.(fixture) ?? pattern;
  const headers = new Headers();
  if (cookie !== "") headers.set("cookie", cookie);
  const body = bodyOf(hostile, fixture, ids, headers);
  for (const [name, value] of hostile.headers) headers.set(name, value);
  try {
    const init = { method: hostile.method, headers, redirect: "manual" } as const;
    const isBodiless = hostile.method === "GET" || hostile.method === "HEAD" || body === undefined;
    return new Request(
      replacePlaceholders(`${origin}${path}${hostile.search}`, ids),
      isBodiless ? init : { ...init, body },
    );
  } catch {
    return null;
  }
}

function bodyOf(
  { key, body }: HostileRequest,
  fixture: AccountFixture,
  ids: IdValues,
  headers: Headers,
): BodyInit | undefined {
  if (body.kind === "none") return undefined;
  if (body.kind === "form") {
    const form = new FormData();
    for (const [name, value] of body.fields) form.append(name, replacePlaceholders(value.toWellFormed(), ids));
    if (body.file) {
      const { bytes, name, type } = body.file;
      form.append(
        key.startsWith("POST /api/pictures/") ? "0.tile" : "chunk",
        new Blob([bytes], { type }),
        name.toWellFormed(),
      );
    }
    return form;
  }
  headers.set("content-type", "application/json");
  if (body.kind === "bytes") return body.bytes;
  return body.kind === "text" ? replacePlaceholders(body.text, ids) : JSON.stringify(ROUTES[key]?.body?.(fixture));
}
