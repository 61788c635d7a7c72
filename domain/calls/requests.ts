import { MAX_BATCH_BYTES } from "../transfers/limits.ts";
import * as wire from "../wire.ts";
import { anybody, json, member } from "./call.ts";

const handler = "limits";
const request = json<wire.ListedUploadRequest>();

/** Calls for upload requests, by owners and by strangers with a request's link. Strangers' calls read no cookie. */
export const REQUEST_CALLS = {
  "GET /api/requests/by-link/:token": anybody("readRequest", { handler, answer: json<wire.ReadUploadRequestAnswer>() }),
  "POST /api/requests/by-link/:token/unlock": anybody("readRequest", {
    handler,
    body: wire.unlockUploadRequest,
    answer: json<wire.UnlockUploadRequestAnswer>(),
  }),
  "POST /api/requests/by-link/:token/transfers": anybody("startSending", {
    needsHuman: true,
    handler,
    body: wire.startSendingRequest,
    maxBytes: MAX_BATCH_BYTES,
    answer: json<wire.StartSendingAnswer>(),
  }),
  "GET /api/requests": member({ answer: json<wire.ListedUploadRequest[]>() }),
  // The rate limit is checked first, because the handler hashes a password, which is slow.
  "POST /api/requests": member("changeRequest", {
    limitFirst: true,
    body: wire.createUploadRequest,
    status: 201,
    answer: request,
  }),
  "PATCH /api/requests/:id": member("changeRequest", {
    limitFirst: true,
    body: wire.changeUploadRequest,
    answer: request,
  }),
  "DELETE /api/requests/:id": member({ says: "The request was deleted. What came through it stays with you." }),

  // Transfers that came through an owner's upload requests.
  "GET /api/received": member({ query: wire.receivedQuery, answer: json<wire.ReceivedPage>() }),
  "POST /api/received/:id/link": member({ status: 201, answer: json<wire.ReceivedTransfer>() }),
  "POST /api/received/:id/refuse": member({
    body: wire.refuseSenderRequest,
    says: "What came was deleted, and we look at your report.",
  }),
};
