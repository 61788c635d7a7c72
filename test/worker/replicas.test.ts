import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { workerWith } from "../support/worker-with-env.ts";
import { withStaleReplica } from "../support/stale-replica.ts";
import { runSql, Client, putOnPlan, sendFile, signUp, stopClockAt } from "../support/worker.ts";

const HOUR = 3_600_000;

/** Every request that reads a file: description, path and options. */
const READS: [string, string, RequestInit][] = [
  ["its bytes", "/content", {}],
  ["its headers", "/content", { method: "HEAD" }],
  ["a range of it", "/content", { headers: { range: "bytes=1-2" } }],
  ["a conditional answer", "/content", { headers: { "if-none-match": "*" } }],
  ["its preview", "/preview", {}],
  ["its preview's headers", "/preview", { method: "HEAD" }],
];

/** Ends a link; returns the time to read it at. */
const ENDS: [string, (file: { uploadId: string; owner: Awaited<ReturnType<typeof signUp>> }) => Promise<number>][] = [
  [
    "shortened its life, and it expired",
    async ({ uploadId, owner }) => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ expiration: "1d" });
      expect((await owner.fetch(`/api/files/${uploadId}`, { method: "PATCH", headers, body })).status).toBe(200);
      return Date.now() + 25 * HOUR;
    },
  ],
  [
    "deleted it",
    async ({ uploadId }) => {
      // At the start of the deletion, when the object still exists.
      await runSql("update files set deleted_at = 1, expires_at = 1 where id = ?", uploadId);
      return Date.now();
    },
  ],
];

describe.each(ENDS)("a link that a replica still serves after the owner %s", (_what, end) => {
  it.each(READS)("does not give %s", async (_read, path, init) => {
    const owner = await signUp();
    await putOnPlan(owner.email, "ultimate");
    const file = await sendFile(owner, "0123456789", { expiration: "30d" });
    const visitor = new Client("", workerWith({ ...env, DB: withStaleReplica() }));
    const read = () => visitor.fetch(`/api/files/download/${file.downloadId}${path}`, init);
    expect((await visitor.fetch(`/api/files/download/${file.downloadId}`)).status).toBe(200);
    const before = await read();
    await before.arrayBuffer();
    expect(before.status).toBeLessThan(400);
    stopClockAt(await end({ ...file, owner }));
    expect((await read()).status).toBe(410);
  });
});

it("a link that a replica does not know is looked up at the primary", async () => {
  const visitor = new Client("", workerWith({ ...env, DB: withStaleReplica() }));
  const owner = await signUp();
  const { downloadId } = await owner.startUpload(5);
  expect((await visitor.fetch(`/api/files/download/${downloadId}`)).status).toBe(200);
  await runSql("update files set status = 'ready', uploaded_at = 1, etag = 'e' where download_id = ?", downloadId);
  const info = await (await visitor.fetch(`/api/files/download/${downloadId}`)).json();
  expect(info).toMatchObject({ status: "ready" });
});
