import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { serving } from "../support/serving.ts";
import { withStoppedReplica } from "../support/stopped-replica.ts";
import { change, Client, putOnPlan, sendFile, signUp, stopClockAt } from "../support/worker.ts";

const HOUR = 3_600_000;

/** Every way to a file's bytes: address, method and headers. */
const READS: [string, string, RequestInit][] = [
  ["its bytes", "/content", {}],
  ["its headers", "/content", { method: "HEAD" }],
  ["a range of it", "/content", { headers: { range: "bytes=1-2" } }],
  ["whether it has changed", "/content", { headers: { "if-none-match": "*" } }],
  ["its preview", "/preview", {}],
  ["its preview's headers", "/preview", { method: "HEAD" }],
];

/** What ends a link, and its clock's time after that. */
const ENDS: [string, (file: { uploadId: string; owner: Awaited<ReturnType<typeof signUp>> }) => Promise<number>][] = [
  [
    "has shortened it, and it is over",
    async ({ uploadId, owner }) => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ expiration: "1d" });
      expect((await owner.fetch(`/api/files/${uploadId}`, { method: "PATCH", headers, body })).status).toBe(200);
      return Date.now() + 25 * HOUR;
    },
  ],
  [
    "has deleted it",
    async ({ uploadId }) => {
      // As the deletion begins: its bytes are still in storage.
      await change("update files set deleted_at = 1, expires_at = 1 where id = ?", uploadId);
      return Date.now();
    },
  ],
];

afterEach(() => {
  vi.useRealTimers();
});

describe.each(ENDS)("where a replica has not heard that the owner %s", (_what, end) => {
  it.each(READS)("nobody is served %s", async (_read, path, init) => {
    const owner = await signUp();
    await putOnPlan(owner.email, "ultimate");
    const file = await sendFile(owner, "0123456789", { expiration: "30d" });
    const visitor = new Client("", serving({ ...env, DB: withStoppedReplica() }));
    const read = () => visitor.fetch(`/api/files/download/${file.downloadId}${path}`, init);
    expect((await visitor.fetch(`/api/files/download/${file.downloadId}`)).status).toBe(200);
    const before = await read();
    await before.arrayBuffer();
    expect(before.status).toBeLessThan(400);
    stopClockAt(await end({ ...file, owner }));
    expect((await read()).status).toBe(410);
  });
});

it("a link that a replica does not know is asked for at the primary", async () => {
  const visitor = new Client("", serving({ ...env, DB: withStoppedReplica() }));
  const owner = await signUp();
  const { downloadId } = await owner.startUpload(5);
  expect((await visitor.fetch(`/api/files/download/${downloadId}`)).status).toBe(200);
  await change("update files set status = 'ready', uploaded_at = 1, etag = 'e' where download_id = ?", downloadId);
  const info = await (await visitor.fetch(`/api/files/download/${downloadId}`)).json();
  expect(info).toMatchObject({ status: "ready" });
});
