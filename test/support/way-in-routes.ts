import * as wire from "#domain/wire.ts";
import { member, type Route } from "./route.ts";

/** The usual settings of the tests have no provider. */
const UNKNOWN = { others: 404, own: 404 } as const;

/** Links by mail and other providers. */
export const WAY_IN_ROUTES: Record<string, Route> = {
  "POST /api/auth/confirm/mail": member({ limit: "confirmMail" }),
  "POST /api/auth/mail-link": {
    who: "anybody",
    limit: "mailLink",
    schema: wire.emailRequest,
    body: () => ({ email: `link-${crypto.randomUUID()}@example.com` }),
  },
  "POST /api/auth/mail-link/use": {
    who: "anybody",
    limit: "redeemToken",
    schema: wire.mailLinkUseRequest,
    body: () => ({ token: "x" }),
    others: 400,
    own: 400,
  },
  "GET /api/auth/provider/:name": {
    who: "anybody",
    limit: "provider",
    query: wire.providerQuery,
    path: () => "/api/auth/provider/club",
    ...UNKNOWN,
  },
  "GET /api/auth/provider/:name/callback": {
    who: "anybody",
    limit: "provider",
    path: () => "/api/auth/provider/club/callback",
    ...UNKNOWN,
  },
  "GET /api/auth/providers": { who: "anybody", limit: "reads what is public" },
  "POST /api/auth/providers/:name/link": member({
    limit: "provider",
    path: () => "/api/auth/providers/club/link",
    ...UNKNOWN,
  }),
  "DELETE /api/auth/providers/:name": member({ path: () => "/api/auth/providers/club", others: 404 }),
};
