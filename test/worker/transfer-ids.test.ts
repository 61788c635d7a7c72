// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finalize, put } from "../support/chunked.ts";
import { FILE_CASES, TRANSFER_CASES, type Ids } from "../support/id-cases.ts";
import { finish, sendBatch } from "../support/transfers.ts";
import { answerOf, logInAdmin, putOnPlan, runSql, signUp, type Client } from "../support/worker.ts";

const bytes = new TextEncoder().encode("hello");

let sender: Client & { email: string; id: string };
let admin: Client;

beforeAll(async () => {
  sender = await signUp();
  await putOnPlan(sender.email, "ultimate");
  admin = await logInAdmin();
});

/** Frees the limit on unfinished uploads for later tests. */
afterAll(() => runSql("update files set status = 'cancelled' where status = 'uploading' and user_id = ?", sender.id));

function putBytes(path: string): Promise<Response> {
  return sender.fetch(path, { method: "PUT", headers: { "content-length": "5" }, body: bytes });
}

type Call = (ids: Ids) => Promise<Response>;

const USE_TRANSFERS = "This upload is a transfer of many files. Use the calls of /api/transfers for it.";
const USE_DIRECT_UPLOAD = "This upload is a single file. Use the calls of /api/direct-upload for it.";

const SINGLE_FILE_CALLS: Record<string, Call> = {
  "sign-parts": ({ downloadId }) => sender.post("/api/direct-upload/sign-parts", { downloadId, parts: [1] }),
  "a part": ({ downloadId }) => putBytes(`/api/direct-upload/parts/${downloadId}/1`),
  complete: ({ downloadId }) => sender.complete(downloadId),
  "a chunk": ({ uploadId }) => put(sender, uploadId, 0, bytes),
  finalize: ({ uploadId }) => finalize(sender, uploadId),
};

const TRANSFER_CALLS = ["a batch", "a part of an object", "finish"];

const NOT_FOUND = new Set(["deleted", "othersUpload", "othersChunks", "othersFile", "unknown"]);

/** The status for each kind of transfer. */
const STATUSES: Record<string, { call: Call; statuses: Record<keyof typeof TRANSFER_CASES, number> }> = {
  "a batch": {
    call: ({ downloadId }) => sendBatch(sender, downloadId, {}),
    statuses: { transfer: 200, finishedTransfer: 409, cancelledTransfer: 409, othersTransfer: 404 },
  },
  "a part of an object": {
    call: ({ downloadId }) => putBytes(`/api/transfers/${downloadId}/objects/0/1`),
    statuses: { transfer: 200, finishedTransfer: 409, cancelledTransfer: 409, othersTransfer: 404 },
  },
  finish: {
    // 422: nothing was sent yet. 200: a finished transfer answers its link again.
    call: ({ downloadId }) => finish(sender, downloadId),
    statuses: { transfer: 422, finishedTransfer: 200, cancelledTransfer: 409, othersTransfer: 404 },
  },
  cancel: {
    call: ({ downloadId }) => sender.post("/api/direct-upload/cancel", { downloadId }),
    statuses: { transfer: 200, finishedTransfer: 409, cancelledTransfer: 200, othersTransfer: 404 },
  },
  "mail the link": {
    call: ({ uploadId }) => sender.post(`/api/files/${uploadId}/share`, { email: "friend@example.com" }),
    statuses: { transfer: 404, finishedTransfer: 200, cancelledTransfer: 404, othersTransfer: 404 },
  },
  delete: {
    call: ({ uploadId }) => sender.delete(`/api/files/${uploadId}`),
    statuses: { transfer: 200, finishedTransfer: 200, cancelledTransfer: 404, othersTransfer: 404 },
  },
  "a link's file information": {
    call: ({ downloadId }) => sender.fetch(`/api/files/download/${downloadId}`),
    statuses: { transfer: 200, finishedTransfer: 200, cancelledTransfer: 404, othersTransfer: 200 },
  },
  report: {
    call: ({ downloadId }) => sender.post(`/api/files/download/${downloadId}/report`, { reason: "other" }),
    statuses: { transfer: 201, finishedTransfer: 201, cancelledTransfer: 404, othersTransfer: 201 },
  },
  "take a transfer down": {
    call: ({ uploadId }) => admin.post(`/api/admin/files/${uploadId}/take-down`, { reason: "It is harmful." }),
    statuses: { transfer: 200, finishedTransfer: 200, cancelledTransfer: 404, othersTransfer: 200 },
  },
};

describe("a transfer's id", () => {
  it.each(Object.entries(SINGLE_FILE_CALLS))("is 400 with the right call in words: %s [TRF-7]", async (_name, call) => {
    for (const kind of ["transfer", "finishedTransfer", "cancelledTransfer"] as const) {
      const answer = await answerOf(call(await TRANSFER_CASES[kind](sender)));
      expect([kind, ...answer]).toMatchObject([kind, 400, { code: "BAD_REQUEST", message: USE_TRANSFERS }]);
    }
    expect((await call(await TRANSFER_CASES.othersTransfer())).status).toBe(404);
  });

  it.each(Object.entries(STATUSES))(
    "has the right status and a clear message: %s [TRF-7]",
    async (_name, { call, statuses }) => {
      const answered: Record<string, number> = {};
      for (const [kind, create] of Object.entries(TRANSFER_CASES)) {
        const response = await call(await create(sender));
        answered[kind] = response.status;
        const text = await response.text();
        if (response.status >= 400)
          expect(JSON.parse(text)).toMatchObject({ message: expect.stringMatching(/^[A-Z0-9].*\.$/) as string });
      }
      expect(answered).toEqual(statuses);
    },
  );
});

describe("a single file's id", () => {
  it.each(TRANSFER_CALLS)("is 400 with the right call in words: %s [TRF-7]", async (name) => {
    const { call } = STATUSES[name] ?? expect.unreachable();
    for (const kind of Object.keys(FILE_CASES) as (keyof typeof FILE_CASES)[]) {
      const [status, { message }] = await answerOf(call(await FILE_CASES[kind](sender)));
      const expected = NOT_FOUND.has(kind)
        ? [404, "This file does not exist, or the link is incorrect."]
        : [400, USE_DIRECT_UPLOAD];
      expect([kind, status, message]).toEqual([
        kind,
        ...(kind === "swapped" ? [400, "downloadId must be a download id."] : expected),
      ]);
    }
  });
});
