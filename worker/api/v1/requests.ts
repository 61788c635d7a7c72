import type { REQUEST_CALLS } from "#domain/v1/requests.ts";
import type { ReceivedTransfer } from "#domain/wire.ts";
import { changeRequest, createRequest, listRequestsAfter, removeRequest } from "../../requests/manage.ts";
import { listReceived } from "../../requests/received.ts";
import type { Handlers } from "./handler.ts";

export const requestHandlers: Handlers<keyof typeof REQUEST_CALLS> = {
  listRequests: ({ context, caller, query, now }) => listRequestsAfter(context.services, caller.user, query, now),
  createRequest: async ({ context, caller, body, now }) => {
    // A password is hashed.
    await context.enforceRateLimit("changeRequest", caller.user.id);
    return createRequest(context.services, caller.user, body, now);
  },
  changeRequest: async ({ context, caller, params, body, now }) => {
    await context.enforceRateLimit("changeRequest", caller.user.id);
    return changeRequest(context.services, caller.user, params.id, body, now);
  },
  deleteRequest: async ({ context, caller, params }) => {
    await removeRequest(context.services, caller.user, params.id);
    return undefined;
  },
  listReceived: async ({ context, caller, query, now }) => {
    const { items, next } = await listReceived(context.services, caller.user, query, now);
    return { items: items.map(receivedOf), next };
  },
};

/** Without the id that opens it on pages: a key opens nothing that has no link. */
function receivedOf({ downloadId: _id, ...received }: ReceivedTransfer) {
  return received;
}
