import * as wire from "#domain/wire.ts";
import { member, type Route } from "./route.ts";

/** What keeps an account its owner's. */
export const SECURITY_ROUTES: Record<string, Route> = {
  "POST /api/auth/confirm": member({
    schema: wire.confirmRequest,
    limit: "confirm",
    others: 403,
    own: 403,
    body: () => ({ password: "a wrong password" }),
  }),
  "GET /api/auth/devices": member(),
  "DELETE /api/auth/devices/:id": member({ path: ({ deviceId }) => `/api/auth/devices/${deviceId}`, others: 404 }),
  "GET /api/auth/events": member(),
  "POST /api/auth/sign-out-everywhere": member({ schema: wire.signOutEverywhereRequest, body: () => ({}) }),
  "POST /api/auth/not-me": {
    who: "anybody",
    limit: "redeemToken",
    schema: wire.mailedTokenRequest,
    others: 400,
    own: 400,
    body: () => ({ token: "x" }),
  },
  "POST /api/auth/change-email/undo": {
    who: "anybody",
    limit: "redeemToken",
    schema: wire.mailedTokenRequest,
    others: 400,
    own: 400,
    body: () => ({ token: "x" }),
  },
};
