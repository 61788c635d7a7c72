import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { createRequestContext } from "#worker/context.ts";
import { serveContent, servePreview } from "#worker/downloads/download-content.ts";
import { downloadsCounted } from "../support/downloads.ts";
import { withoutFeeds } from "../support/faults.ts";
import { FeedPage } from "../support/feed.ts";
import { sendLimited } from "../support/limited-links.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { Recipient } from "../support/recipient.ts";
import { unlockSealed } from "../support/sealed-uploads.ts";
import { sendSealedTransfer } from "../support/sealed-transfers.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";
import { withMethod, workerWith } from "../support/worker-with-env.ts";
import {
  Client,
  contentPath,
  patternBytes,
  rowOf,
  runSql,
  sendFile,
  sha256Of,
  signUp,
  stopClockAt,
} from "../support/worker.ts";

const KIB = 1024;
/** More than all buffers together hold, so that a response waits for its reader. */
const BODY = patternBytes(4 * KIB * KIB);

const entryPath = (downloadId: string, n: number) => `/api/files/download/${downloadId}/entries/${n}/content`;

/** Once the downloads are counted whose end the owner's page was told. */
async function countOf(downloadId: string): Promise<number> {
  await downloadsCounted();
  return (await rowOf<{ n: number }>("select download_count as n from files where download_id = ?", downloadId)).n;
}

async function get(path: string, headers: Record<string, string> = {}, client = new Client()): Promise<ArrayBuffer> {
  const response = await client.fetch(path, { headers });
  expect([200, 206]).toContain(response.status);
  return response.arrayBuffer();
}

/** Of the file's page: a person with an open dashboard. */
async function watched(body: string | Uint8Array = "hello") {
  const owner = await signUp();
  const sent = await sendFile(owner, body);
  return { owner, ...sent, page: await FeedPage.open(owner) };
}

describe("the owner's open pages are told of", () => {
  it("a download that was handed over", async () => {
    const { uploadId, downloadId, page } = await watched();
    const before = Date.now();
    await get(contentPath(downloadId));
    const [download] = await page.ended(1);
    expect(download).toEqual({
      type: "download",
      id: expect.any(String) as string,
      transferId: uploadId,
      bytes: 5,
      state: "done",
      startedAt: expect.any(Number) as number,
      endedAt: expect.any(Number) as number,
    });
    expect(download?.startedAt).toBeGreaterThanOrEqual(before);
    expect(await countOf(downloadId)).toBe(1);
  });

  it("a download while it runs, and that its reader left [FEED-4]", async () => {
    const { uploadId, downloadId, page } = await watched(BODY);
    const response = await new Client().fetch(contentPath(downloadId));
    const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
    await reader?.read();
    await page.until(() => page.downloads.length > 0);
    expect(page.downloads).toMatchObject([{ transferId: uploadId, bytes: BODY.length, state: "running" }]);
    await reader?.cancel();
    expect(await page.ended(1)).toMatchObject([{ transferId: uploadId, state: "broken" }]);
    expect(page.downloads).toHaveLength(1);
    expect(await countOf(downloadId)).toBe(0);
  });

  it("each of two downloads by somebody with the link", async () => {
    const { downloadId, page } = await watched();
    await get(contentPath(downloadId));
    await get(contentPath(downloadId), {}, await signUp());
    expect(await page.ended(2)).toMatchObject([{ state: "done" }, { state: "done" }]);
  });

  it("one download for all ranges of a reader, done with the last byte [FEED-4]", async () => {
    const { downloadId, page } = await watched(BODY);
    await get(contentPath(downloadId), { range: "bytes=0-1999" });
    await page.until(() => page.downloads.length > 0);
    expect(page.downloads).toMatchObject([{ bytes: BODY.length, state: "running" }]);
    for (const range of ["bytes=2000-99999", "bytes=100000-"]) await get(contentPath(downloadId), { range });
    expect(await page.ended(1)).toMatchObject([{ bytes: BODY.length, state: "done" }]);
    expect(page.downloads).toHaveLength(1);
    expect(await countOf(downloadId)).toBe(1);
  });

  it("a ZIP, and a file of a transfer by its name", async () => {
    const owner = await signUp();
    const { uploadId, downloadId } = await sendTransfer(owner, [textFile("folder/a.txt"), textFile("b.txt")]);
    const page = await FeedPage.open(owner);
    const zip = await get(contentPath(downloadId));
    await get(entryPath(downloadId, 0));
    const [first, second] = await page.ended(2);
    expect(first).toMatchObject({ transferId: uploadId, bytes: zip.byteLength, state: "done" });
    expect(first).not.toHaveProperty("entry");
    expect(second).toMatchObject({ transferId: uploadId, entry: "a.txt", bytes: 20, state: "done" });
  });

  it("the readers of a limited link, each by itself, with all of their ranges", async () => {
    const { owner, downloadId } = await sendLimited(5, BODY);
    const page = await FeedPage.open(owner);
    for (const recipient of [new Recipient(), new Recipient()]) {
      expect((await recipient.take(downloadId)).status).toBe(201);
      for (const range of ["bytes=0-9", "bytes=10-"]) await (await recipient.content(downloadId, { range })).bytes();
    }
    expect(await page.ended(2)).toMatchObject([{ state: "done" }, { state: "done" }]);
    expect(page.downloads).toHaveLength(2);
  });

  it("an encrypted transfer in one line, without names", async () => {
    const owner = await signUp();
    const files = ["a.txt", "b.txt"].map((name) => ({ name, type: "text/plain", bytes: patternBytes(1000) }));
    const { uploadId, downloadId, sealer } = await sendSealedTransfer(owner, files);
    const page = await FeedPage.open(owner);
    const recipient = new Recipient();
    await unlockSealed(recipient, downloadId, sealer);
    for (const n of [0, 1]) await (await recipient.fetch(entryPath(downloadId, n))).bytes();
    const { size } = await rowOf<{ size: number }>("select size from files where id = ?", uploadId);
    await page.until(() => page.messages.flat().length > 1);
    expect(page.downloads).toMatchObject([{ transferId: uploadId, bytes: size, state: "running" }]);
    expect(page.downloads[0]).not.toHaveProperty("entry");
  });
});

