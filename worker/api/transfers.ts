import type { TRANSFER_CALLS } from "#domain/calls/uploads.ts";
import {
  downloadId as downloadIdSchema,
  objectParam,
  partNumber,
  type FinishTransferAnswer,
  type SentAnswer,
} from "#domain/wire.ts";
import { finishTransfer, proxyObjectPart, sendBatch } from "../transfers/continue-transfer.ts";
import { startTransfer } from "../transfers/start-transfer.ts";
import { logRejections } from "../uploads/upload-log.ts";
import { enforceStartLimit } from "./direct-upload.ts";
import { contentLength, parse } from "./input.ts";
import type { Handlers } from "./mount.ts";

const ZIP = "application/zip";

/** Omits both links from the answer, because a sender through a request gets no link. */
function withoutLink({ shareUrl: _link, downloadUrl: _bytes, ...answer }: FinishTransferAnswer): SentAnswer {
  return answer;
}

export const transferHandlers: Handlers<typeof TRANSFER_CALLS> = {
  "POST /api/transfers": ({ context, services, caller, body, now }) => {
    const requested = { filename: body.title ?? "", sizeBytes: body.totals.bytes, mimeType: ZIP };
    return logRejections(services, caller, requested, () =>
      startTransfer(services, caller, body, enforceStartLimit(context, caller), now),
    );
  },
  "POST /api/transfers/:downloadId/batch": ({ services, caller, params, body }) =>
    sendBatch(services, caller, params.downloadId, body),
  "PUT /api/transfers/:downloadId/objects/:object/:part": async ({ c, services, caller: lookup, params }) => {
    const caller = await lookup;
    const address = {
      downloadId: parse(downloadIdSchema, params.downloadId, "downloadId"),
      object: parse(objectParam, params.object, "object"),
      part: parse(partNumber, Number(params.part), "part"),
    };
    const body = c.req.raw.body ?? new Blob([]).stream();
    const receipt = await proxyObjectPart(services, caller, address, { length: contentLength(c), body });
    c.header("etag", `"${receipt.etag}"`);
    return receipt;
  },
  "POST /api/transfers/:downloadId/finish": async ({ c, services, caller, params, body }) => {
    const answer = await finishTransfer(services, caller, params.downloadId, body);
    return (await caller).kind === "sender" ? c.json(withoutLink(answer)) : answer;
  },
};
