import * as wire from "#domain/wire.ts";
import { link, type Route } from "./route.ts";

/** Calls that read through a link. Each says what a locked link answers to a stranger. */
export const DOWNLOAD_ROUTES: Record<string, Route> = {
  "GET /api/files/download/:downloadId": { who: "anybody", limit: "downloadInfo", guard: "locked", path: link("") },
  "GET /api/files/download/:downloadId/live": {
    who: "anybody",
    limit: "unknownDownload",
    guard: "locked",
    path: link("/live"),
    others: 426,
    own: 426,
  },
  "POST /api/files/download/:downloadId/unlock": {
    who: "anybody",
    // Of a link without a password.
    limit: "downloadInfo",
    guard: "asks for the password",
    path: link("/unlock"),
    schema: wire.unlockRequest,
    body: () => ({ password: "any password" }),
  },
  "POST /api/files/download/:downloadId/take": {
    who: "anybody",
    limit: "take",
    guard: "locked",
    path: link("/take"),
    query: wire.takeQuery,
    others: 201,
    own: 201,
    body: () => ({}),
  },
  "POST /api/files/download/:downloadId/opened": {
    who: "anybody",
    limit: "unknownDownload",
    guard: "locked",
    path: link("/opened"),
    schema: wire.openedRequest,
    // The link is a plain one.
    others: 409,
    own: 409,
    body: () => ({}),
  },
  "POST /api/files/download/:downloadId/report": {
    who: "anybody",
    limit: "report",
    guard: "locked",
    path: link("/report"),
    schema: wire.reportRequest,
    others: 201,
    own: 201,
    body: () => ({ reason: "other" }),
  },
  "GET /api/files/download/:downloadId/content": {
    who: "anybody",
    limit: "unknownDownload",
    guard: "locked",
    path: link("/content"),
  },
  "GET /api/files/download/:downloadId/preview": {
    who: "anybody",
    limit: "unknownDownload",
    guard: "locked",
    path: link("/preview"),
  },
  "GET /api/files/download/:downloadId/entries": {
    who: "anybody",
    limit: "listEntries",
    guard: "locked",
    query: wire.entriesQuery,
    path: ({ transfer }) => `/api/files/download/${transfer.downloadId}/entries`,
  },
  "GET /api/files/download/:downloadId/entries/:n/content": {
    who: "anybody",
    limit: "unknownDownload",
    guard: "locked",
    path: ({ transfer }) => `/api/files/download/${transfer.downloadId}/entries/0/content`,
  },
  "GET /api/files/download/:downloadId/entries/:n/preview": {
    who: "anybody",
    limit: "unknownDownload",
    guard: "locked",
    path: ({ transfer }) => `/api/files/download/${transfer.downloadId}/entries/0/preview`,
  },
};
