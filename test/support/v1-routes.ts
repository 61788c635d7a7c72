import type { V1Call } from "#domain/v1/call.ts";
import { CALL_NAMES, V1_CALLS } from "#domain/v1/calls.ts";
import type { AccountFixture } from "./account-fixture.ts";
import type { Route } from "./route.ts";

/** What the calls without a key answer about the fixture's file. */
const LINK_ANSWERS: Record<string, Partial<Route>> = {
  readLink: { limit: "downloadInfo", guard: "locked" },
  listLinkFiles: { limit: "listEntries", guard: "locked" },
  readLinkFile: { limit: "reads what is public", guard: "locked" },
  unlockLink: { limit: "unlock", guard: "asks for the password", body: () => ({ password: "a wrong one" }) },
  takeDownload: { limit: "take", guard: "locked", others: 201, own: 201 },
};

/** Every call of `/api/v1`, as sessions meet it: they open none of those that need a key. */
export const V1_ROUTES: Record<string, Route> = Object.fromEntries(
  CALL_NAMES.map((name) => {
    const call: V1Call = V1_CALLS[name];
    const route: Route = {
      who: "anybody",
      limit: "needs a key",
      ...(call.body && { schema: call.body }),
      ...(call.query && { query: call.query }),
      ...(call.example.body && { body: () => call.example.body }),
      path: (fixture) => addressOf(call, fixture),
      ...(call.scope === null ? LINK_ANSWERS[name] : { others: 401, own: 401 }),
    };
    return [`${call.method} /api/v1${call.path.replaceAll(/\{(\w+)\}/g, ":$1")}`, route];
  }),
);

function addressOf({ path }: V1Call, { upload, downloadId }: AccountFixture): string {
  const values: Record<string, string> = { id: upload.uploadId, downloadId, part: "1", object: "0", n: "0" };
  return `/api/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "")}`;
}
