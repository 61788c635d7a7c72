import { MAX_BATCH_BYTES } from "../transfers/limits.ts";
import * as wire from "../wire.ts";
import { json, member, sender, starter } from "./call.ts";

/** Starts by visitors count for the rate limit `anonymousUpload`, so the handler checks the limits. */
const handler = "limits";

/** Calls for single files, whose bytes go straight to storage, or through the calls `parts` and `proxy-upload`. */
export const UPLOAD_CALLS = {
  "POST /api/direct-upload/presigned-url": starter("startUpload", {
    needsHuman: true,
    handler,
    body: wire.startUploadRequest,
    answer: json<wire.StartUploadAnswer>(),
  }),
  "POST /api/direct-upload/sign-parts": sender({ body: wire.signPartsRequest, answer: json<wire.SignPartsAnswer>() }),
  "PUT /api/direct-upload/parts/:downloadId/:part": sender({
    handler: "reads",
    query: wire.proxiedPartQuery,
    answer: json<wire.CompletedPart>(),
  }),
  "POST /api/direct-upload/complete": sender({
    body: wire.completeUploadRequest,
    answer: json<wire.CompleteUploadAnswer>(),
  }),
  "POST /api/direct-upload/cancel": sender({ body: wire.cancelUploadRequest, says: "The upload was cancelled." }),
  "POST /api/direct-upload/failed": sender({ body: wire.failedUploadRequest, says: "The summary was kept." }),
  "GET /api/direct-upload/unfinished": member({ answer: json<wire.UnfinishedUpload[]>() }),
  "POST /api/direct-upload/proxy-upload": starter("startUpload", {
    needsHuman: true,
    handler,
    answer: json<wire.ProxyUploadAnswer>(),
  }),
};

/** Calls for single files in chunks. Each chunk is a form. */
export const CHUNKED_CALLS = {
  "POST /api/chunked-upload/init": starter("startUpload", {
    needsHuman: true,
    handler,
    body: wire.initChunkedRequest,
    answer: json<wire.InitChunkedAnswer>(),
  }),
  "POST /api/chunked-upload/chunk": sender({ answer: json<wire.ChunkAnswer>() }),
  "POST /api/chunked-upload/finalize": sender({
    body: wire.finalizeChunkedRequest,
    answer: json<wire.FinalizeChunkedAnswer>(),
  }),
};

const params = { downloadId: wire.downloadId };

export const TRANSFER_CALLS = {
  "POST /api/transfers": starter("startUpload", {
    needsHuman: true,
    handler,
    body: wire.startTransferRequest,
    maxBytes: MAX_BATCH_BYTES,
    maxSealedBytes: MAX_BATCH_BYTES + wire.MANIFEST_BODY_MAX_BYTES,
    answer: json<wire.StartTransferAnswer>(),
  }),
  "POST /api/transfers/:downloadId/batch": sender({
    params,
    body: wire.transferBatchRequest,
    maxBytes: MAX_BATCH_BYTES,
    answer: json<wire.TransferBatchAnswer>(),
  }),
  "PUT /api/transfers/:downloadId/objects/:object/:part": sender({
    answer: json<Pick<wire.CompletedObjectPart, "object" | "part" | "etag">>(),
  }),
  // A sender through a request gets a `SentAnswer`, without a link.
  "POST /api/transfers/:downloadId/finish": sender({
    params,
    body: wire.finishTransferRequest,
    answer: json<wire.FinishTransferAnswer>(),
  }),
};

export const PICTURE_CALLS = {
  // A form with pictures of files: `{n}.tile` and `{n}.view`, and as texts `{n}.seconds` and `{n}.about`.
  "POST /api/pictures/:downloadId": sender({ params, handler: "reads", answer: json<wire.StorePicturesAnswer>() }),
};
