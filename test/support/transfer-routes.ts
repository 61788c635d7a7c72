import * as wire from "#domain/wire.ts";
import { admin, member, type Route } from "./route.ts";
import { SAMPLES } from "./samples.ts";

/** Calls that only transfers of many files have. */
export const TRANSFER_ROUTES: Record<string, Route> = {
  "POST /api/transfers": {
    who: "sender",
    limit: "startUpload",
    schema: wire.startTransferRequest,
    body: () => SAMPLES.transfer,
  },
  "POST /api/transfers/:downloadId/batch": {
    who: "sender",
    limit: "needs a session",
    schema: wire.transferBatchRequest,
    others: 404,
    path: ({ startedTransfer }) => `/api/transfers/${startedTransfer.downloadId}/batch`,
    body: () => ({}),
  },
  "PUT /api/transfers/:downloadId/objects/:object/:part": {
    who: "sender",
    limit: "needs a session",
    others: 404,
    own: 411,
    path: ({ startedTransfer }) => `/api/transfers/${startedTransfer.downloadId}/objects/0/1`,
  },
  "POST /api/transfers/:downloadId/finish": {
    who: "sender",
    limit: "needs a session",
    schema: wire.finishTransferRequest,
    others: 404,
    own: 422,
    path: ({ startedTransfer }) => `/api/transfers/${startedTransfer.downloadId}/finish`,
    body: () => ({}),
  },
  "DELETE /api/files/:id/entries/:n": member({
    others: 404,
    path: ({ transfer }) => `/api/files/${transfer.fileId}/entries/0`,
  }),
  "GET /api/admin/files/:id/entries": admin({
    query: wire.entriesQuery,
    path: ({ transfer }) => `/api/admin/files/${transfer.fileId}/entries`,
  }),
  "POST /api/admin/files/:id/entries/:n/take-down": admin({
    schema: wire.takeDownRequest,
    path: ({ transfer }) => `/api/admin/files/${transfer.fileId}/entries/1/take-down`,
    body: () => ({ reason: "It is harmful." }),
  }),
};
