import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "#domain/units.ts";
import { inspectWindow } from "#worker/sweep/reconciliation.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { servicesFor } from "#worker/services.ts";
import { downloadsCounted } from "../support/downloads.ts";
import { FeedPage } from "../support/feed.ts";
import { Recipient } from "../support/recipient.ts";
import { emptyStorageAndTables, storedKeys } from "../support/storage-and-rows.ts";
import {
  Client,
  contentPath,
  patternBytes,
  rowOf,
  runSql,
  sendFile,
  signUp,
  stopClockAt,
  type SentFile,
} from "../support/worker.ts";

const services = servicesFor(env);
const BYTES = patternBytes(3000);
/** Segments of 700, 700, 700, 600 and 300 bytes. */
const LAYOUT = [
  [3, 700],
  [1, 600],
  [1, 300],
];
const EDGES = [0, 700, 1400, 2100, 2700, 3000];
const visitor = new Client();

beforeEach(emptyStorageAndTables);

/** Sends a file, and stores it as segments. */
async function sendSegments(person: Client, more: Record<string, unknown> = {}): Promise<SentFile> {
  const sent = await sendFile(person, BYTES, more);
  const id = sent.uploadId;
  await env.BUCKET.delete(`files/${id}`);
  for (const [object, start] of EDGES.slice(0, -1).entries()) {
    await env.BUCKET.put(`files/${id}/0000${object}`, BYTES.subarray(start, EDGES[object + 1]));
  }
  await runSql(
    "update files set s3_key = 'files/' || id || '/', object_count = 5, layout = ? where id = ?",
    JSON.stringify(LAYOUT),
    id,
  );
  return sent;
}

async function bytesOf(response: Response): Promise<number[]> {
  return [...new Uint8Array(await response.arrayBuffer())];
}

describe("a file in segments", () => {
  it("is downloaded as one file, and counted once [FOL-2]", async () => {
    const { uploadId, downloadId } = await sendSegments(await signUp());
    const response = await visitor.fetch(contentPath(downloadId));
    expect([response.status, response.headers.get("content-length")]).toEqual([200, "3000"]);
    expect(await bytesOf(response)).toEqual([...BYTES]);
    const count = () => rowOf("select download_count as n from files where id = ?", uploadId);
    await expect.poll(count).toEqual({ n: 1 });
    // A message too many would come by now.
    await downloadsCounted();
    expect(await count()).toEqual({ n: 1 });
  });

  it("answers every range around its edges with exactly these bytes [FOL-2]", async () => {
    const { downloadId } = await sendSegments(await signUp());
    const { headers } = await visitor.fetch(contentPath(downloadId), { method: "HEAD" });
    const ifRange = headers.get("etag") ?? "";
    const positions = EDGES.flatMap((edge) => [edge - 1, edge, edge + 1]).filter((at) => at >= 0 && at < 3000);
    for (const from of positions) {
      for (const to of positions.filter((last) => last >= from)) {
        const range = `bytes=${from}-${to}`;
        const response = await visitor.fetch(contentPath(downloadId), { headers: { range, "if-range": ifRange } });
        expect([response.status, response.headers.get("content-range")]).toEqual([206, `bytes ${from}-${to}/3000`]);
        expect(await bytesOf(response)).toEqual([...BYTES.subarray(from, to + 1)]);
      }
    }
  });

  it("is counted by the gate of a limited link like any other [FOL-2]", async () => {
    const { downloadId } = await sendSegments(await signUp(), { guards: { maxDownloads: 1 } });
    const first = new Recipient();
    await first.take(downloadId);
    expect(await bytesOf(await first.content(downloadId))).toEqual([...BYTES]);
    await expect.poll(async () => (await new Recipient().take(downloadId)).status).toBe(410);
  });

  it("is gone when its first segment is, and breaks off where another is missing [FOL-2]", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendSegments(person);
    const page = await FeedPage.open(person);
    await env.BUCKET.delete(`files/${uploadId}/00003`);
    const response = await visitor.fetch(contentPath(downloadId));
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(await page.ended(1)).toMatchObject([{ state: "broken" }]);
    page.close();
    await env.BUCKET.delete(`files/${uploadId}/00000`);
    expect((await visitor.fetch(contentPath(downloadId))).status).toBe(410);
    await downloadsCounted();
    expect(await rowOf("select download_count as n from files where id = ?", uploadId)).toEqual({ n: 0 });
  });

  it("leaves no segment when its owner deletes it [FOL-3]", async () => {
    const person = await signUp();
    const { uploadId } = await sendSegments(person);
    expect(await storedKeys()).toHaveLength(5);
    expect((await person.delete(`/api/files/${uploadId}`)).status).toBe(200);
    expect(await storedKeys()).toEqual([]);
  });

  it("leaves no segment when it has expired [FOL-3]", async () => {
    const { uploadId } = await sendSegments(await signUp());
    const { at } = await rowOf<{ at: number }>("select expires_at as at from files where id = ?", uploadId);
    stopClockAt(at + 1);
    await sweep(services, () => Date.now());
    expect(await storedKeys()).toEqual([]);
  });
});

describe("the reconciliation of a file in segments", () => {
  async function findings(windowSize?: number) {
    await runSql("update files set expires_at = null");
    const found: { kind: string; s3Key: string; size: number }[] = [];
    for (let after: string | null = ""; after !== null;) {
      const window = await inspectWindow(services, after, Date.now() + DAY_MS + MINUTE_MS, windowSize);
      found.push(...window.findings.map(({ kind, s3Key, size }) => ({ kind, s3Key, size })));
      after = window.next;
    }
    return found;
  }

  it.each([1000, 1, 2])("knows its objects, in windows of %i [FOL-4]", async (windowSize) => {
    await sendSegments(await signUp());
    expect(await findings(windowSize)).toEqual([]);
  });

  it.each([1000, 1])("finds a missing and a short segment once, in windows of %i [FOL-4]", async (windowSize) => {
    const person = await signUp();
    const [missing, short] = [await sendSegments(person), await sendSegments(person)];
    await env.BUCKET.delete(`files/${missing.uploadId}/00004`);
    await env.BUCKET.put(`files/${short.uploadId}/00001`, BYTES.subarray(0, 699));
    const lost = [missing, short].map(({ uploadId }) => ({ kind: "lost", s3Key: `files/${uploadId}/`, size: 3000 }));
    const found = await findings(windowSize);
    expect(found.sort((a, b) => a.s3Key.localeCompare(b.s3Key))).toEqual(
      lost.sort((a, b) => a.s3Key.localeCompare(b.s3Key)),
    );
  });

  it("takes an object behind the last segment for one without a row [FOL-4]", async () => {
    const { uploadId } = await sendSegments(await signUp());
    await env.BUCKET.put(`files/${uploadId}/00005`, "x");
    expect(await findings()).toEqual([{ kind: "orphan", s3Key: `files/${uploadId}/00005`, size: 1 }]);
  });
});
