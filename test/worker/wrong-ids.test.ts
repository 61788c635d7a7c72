// @module-tag long
import { afterAll, beforeAll, describe, it } from "vitest";
import { finalize, put } from "../support/chunked.ts";
import { putOnPlan, runSql, signUp, type Client } from "../support/worker.ts";
import { expectStatuses, type CallWithIds } from "../support/wrong-ids.ts";

const bytes = new TextEncoder().encode("hello");

/** The caller, and the owner of the ids unless the case says otherwise. */
let sender: Client & { email: string; id: string };

beforeAll(async () => {
  sender = await signUp();
  await putOnPlan(sender.email, "ultimate");
});

/** Frees the limit on unfinished uploads for later tests. */
afterAll(() => runSql("update files set status = 'cancelled' where status = 'uploading' and user_id = ?", sender.id));

function putPart(downloadId: string): Promise<Response> {
  const init = { method: "PUT", headers: { "content-length": "5" }, body: bytes };
  return sender.fetch(`/api/direct-upload/parts/${downloadId}/1`, init);
}

const CALLS: Record<string, CallWithIds> = {
  "sign-parts": {
    call: ({ downloadId }) => sender.post("/api/direct-upload/sign-parts", { downloadId, parts: [1] }),
    statuses: {
      small: 200,
      inParts: 200,
      inChunks: 400,
      emptyInChunks: 400,
      finished: 409,
      finishedInChunks: 409,
      cancelled: 409,
      cancelledInChunks: 409,
      failed: 409,
      deleted: 404,
      expired: 409,
      othersUpload: 404,
      othersChunks: 404,
      othersFile: 404,
      unknown: 404,
      swapped: 400,
    },
  },
  "a part": {
    call: ({ downloadId }) => putPart(downloadId),
    statuses: {
      // Part 1 of a multipart upload has 8 MiB.
      small: 200,
      inParts: 400,
      inChunks: 400,
      emptyInChunks: 400,
      finished: 409,
      finishedInChunks: 409,
      cancelled: 409,
      cancelledInChunks: 409,
      failed: 409,
      deleted: 404,
      expired: 409,
      othersUpload: 404,
      othersChunks: 404,
      othersFile: 404,
      unknown: 404,
      swapped: 400,
    },
  },
  complete: {
    call: ({ downloadId }) => sender.complete(downloadId),
    statuses: {
      // 422: nothing was uploaded yet. 200: a finished upload returns its link again, with any transport.
      small: 422,
      inParts: 422,
      inChunks: 400,
      emptyInChunks: 400,
      finished: 200,
      finishedInChunks: 200,
      cancelled: 409,
      cancelledInChunks: 409,
      failed: 409,
      deleted: 404,
      expired: 200,
      othersUpload: 404,
      othersChunks: 404,
      othersFile: 404,
      unknown: 404,
      swapped: 400,
    },
  },
  cancel: {
    call: ({ downloadId }) => sender.post("/api/direct-upload/cancel", { downloadId }),
    statuses: {
      // Cancels chunked uploads too; idempotent.
      small: 200,
      inParts: 200,
      inChunks: 200,
      emptyInChunks: 200,
      finished: 409,
      finishedInChunks: 409,
      cancelled: 200,
      cancelledInChunks: 200,
      failed: 200,
      deleted: 404,
      expired: 409,
      othersUpload: 404,
      othersChunks: 404,
      othersFile: 404,
      unknown: 404,
      swapped: 400,
    },
  },
  "a chunk": {
    call: ({ uploadId }) => put(sender, uploadId, 0, bytes),
    statuses: {
      small: 400,
      inParts: 400,
      inChunks: 200,
      emptyInChunks: 400,
      finished: 409,
      finishedInChunks: 409,
      cancelled: 409,
      cancelledInChunks: 409,
      failed: 409,
      deleted: 404,
      expired: 409,
      othersUpload: 404,
      othersChunks: 404,
      othersFile: 404,
      unknown: 404,
      swapped: 400,
    },
  },
  finalize: {
    call: ({ uploadId }) => finalize(sender, uploadId),
    statuses: {
      // As for complete.
      small: 400,
      inParts: 400,
      inChunks: 422,
      emptyInChunks: 200,
      finished: 200,
      finishedInChunks: 200,
      cancelled: 409,
      cancelledInChunks: 409,
      failed: 409,
      deleted: 404,
      expired: 200,
      othersUpload: 404,
      othersChunks: 404,
      othersFile: 404,
      unknown: 404,
      swapped: 400,
    },
  },
};

describe("every id case", () => {
  it.each(Object.entries(CALLS))("gets the right status and a clear message from: %s", async (_name, call) => {
    await expectStatuses(call, sender);
  });
});
