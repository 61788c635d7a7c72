// @module-tag long
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

/** Of a call that finds no file for any id. */
const NOT_FOUND: CallWithIds["statuses"] = {
  small: 404,
  inParts: 404,
  inChunks: 404,
  emptyInChunks: 404,
  finished: 404,
  finishedInChunks: 404,
  cancelled: 404,
  cancelledInChunks: 404,
  failed: 404,
  deleted: 404,
  expired: 404,
  othersUpload: 404,
  othersChunks: 404,
  othersFile: 404,
  unknown: 404,
  swapped: 404,
};
const FOUND_WHEN_FINISHED = { ...NOT_FOUND, finished: 200, finishedInChunks: 200 };
/** A link says more than an id: that its file is being uploaded, and that it has ended. */
const ENDED = { deleted: 410, expired: 410 };
const ofUploads = (status: number) => ({
  small: status,
  inParts: status,
  inChunks: status,
  emptyInChunks: status,
  othersUpload: status,
  othersChunks: status,
});
const ofFiles = (status: number) => ({ finished: status, finishedInChunks: status, othersFile: status });

const CALLS: Record<string, CallWithIds> = {
  rename: {
    call: ({ uploadId }) => renameFile(uploadId),
    statuses: { ...FOUND_WHEN_FINISHED, expired: 410 },
  },
  "mail the link": {
    call: ({ uploadId }) => sender.post(`/api/files/${uploadId}/share`, { email: "friend@example.com" }),
    statuses: { ...FOUND_WHEN_FINISHED, expired: 410 },
  },
  delete: {
    call: ({ uploadId }) => sender.delete(`/api/files/${uploadId}`),
    statuses: { ...FOUND_WHEN_FINISHED, small: 200, inParts: 200, inChunks: 200, emptyInChunks: 200, expired: 200 },
  },
  "a link's file information": {
    call: ({ downloadId }) => sender.fetch(`/api/files/download/${downloadId}`),
    statuses: { ...NOT_FOUND, ...ofUploads(200), ...ofFiles(200), ...ENDED },
  },
  ...Object.fromEntries(
    ["content", "preview"].map((end) => [
      `a link's ${end}`,
      {
        call: ({ downloadId }: Ids) => sender.fetch(`/api/files/download/${downloadId}/${end}`),
        statuses: { ...NOT_FOUND, ...ofUploads(409), ...ofFiles(200), ...ENDED },
      },
    ]),
  ),
  "report a file": {
    call: ({ downloadId }) => sender.post(`/api/files/download/${downloadId}/report`, { reason: "other" }),
    statuses: { ...NOT_FOUND, ...ofUploads(201), ...ofFiles(201), ...ENDED },
  },
  "take a file down": {
    call: ({ uploadId }) => admin.post(`/api/admin/files/${uploadId}/take-down`, { reason: "It is harmful." }),
    statuses: { ...NOT_FOUND, ...ofUploads(200), ...ofFiles(200), ...ENDED },
  },
  "delete a file as an administrator": {
    call: ({ uploadId }) => admin.delete(`/api/admin/files/${uploadId}`),
    statuses: { ...NOT_FOUND, ...ofUploads(200), ...ofFiles(200), expired: 200 },
  },
};

describe("every id case of a file", () => {
  it.each(Object.entries(CALLS))("gets the right status and a clear message from: %s", async (_name, call) => {
    await expectStatuses(call, sender);
  });
});
