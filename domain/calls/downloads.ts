import * as wire from "../wire.ts";
import { anybody, json, member } from "./call.ts";

const handler = "limits";
const params = { n: wire.entryParam };

/** Calls for the holder of a link. Unknown links have a rate limit of their own, `unknownDownload`. */
export const DOWNLOAD_CALLS = {
  "GET /api/files/download/:downloadId": anybody("downloadInfo", { handler, answer: json<wire.DownloadInfo>() }),
  "GET /api/files/download/:downloadId/live": anybody("unknownDownload", { handler }),
  // The body is JSON, or a form of the page without scripts. Wrong passwords have rate limits of their own.
  "POST /api/files/download/:downloadId/unlock": anybody("downloadInfo", {
    handler: "reads",
    body: wire.unlockRequest,
    answer: json<wire.UnlockAnswer>(),
  }),
  // The body may also be a form.
  "POST /api/files/download/:downloadId/take": anybody("take", {
    handler,
    query: wire.takeQuery,
    status: 201,
    answer: json<wire.TakeAnswer>(),
  }),
  "POST /api/files/download/:downloadId/opened": anybody("unknownDownload", {
    handler,
    body: wire.openedReport,
    status: 204,
  }),
  "POST /api/files/download/:downloadId/report": anybody("report", {
    needsHuman: true,
    handler,
    body: wire.reportRequest,
    status: 201,
    says: "Thank you. We look at every report.",
  }),
  "GET /api/files/download/:downloadId/content": anybody("unknownDownload", { handler, query: wire.contentQuery }),
  "GET /api/files/download/:downloadId/preview": anybody("unknownDownload", { handler, query: wire.followQuery }),
  "GET /api/files/download/:downloadId/tile": anybody("unknownDownload", { handler }),
  "GET /api/files/download/:downloadId/view": anybody("unknownDownload", { handler }),
  "GET /api/files/download/:downloadId/entries": anybody("listEntries", {
    handler,
    query: wire.entriesQuery,
    answer: json<wire.ListedEntries>(),
  }),
  "GET /api/files/download/:downloadId/entries/:n/content": anybody("unknownDownload", {
    handler,
    params,
    query: wire.followQuery,
  }),
  "GET /api/files/download/:downloadId/entries/:n/preview": anybody("unknownDownload", {
    handler,
    params,
    query: wire.followQuery,
  }),
  "GET /api/files/download/:downloadId/entries/:n/tile": anybody("unknownDownload", { handler, params }),
  "GET /api/files/download/:downloadId/entries/:n/view": anybody("unknownDownload", { handler, params }),
};

export const SOCKET_CALLS = {
  "GET /ws": anybody("unknownDownload", { handler }),
  "GET /ws/account": member(),
};
