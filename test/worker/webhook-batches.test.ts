import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { countDownloads } from "#worker/db/download-counts.ts";
import { servicesFor } from "#worker/services.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { finishedDownload } from "../support/downloads.ts";
import { stubOf } from "../support/chunked.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";
import { addWebhook, ReceiverInbox } from "../support/webhooks.ts";
import { putIncoming, rowOf, runSql, sendFile, signUp } from "../support/worker.ts";

const services = servicesFor(env);

let owner: Awaited<ReturnType<typeof signUp>>;

beforeEach(async () => {
  owner = await signUp();
  await addWebhook(owner, new ReceiverInbox().url);
  // What fails on purpose is logged.
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await mend();
});

/** The database rejects one statement of a batch. @param statement such as `insert on webhook_deliveries` */
const breakAt = (statement: string) =>
  runSql(`create trigger broken before ${statement} begin select raise(abort, 'broken'); end`);
const mend = () => runSql("drop trigger if exists broken");

interface Change {
  type: string;
  /** What of the file's row changes with the event. */
  column: string;
  /** Whether the row has changed: SQL over `files`. */
  isDone: string;
  /** @returns the id of the file that is to be changed */
  prepare(): Promise<string>;
  /** May fail. */
  change(fileId: string): Promise<unknown>;
}

const CHANGES: [string, Change][] = [
  [
    "an upload that finishes",
    {
      type: "transfer.uploaded",
      column: "status",
      isDone: "status = 'ready'",
      prepare: async () => {
        const { uploadId } = await owner.startUpload(10);
        await putIncoming(uploadId, "some bytes");
        return uploadId;
      },
      change: async (id) => {
        const { downloadId } = await rowOf<{ downloadId: string }>(
          "select download_id as downloadId from files where id = ?",
          id,
        );
        const { status } = await owner.complete(downloadId);
        // The alarm goes on where the call failed.
        if (status !== 200) await runDurableObjectAlarm(stubOf(id));
      },
    },
  ],
  [
    "a download that is counted",
    {
      type: "transfer.downloaded",
      column: "download_count",
      isDone: "download_count = 1",
      prepare: async () => (await sendFile(owner, "some bytes")).uploadId,
      change: (id) => countDownloads(services.db, [finishedDownload(id)]),
    },
  ],
  [
    "a download of one file of a transfer",
    {
      type: "transfer.downloaded",
      column: "download_count",
      isDone: "download_count = 1",
      prepare: async () => (await sendTransfer(owner, [textFile("a.txt"), textFile("b.txt")])).uploadId,
      change: (id) => countDownloads(services.db, [finishedDownload(id, { entry: 1 })]),
    },
  ],
  [
    "a link that expires",
    {
      type: "transfer.expired",
      column: "s3_deleted_at",
      isDone: "s3_deleted_at is not null",
      prepare: async () => {
        const { uploadId } = await sendFile(owner, "some bytes");
        await runSql("update files set expires_at = 1 where id = ?", uploadId);
        return uploadId;
      },
      change: () => sweep(services, Date.now),
    },
  ],
  [
    "a link that its owner deletes",
    {
      type: "transfer.deleted",
      column: "deleted_at",
      isDone: "deleted_at is not null",
      prepare: async () => (await sendFile(owner, "some bytes")).uploadId,
      change: (id) => owner.delete(`/api/files/${id}`),
    },
  ],
];

describe.each(CHANGES)("%s, and its event", (_what, { type, column, isDone, prepare, change }) => {
  it.each([
    ["event cannot be written", "insert on webhook_deliveries"],
    ["row cannot be changed", `update of ${column} on files`],
  ])("are neither there while its %s, and both afterwards, once [HOOK-3]", async (_fault, statement) => {
    const id = await prepare();
    const find = () =>
      rowOf<object>(
        `select (${isDone}) as done, (select count(*) from webhook_deliveries where file_id = files.id and type = ?) as events
          from files where id = ?`,
        type,
        id,
      );
    await breakAt(statement);
    await Promise.allSettled([change(id)]);
    expect(await find()).toEqual({ done: 0, events: 0 });
    await mend();
    await change(id);
    expect(await find()).toEqual({ done: 1, events: 1 });
  });
});
