import type * as z from "zod/mini";
import * as wire from "../wire.ts";
import { anybody, json, member, owner } from "./call.ts";

const maxBytes = wire.MANIFEST_BODY_MAX_BYTES;
const file = json<wire.ListedFile>();
const share = json<wire.ShareAnswer>();

/** Calls for files and transfers that an account has sent or received. */
export const FILE_CALLS = {
  // Without a query, the answer is the first page as a plain array.
  "GET /api/files": member({ query: wire.filesQuery, answer: json<wire.FilesPage>() }),
  "GET /api/files/:id": member({ answer: json<wire.FileDetails>() }),
  // The body changes a link's protection, its preview in chats, a transfer or a file. Protection has the rate limit
  // `changeGuards`.
  "PATCH /api/files/:id": owner({
    bodies: [
      wire.changeProtectionRequest,
      wire.changePreviewRequest,
      wire.changeTransferRequest,
      wire.changeFileRequest,
    ],
    answer: file,
  }),
  "PUT /api/files/:id/manifest": owner("putManifest", {
    body: wire.putManifestRequest,
    maxBytes,
    answer: json<wire.PutManifestAnswer>(),
  }),
  "GET /api/files/:id/guards": owner({ answer: json<wire.LinkProtectionNow>() }),
  "POST /api/files/:id/share": member("shareByMail", {
    handler: "limits",
    bodies: [wire.shareFileRequest, wire.shareWithManyRequest],
    answer: share,
  }),
  "GET /api/files/:id/recipients": member({ answer: json<wire.RecipientsAnswer>() }),
  "POST /api/files/:id/recipients/:recipientId/again": member("shareByMail", { handler: "limits", answer: share }),
  "DELETE /api/files/:id/recipients/:recipientId": member({ status: 204 }),
  "PATCH /api/files/:id/notify": member({
    body: wire.changeNotifyRequest,
    answer: json<z.infer<typeof wire.changeNotifyRequest>>(),
  }),
  "DELETE /api/files/:id/entries/:n": owner({ params: { n: wire.entryParam }, answer: file }),
  "DELETE /api/files/:id": member({ says: "File deleted" }),

  /** What an account's links show in previews, unless a link chooses otherwise. */
  "GET /api/previews": member({ answer: json<wire.PreviewSettings>() }),
  "PATCH /api/previews": member({ body: wire.previewSettings, answer: json<wire.PreviewSettings>() }),

  // The address in `X-Url-Delete`. A GET of the same address shows a page with a button, so programs that follow links
  // delete nothing.
  "DELETE /delete/:id/:token": anybody("needs a signature", { status: 204 }),
  "POST /delete/:id/:token": anybody("needs a signature"),
};
