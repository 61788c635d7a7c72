import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finalize, put } from "../support/chunked.ts";
import { FILE_CASES, type Ids } from "../support/id-cases.ts";
import { runSql, logInAdmin, putOnPlan, signUp, type Client } from "../support/worker.ts";

type FileCase = keyof typeof FILE_CASES;

/** The expected status for each id case. */
type Statuses = Record<FileCase, number>;

const bytes = new TextEncoder().encode("hello");

/** The caller, and the owner of the ids unless the case says otherwise. */
let sender: Client & { email: string; id: string };
let admin: Client;

beforeAll(async () => {
  sender = await signUp();
  await putOnPlan(sender.email, "ultimate");
  admin = await logInAdmin();
});

/** Frees the limit on unfinished uploads for later tests. */
afterAll(() => runSql("update files set status = 'cancelled' where status = 'uploading' and user_id = ?", sender.id));

function putPart(downloadId: string): Promise<Response> {
  const init = { method: "PUT", headers: { "content-length": "5" }, body: bytes };
  return sender.fetch(`/api/direct-upload/parts/${downloadId}/1`, init);
}

function renameFile(id: string): Promise<Response> {
  const init = { method: "PATCH", headers: { "content-type": "application/json" }, body: '{"filename":"b.txt"}' };
  return sender.fetch(`/api/files/${id}`, init);
}

const CALLS: Record<string, { call: (ids: Ids) => Promise<Response>; statuses: Statuses }> = {
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
  rename: {
    call: ({ uploadId }) => renameFile(uploadId),
    statuses: {
      small: 404,
      inParts: 404,
      inChunks: 404,
      emptyInChunks: 404,
      finished: 200,
      finishedInChunks: 200,
      cancelled: 404,
      cancelledInChunks: 404,
      failed: 404,
      deleted: 404,
      expired: 410,
      othersUpload: 404,
      othersChunks: 404,
      othersFile: 404,
      unknown: 404,
      swapped: 404,
    },
  },
  "mail the link": {
    call: ({ uploadId }) => sender.post(`/api/files/${uploadId}/share`, { email: "friend@example.com" }),
    statuses: {
      small: 404,
      inParts: 404,
      inChunks: 404,
      emptyInChunks: 404,
      finished: 200,
      finishedInChunks: 200,
      cancelled: 404,
      cancelledInChunks: 404,
      failed: 404,
      deleted: 404,
      expired: 410,
      othersUpload: 404,
      othersChunks: 404,
      othersFile: 404,
      unknown: 404,
      swapped: 404,
    },
  },
  delete: {
    call: ({ uploadId }) => sender.delete(`/api/files/${uploadId}`),
    statuses: {
      small: 404,
      inParts: 404,
      inChunks: 404,
      emptyInChunks: 404,
      finished: 200,
      finishedInChunks: 200,
      cancelled: 404,
      cancelledInChunks: 404,
      failed: 404,
      deleted: 404,
      expired: 200,
      othersUpload: 404,
      othersChunks: 404,
      othersFile: 404,
      unknown: 404,
      swapped: 404,
    },
  },
  "a link's file information": {
    call: ({ downloadId }) => sender.fetch(`/api/files/download/${downloadId}`),
    statuses: {
      small: 200,
      inParts: 200,
      inChunks: 200,
      emptyInChunks: 200,
      finished: 200,
      finishedInChunks: 200,
      cancelled: 404,
      cancelledInChunks: 404,
      failed: 404,
      deleted: 410,
      expired: 410,
      othersUpload: 200,
      othersChunks: 200,
      othersFile: 200,
      unknown: 404,
      swapped: 404,
    },
  },
  ...Object.fromEntries(
    ["content", "preview"].map((end) => [
      `a link's ${end}`,
      {
        call: ({ downloadId }: Ids) => sender.fetch(`/api/files/download/${downloadId}/${end}`),
        statuses: {
          small: 409,
          inParts: 409,
          inChunks: 409,
          emptyInChunks: 409,
          finished: 200,
          finishedInChunks: 200,
          cancelled: 404,
          cancelledInChunks: 404,
          failed: 404,
          deleted: 410,
          expired: 410,
          othersUpload: 409,
          othersChunks: 409,
          othersFile: 200,
          unknown: 404,
          swapped: 404,
        },
      },
    ]),
  ),
  "report a file": {
    call: ({ downloadId }) => sender.post(`/api/files/download/${downloadId}/report`, { reason: "other" }),
    statuses: {
      small: 201,
      inParts: 201,
      inChunks: 201,
      emptyInChunks: 201,
      finished: 201,
      finishedInChunks: 201,
      cancelled: 404,
      cancelledInChunks: 404,
      failed: 404,
      deleted: 410,
      expired: 410,
      othersUpload: 201,
      othersChunks: 201,
      othersFile: 201,
      unknown: 404,
      swapped: 404,
    },
  },
  "take a file down": {
    call: ({ uploadId }) => admin.post(`/api/admin/files/${uploadId}/take-down`, { reason: "It is harmful." }),
    statuses: {
      small: 404,
      inParts: 404,
      inChunks: 404,
      emptyInChunks: 404,
      finished: 200,
      finishedInChunks: 200,
      cancelled: 404,
      cancelledInChunks: 404,
      failed: 404,
      deleted: 410,
      expired: 410,
      othersUpload: 404,
      othersChunks: 404,
      othersFile: 200,
      unknown: 404,
      swapped: 404,
    },
  },
  "delete a file as an administrator": {
    call: ({ uploadId }) => admin.delete(`/api/admin/files/${uploadId}`),
    statuses: {
      small: 404,
      inParts: 404,
      inChunks: 404,
      emptyInChunks: 404,
      finished: 200,
      finishedInChunks: 200,
      cancelled: 404,
      cancelledInChunks: 404,
      failed: 404,
      deleted: 404,
      expired: 200,
      othersUpload: 404,
      othersChunks: 404,
      othersFile: 200,
      unknown: 404,
      swapped: 404,
    },
  },
};

describe("every id case", () => {
  it.each(Object.entries(CALLS))(
    "gets the right status and a clear message from: %s",
    async (_name, { call, statuses }) => {
      const answered: Partial<Statuses> = {};
      for (const kind of Object.keys(statuses) as FileCase[]) {
        const response = await call(await FILE_CASES[kind](sender));
        const text = await response.text();
        answered[kind] = response.status;
        if (response.status >= 400) {
          const { message } = JSON.parse(text) as { message: string };
          expect(message, `${kind}: ${text}`).toMatch(/^(?:[A-Z]|downloadId |uploadId ).*\.$/);
        }
      }
      expect(answered).toEqual(statuses);
    },
  );
});
