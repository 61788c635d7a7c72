import type { MODERATION_CALLS } from "#domain/calls/moderation.ts";
import { moderationNumbers } from "../admin/moderation-numbers.ts";
import { actOnCase, getCase, listQueue } from "../admin/queue.ts";
import { getUser } from "../admin/users.ts";
import { objectTo, readDecision } from "../moderation/objections.ts";
import { restoreAccount, suspendAccount } from "../moderation/suspension.ts";
import type { Handlers } from "./mount.ts";

export const moderationHandlers: Handlers<typeof MODERATION_CALLS> = {
  "POST /api/admin/users/:id/suspension": async ({ services, admin, params, body, now }) => {
    await suspendAccount(services, admin, params.id, body, now);
    return getUser(services, params.id);
  },
  "DELETE /api/admin/users/:id/suspension": async ({ services, admin, params, now }) => {
    await restoreAccount(services, admin, params.id, now);
    return getUser(services, params.id);
  },
  "GET /api/admin/cases": ({ services, query, now }) => listQueue(services, query, now),
  "GET /api/admin/cases/:id": ({ services, params, now }) => getCase(services, params.id, now),
  "POST /api/admin/cases/:id/close": ({ services, admin, params, body, now }) =>
    actOnCase(services, admin, params.id, body, now),
  "GET /api/admin/moderation-numbers": async ({ services, query: { year } }) =>
    new Response(await moderationNumbers(services, year), {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="moderation-${year}.csv"`,
        "cache-control": "private, no-store",
      },
    }),
  "GET /api/objections/:token": ({ services, params, now }) => readDecision(services, params.token, now),
  "POST /api/objections/:token": ({ services, params, body, now }) => objectTo(services, params.token, body.text, now),
};
