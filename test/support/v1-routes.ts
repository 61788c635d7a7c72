import type { V1Call } from "#domain/v1/call.ts";
import { CALL_NAMES, V1_CALLS } from "#domain/v1/calls.ts";
import type { AccountFixture } from "./account-fixture.ts";
import type { Route } from "./route.ts";

/** The fixture's upload has no tus address. */
const NO_TUS = { others: 404, own: 404 };

/** What the calls without a key answer, most of them about the fixture's file. */
const KEYLESS_ANSWERS: Record<string, Partial<Route>> = {
  readLink: { limit: "downloadInfo", guard: "locked" },
  listLinkFiles: { limit: "listEntries", guard: "locked" },
  readLinkFile: { limit: "reads what is public", guard: "locked" },
  // The fixture's link has no password.
  unlockLink: { limit: "downloadInfo", guard: "asks for the password", body: () => ({ password: "a wrong one" }) },
  takeDownload: { limit: "take", guard: "locked", others: 201, own: 201 },
  startDevice: { limit: "startDevice" },
  pollDevice: { limit: "pollDevice", others: 400, own: 400 },
  describeTus: { limit: "reads what is public", others: 204, own: 204 },
  readTusUpload: NO_TUS,
  appendTusUpload: NO_TUS,
  endTusUpload: NO_TUS,
};

const ofCalls: Record<string, Route> = Object.fromEntries(
  CALL_NAMES.map((name) => {
    const call: V1Call = V1_CALLS[name];
    const route: Route = {
      who: "anybody",
      limit: "needs a key",
      ...(call.body && { schema: call.body }),
      ...(call.query && { query: call.query }),
      ...(call.example.body && { body: () => call.example.body }),
      ...(call.example.headers && { headers: call.example.headers }),
      path: (fixture) => addressOf(call, fixture),
      ...(call.scope === null ? KEYLESS_ANSWERS[name] : { others: 401, own: 401 }),
    };
    return [routeOf(call), route];
  }),
);

/** Every call of `/api/v1`, as sessions meet it: they open none of those that need a key. */
export const V1_ROUTES: Record<string, Route> = {
  ...ofCalls,
  "POST /api/v1/tus/:id/:secret": {
    who: "anybody",
    limit: "needs a key",
    ...NO_TUS,
    headers: { ...V1_CALLS.readTusUpload.example.headers, "x-http-method-override": "HEAD" },
    path: (fixture) => addressOf(V1_CALLS.readTusUpload, fixture),
  },
};

/** As Hono names it: a HEAD is a GET there. */
function routeOf({ method, path }: V1Call): string {
  return `${method === "HEAD" ? "GET" : method} /api/v1${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
}

function addressOf({ path }: V1Call, { upload, downloadId, requestId }: AccountFixture): string {
  const values: Record<string, string> = {
    id: path.startsWith("/requests") ? requestId : upload.uploadId,
    downloadId,
    secret: "A".repeat(22),
    part: "1",
    object: "0",
    n: "0",
  };
  return `/api/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "")}`;
}
