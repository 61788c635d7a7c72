import * as wire from "#domain/wire.ts";
import type { AccountFixture } from "./account-fixture.ts";
import { member, type Route } from "./route.ts";

const own =
  (end = "") =>
  ({ requestId }: AccountFixture) =>
    `/api/requests/${requestId}${end}`;
const byLink =
  (end = "") =>
  ({ requestToken }: AccountFixture) =>
    `/api/requests/by-link/${requestToken}${end}`;
const received =
  (end: string) =>
  ({ receivedId }: AccountFixture) =>
    `/api/received/${receivedId}${end}`;

export const REQUEST_ROUTES: Record<string, Route> = {
  "GET /api/requests": member(),
  "POST /api/requests": member({
    schema: wire.createUploadRequest,
    limit: "changeRequest",
    others: 201,
    // The free plan's one is there already.
    own: 403,
    body: () => ({ title: "Photos" }),
  }),
  "PATCH /api/requests/:id": member({
    schema: wire.changeUploadRequest,
    limit: "changeRequest",
    others: 404,
    path: own(),
    body: () => ({ note: "Another one" }),
  }),
  "DELETE /api/requests/:id": member({ others: 404, path: own() }),
  "GET /api/requests/by-link/:token": { who: "anybody", limit: "readRequest", path: byLink() },
  "POST /api/requests/by-link/:token/unlock": {
    who: "anybody",
    limit: "readRequest",
    schema: wire.unlockUploadRequest,
    path: byLink("/unlock"),
    body: () => ({ password: "not the one" }),
    // The request has no password.
    others: 200,
    own: 200,
  },
  "POST /api/requests/by-link/:token/transfers": {
    who: "anybody",
    limit: "startSending",
    schema: wire.startSendingRequest,
    path: byLink("/transfers"),
    // Of a kind that the request does not take, so that nothing begins.
    body: () => ({ totals: { entries: 1, bytes: 1 }, entries: { from: 0, list: [["a.exe", 1, 0]] } }),
    others: 415,
    own: 415,
  },
  "GET /api/received": member({ query: wire.receivedQuery }),
  "POST /api/received/:id/link": member({ others: 404, own: 201, path: received("/link") }),
  "POST /api/received/:id/refuse": member({
    schema: wire.refuseSenderRequest,
    others: 404,
    path: received("/refuse"),
    body: () => ({ what: "transfer" }),
  }),
};
