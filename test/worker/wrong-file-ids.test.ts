import { afterAll, beforeAll, describe, it } from "vitest";
import type { Ids } from "../support/id-cases.ts";
import { logInAdmin, putOnPlan, runSql, signUp, type Client } from "../support/worker.ts";
import { expectStatuses, type CallWithIds } from "../support/wrong-ids.ts";

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

function renameFile(id: string): Promise<Response> {
  const init = { method: "PATCH", headers: { "content-type": "application/json" }, body: '{"filename":"b.txt"}' };
  return sender.fetch(`/api/files/${id}`, init);
}
const CALLS: Record<string, CallWithIds> = {
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

describe("every id case of a file", () => {
  it.each(Object.entries(CALLS))("gets the right status and a clear message from: %s", async (_name, call) => {
    await expectStatuses(call, sender);
  });
});