describe("nobody is told of", () => {
  /** Serves in this isolate and waits for the work behind the answer. @returns how often the feed was called */
  async function countReports(
    path: string,
    init: RequestInit,
    serve: (context: ReturnType<typeof createRequestContext>) => Promise<Response>,
  ): Promise<number> {
    const asked: unknown[] = [];
    const FEEDS = withMethod(env.FEEDS, "get", (id: DurableObjectId) => {
      asked.push(id);
      return env.FEEDS.get(id);
    });
    const background: Promise<unknown>[] = [];
    const context = createRequestContext(new Request(new URL(path, env.APP_ORIGIN), init), { ...env, FEEDS });
    const services = { ...context.services, waitUntil: (work: Promise<unknown>) => void background.push(work) };
    await (await serve({ ...context, services })).arrayBuffer();
    await Promise.all(background);
    return asked.length;
  }

  const download = (downloadId: string, init: RequestInit = {}) =>
    countReports(contentPath(downloadId), init, (context) => serveContent(context, downloadId, Date.now()));

  it("what brings no file", async () => {
    const { downloadId } = await sendFile(await signUp(), "hello");
    expect(await download(downloadId)).toBeGreaterThan(0);
    const requests: RequestInit[] = [
      { method: "HEAD" },
      { headers: { "if-none-match": "*" } },
      { headers: { "if-match": '"another"' } },
      { headers: { range: "bytes=5-" } },
    ];
    for (const init of requests) {
      expect([init, await download(downloadId, init)]).toEqual([init, 0]);
    }
    const preview = countReports("/", {}, (context) => servePreview(context, downloadId, Date.now()));
    expect(await preview).toBe(0);
  });

  it("a ZIP's directory alone", async () => {
    const { downloadId } = await sendTransfer(await signUp(), [textFile("a.txt")]);
    expect(await download(downloadId, { headers: { range: "bytes=-10" } })).toBe(0);
    expect(await download(downloadId)).toBeGreaterThan(0);
  });

  it("a part below a KiB, however often it is asked for [FEED-5]", async () => {
    const { downloadId } = await sendFile(await signUp(), patternBytes(4 * KIB));
    for (const range of ["bytes=0-0", "bytes=0-1022", "bytes=-1", "bytes=1024-2046"]) {
      expect([range, await download(downloadId, { headers: { range } })]).toEqual([range, 0]);
    }
    expect(await download(downloadId, { headers: { range: "bytes=0-1023" } })).toBeGreaterThan(0);
  });

  it("each of many downloads at once, but of sixty and then of one a second [FEED-5]", async () => {
    const { downloadId } = await sendFile(await signUp(), "hello");
    const start = Date.now();
    stopClockAt(start);
    for (let time = 0; time < 60; time += 1) expect(await download(downloadId)).toBeGreaterThan(0);
    expect(await download(downloadId)).toBe(0);
    stopClockAt(start + 1000);
    expect(await download(downloadId)).toBeGreaterThan(0);
    expect(await download(downloadId)).toBe(0);
    const another = await sendFile(await signUp(), "hello");
    expect(await download(another.downloadId)).toBeGreaterThan(0);
  });

  it("a download by the owner's own session [FEED-5]", async () => {
    const owner = await signUp();
    const { downloadId } = await sendFile(owner, "hello");
    expect(await download(downloadId, { headers: { cookie: owner.cookie } })).toBe(0);
    expect(await download(downloadId, { headers: { cookie: (await signUp()).cookie } })).toBeGreaterThan(0);
  });

  it("a download of a file without an account", async () => {
    const { uploadId, downloadId } = await sendFile(await signUp(), "hello");
    await runSql("update files set user_id = null where id = ?", uploadId);
    expect(await download(downloadId)).toBe(0);
  });
});

describe("a download does not depend on the feed", () => {
  it("it completes and is counted while the feed is away [FEED-5]", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { downloadId } = await sendFile(await signUp(), BODY);
    const away = new Client("", workerWith(withoutFeeds(env)));
    expect(await sha256Of(await get(contentPath(downloadId), {}, away))).toBe(await sha256Of(BODY));
    await expect.poll(() => countOf(downloadId)).toBe(1);
    await vi.waitFor(() => {
      expect(errors.mock.calls.flat().some((line) => String(line).includes("feed.not_told"))).toBe(true);
    });
  });

  it("it asks D1 for nothing more than the row", async () => {
    const { downloadId } = await sendFile(await signUp(), "hello");
    const calls: string[] = [];
    const DB = interceptQueries(env.DB, (queries, proceed) => {
      calls.push(queries[0]?.text.trim().slice(0, 6) ?? "");
      return proceed();
    });
    const visitor = new Client("", workerWith({ ...env, DB }));
    await get(contentPath(downloadId), {}, visitor);
    await expect.poll(() => countOf(downloadId)).toBe(1);
    expect(calls).toEqual(["select"]);
  });
});
