import * as wire from "#domain/wire.ts";
import type { AccountFixture } from "./account-fixture.ts";
import { member, type Route } from "./route.ts";

const recipient =
  (end = "") =>
  ({ fileId, recipientId }: AccountFixture) =>
    `/api/files/${fileId}/recipients/${recipientId}${end}`;

/** Of a mail that nobody got: 43 characters. */
const WRONG_TOKEN = `files.${"0".repeat(36)}.${"A".repeat(43)}`;

/** Recipients of links, and what people are mailed. */
export const NOTICE_ROUTES: Record<string, Route> = {
  "GET /api/notices": member(),
  "PATCH /api/notices": member({ schema: wire.changeNoticesRequest, body: () => ({ downloaded: "daily" }) }),
  "GET /api/files/:id/recipients": member({ path: ({ fileId }) => `/api/files/${fileId}/recipients`, others: 404 }),
  "POST /api/files/:id/recipients/:recipientId/again": member({
    limit: "shareByMail",
    path: recipient("/again"),
    others: 404,
  }),
  "DELETE /api/files/:id/recipients/:recipientId": member({ path: recipient(), others: 404, own: 204 }),
  "PATCH /api/files/:id/notify": member({
    schema: wire.changeNotifyRequest,
    path: ({ fileId }) => `/api/files/${fileId}/notify`,
    others: 404,
    body: () => ({ notify: "each" }),
  }),
  "GET /api/unsubscribe/:token": {
    who: "anybody",
    limit: "unsubscribe",
    path: () => `/api/unsubscribe/${WRONG_TOKEN}`,
    others: 404,
    own: 404,
  },
  "POST /api/unsubscribe/:token": {
    who: "anybody",
    limit: "unsubscribe",
    path: () => `/api/unsubscribe/${WRONG_TOKEN}`,
    schema: wire.unsubscribeRequest,
    body: () => ({ what: "sender" }),
    others: 404,
    own: 404,
  },
  // Mail programs send a form.
  "POST /unsubscribe/:token": {
    who: "anybody",
    limit: "needs a signature",
    path: () => `/unsubscribe/${WRONG_TOKEN}`,
    others: 415,
    own: 415,
  },
};
