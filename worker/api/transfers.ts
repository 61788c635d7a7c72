import { Hono } from "hono";
import { MAX_BATCH_BYTES } from "#domain/transfers/limits.ts";
import {
  downloadId as downloadIdSchema,
  finishTransferRequest,
  objectInAddress,
  partNumber,
  startTransferRequest,
  transferBatchRequest,
  type FinishTransferAnswer,
  type SentAnswer,
} from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { finishTransfer, proxyObjectPart, sendBatch } from "../transfers/continue-transfer.ts";
import { startTransfer } from "../transfers/start-transfer.ts";
import { logRejections } from "../uploads/upload-log.ts";
import { readFromCaller, requireStarter, requireCaller } from "./caller.ts";
import { enforceStartLimit } from "./direct-upload.ts";
import { contentLength, MANIFEST_BODY_MAX_BYTES, parse, readJson } from "./input.ts";

const ZIP = "application/zip";

/** What a sender through a request is told, who gets no link. */
function withoutLink({ shareUrl: _link, downloadUrl: _bytes, ...answer }: FinishTransferAnswer): SentAnswer {
  return answer;
}

/** Uploads of many files behind one link. */
export const transferRoutes = new Hono<AppEnv>()
  .post("/", async (c) => {
    const { services } = c.get("context");
    const caller = await requireStarter(c);
    const maxSealedBytes = MAX_BATCH_BYTES + MANIFEST_BODY_MAX_BYTES;
    const request = await readJson(c, startTransferRequest, MAX_BATCH_BYTES, maxSealedBytes);
    const requested = { filename: request.title ?? "", sizeBytes: request.totals.bytes, mimeType: ZIP };
    const start = () => startTransfer(services, caller, request, enforceStartLimit(c, caller), Date.now());
    return c.json(await logRejections(services, caller, requested, start));
  })
  .post("/:downloadId/batch", async (c) => {
    const downloadId = parse(downloadIdSchema, c.req.param("downloadId"), "downloadId");
    const { caller, request } = await readFromCaller(c, transferBatchRequest, MAX_BATCH_BYTES);
    return c.json(await sendBatch(c.get("context").services, caller, downloadId, request));
  })
  .put("/:downloadId/objects/:object/:part", async (c) => {
    const caller = await requireCaller(c);
    const address = {
      downloadId: parse(downloadIdSchema, c.req.param("downloadId"), "downloadId"),
      object: parse(objectInAddress, c.req.param("object"), "object"),
      part: parse(partNumber, Number(c.req.param("part")), "part"),
    };
    const body = c.req.raw.body ?? new Blob([]).stream();
    const receipt = await proxyObjectPart(c.get("context").services, caller, address, {
      length: contentLength(c),
      body,
    });
    c.header("etag", `"${receipt.etag}"`);
    return c.json(receipt);
  })
  .post("/:downloadId/finish", async (c) => {
    const downloadId = parse(downloadIdSchema, c.req.param("downloadId"), "downloadId");
    const { caller, request } = await readFromCaller(c, finishTransferRequest);
    const answer = await finishTransfer(c.get("context").services, caller, downloadId, request);
    return c.json((await caller).kind === "sender" ? withoutLink(answer) : answer);
  });
