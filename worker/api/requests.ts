import type { REQUEST_CALLS } from "#domain/calls/requests.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { readRequest, startSending, unlockRequest } from "../requests/by-link.ts";
import { changeRequest, createRequest, listRequests, removeRequest } from "../requests/manage.ts";
import { forwardReceived, listReceived, refuseSender } from "../requests/received.ts";
import type { Handlers } from "./mount.ts";

export const requestHandlers: Handlers<typeof REQUEST_CALLS> = {
  "GET /api/requests/by-link/:token": ({ c, context, params, now }) => {
    c.header("referrer-policy", "no-referrer");
    return readRequest(context, params.token, now);
  },
  "POST /api/requests/by-link/:token/unlock": ({ context, params, body, now }) =>
    unlockRequest(context, params.token, body.password, now),
  "POST /api/requests/by-link/:token/transfers": ({ c, context, params, body, now }) =>
    startSending(context, params.token, body, c.req.header(HEADER_NAMES.uploadToken) ?? null, now),
  "GET /api/requests": ({ services, user, now }) => listRequests(services, user, now),
  "POST /api/requests": ({ services, user, body, now }) => createRequest(services, user, body, now),
  "PATCH /api/requests/:id": ({ services, user, params, body, now }) =>
    changeRequest(services, user, params.id, body, now),
  "DELETE /api/requests/:id": ({ services, user, params }) => removeRequest(services, user, params.id),

  "GET /api/received": ({ services, user, query, now }) => listReceived(services, user, query, now),
  "POST /api/received/:id/link": ({ services, user, params, now }) => forwardReceived(services, user, params.id, now),
  "POST /api/received/:id/refuse": ({ context, user, params, body, now }) =>
    refuseSender(context, user, params.id, body, now),
};
