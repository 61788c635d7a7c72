import type { REQUEST_CALLS } from "#domain/v1/requests.ts";
import type { ReceivedTransfer } from "#domain/wire.ts";
import { changeRequest, createRequest, listRequestsAfter, removeRequest } from "../../requests/manage.ts";
import { listReceived } from "../../requests/received.ts";
import type { Handlers } from "./handler.ts";

export const requestHandlers: Handlers<keyof typeof REQUEST_CALLS> = {
  listRequests: ({ context, program, query, now }) => listRequestsAfter(context.services, program.user, query, now),
  createRequest: async ({ context, program, body, now }) => {
    // Limits the rate, because each of these calls may hash a password, which costs CPU time.
    await context.enforceRateLimit("changeRequest", program.user.id);
    return createRequest(context.services, program.user, body, now);
  },
  changeRequest: async ({ context, program, params, body, now }) => {
    await context.enforceRateLimit("changeRequest", program.user.id);
    return changeRequest(context.services, program.user, params.id, body, now);
  },
  deleteRequest: async ({ context, program, params }) => {
    await removeRequest(context.services, program.user, params.id);
    return undefined;
  },
  listReceived: async ({ context, program, query, now }) => {
    const { items, next } = await listReceived(context.services, program.user, query, now);
    return { items: items.map(receivedOf), next };
  },
};

/** Omits the download id, because a key must not open a received transfer that has no link. */
function receivedOf({ downloadId: _id, ...received }: ReceivedTransfer) {
  return received;
}
