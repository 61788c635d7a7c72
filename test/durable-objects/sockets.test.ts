import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CHUNK, init, put } from "../support/chunked.ts";
import { Client, signUp } from "../support/worker.ts";
import { Page, progressMessage } from "./page.ts";
import {
  changeRecord,
  evict,
  IN_PARTS,
  recordOf,
  sendAll,
  sendPart,
  startUpload,
  storedParts,
  type Upload,
} from "./support.ts";

let upload: Upload;
beforeEach(async () => {
  upload = await startUpload(IN_PARTS);
});

const openSender = () => Page.open(upload, upload.owner);
const openWatcher = (client: Client = new Client()) => Page.open(upload, client);

/** The relayed message: only the percentage comes from the sender. */
function relayedProgress(progress: number, statusMessage = "Uploading") {
  return { type: "upload_progress", uploadId: upload.id, filename: "a file.txt", progress, statusMessage };
}

/** Waits until the session has handled all of this page's messages. */
async function waitUntilHandled(sender: Page): Promise<void> {
  sender.send({ type: "receipts", receipts: [{ part: 1, etag: "abc" }] });
  await sender.next("received");
}

describe("the sender's progress", () => {
  it("reaches watchers and the sender's other tab, but not the tab that sent it [API-29]", async () => {
    const sender = await openSender();
    await sender.next("received");
    const pages = [await openSender(), await openWatcher(), await openWatcher(await signUp())];
    for (const page of pages) expect(await page.next("upload_progress")).toMatchObject({ progress: 0 });

    sender.send(progressMessage(42.5));
    for (const page of pages) expect(await page.next("upload_progress")).toEqual(relayedProgress(42.5));
    await waitUntilHandled(sender);
    expect(sender.all("upload_progress").map(({ progress }) => progress)).toEqual([0]);

    sender.send(progressMessage(100, { statusMessage: "the merger.pdf" }));
    for (const page of pages) expect(await page.next("upload_progress")).toEqual(relayedProgress(100, "Finishing"));
  });

  it("is relayed at most ten times a second, with the latest value", async () => {
    const [sender, tab, watcher] = [await openSender(), await openSender(), await openWatcher()];
    for (const page of [sender, tab]) await page.next("received");
    const waitForProgress = async (page: Page, progress: number) => {
      while ((await page.next("upload_progress")).progress !== progress);
    };
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    const pass = (ms: number) => runInDurableObject(upload.stub, () => void vi.advanceTimersByTime(ms));

    for (const progress of [20, 21, 22]) sender.send(progressMessage(progress));
    await waitUntilHandled(sender);
    tab.send(progressMessage(23));
    await waitUntilHandled(tab);
    await pass(99);
    await waitForProgress(watcher, 20);
    await pass(1);
    for (const page of [sender, watcher]) await waitForProgress(page, 23);
    await pass(100);
    tab.send(progressMessage(24));
    await waitForProgress(watcher, 24);
    vi.useRealTimers();
    expect(watcher.all("upload_progress").map(({ progress }) => progress)).toEqual([0, 20, 23, 24]);
  });

  it("is sent to a watcher that connects later", async () => {
    const sender = await openSender();
    await sender.next("received");
    sender.send(progressMessage(61));
    await waitUntilHandled(sender);
    const late = await openWatcher();
    expect(await late.next("upload_progress")).toEqual(relayedProgress(61));
    const info = await upload.owner.fetch(`/api/files/download/${upload.downloadId}`);
    expect(await info.json()).toMatchObject({ status: "uploading", progress: 61 });
  });

  it("is computed from receipts without a report, and after eviction", async () => {
    await upload.stub.storeReceipts([await sendPart(upload, 1)]);
    expect(await (await openWatcher()).next("upload_progress")).toMatchObject({ progress: 49, uploadId: upload.id });
    const sender = await openSender();
    expect(await sender.next("received")).toEqual({ type: "received", parts: [1] });
    sender.send(progressMessage(99));
    await waitUntilHandled(sender);
    await evict(upload);
    expect(await (await openWatcher()).next("upload_progress")).toMatchObject({ progress: 49 });
  });
});

describe("an upload in chunks, whose client has no socket", () => {
  it("tells watchers what has arrived", async () => {
    const owner = await signUp();
    const chunked = await init(owner, 4 * CHUNK);
    const watcher = await Page.open(chunked, new Client());
    expect(await watcher.next("upload_progress")).toMatchObject({ progress: 0 });
    for (const [index, progress] of [25, 50].entries()) {
      expect((await put(owner, chunked.uploadId, index, new Uint8Array(CHUNK))).status).toBe(200);
      expect(await watcher.next("upload_progress")).toEqual({
        type: "upload_progress",
        uploadId: chunked.uploadId,
        filename: "a file.txt",
        progress,
        statusMessage: "Uploading",
      });
    }
  });
});

describe("receipts on the socket", () => {
  it("are stored before they are acknowledged", async () => {
    const receipts = await sendAll(upload);
    const sender = await openSender();
    expect(await sender.next("received")).toEqual({ type: "received", parts: [] });
    sender.send({ type: "receipts", receipts: receipts.slice(1) });
    expect(await sender.next("received")).toEqual({ type: "received", parts: [2, 3] });
    await evict(upload);
    expect(await storedParts(upload)).toEqual([2, 3]);

    sender.send({ type: "receipts", receipts: receipts.slice(0, 1) });
    await sender.next("received");
    await evict(upload);
    expect(await upload.stub.complete([])).toMatchObject({ ok: true });
  });

  it("are acknowledged only to the tab that sent them", async () => {
    const [sender, tab, watcher] = [await openSender(), await openSender(), await openWatcher()];
    await sender.next("received");
    sender.send({ type: "receipts", receipts: [await sendPart(upload, 1)] });
    await sender.next("received");
    sender.send(progressMessage(50));
    for (const page of [tab, watcher]) while ((await page.next("upload_progress")).progress !== 50);
    expect(tab.all("received")).toEqual([{ type: "received", parts: [] }]);
    expect(watcher.all("received")).toEqual([]);
  });

  it("of parts outside the file are not acknowledged", async () => {
    const sender = await openSender();
    await sender.next("received");
    sender.send({ type: "receipts", receipts: [{ part: 4, etag: "abc" }, await sendPart(upload, 2)] });
    expect(await sender.next("received")).toEqual({ type: "received", parts: [2] });
    expect(await storedParts(upload)).toEqual([2]);
  });

  it("are neither stored nor acknowledged during completion", async () => {
    const sender = await openSender();
    await sender.next("received");
    // The state while R2 has not answered the completion.
    await changeRecord(upload, { phase: "completing" });
    sender.send({ type: "receipts", receipts: [{ part: 2, etag: "abc" }] });
    const tab = await openSender();
    sender.send(progressMessage(100));
    while ((await tab.next("upload_progress")).progress !== 100);
    expect(await storedParts(upload)).toEqual([]);
    expect(sender.all("received").flatMap(({ parts }) => parts)).toEqual([]);
  });
});

describe("the number of watchers", () => {
  it("is sent to the sender when a watcher connects or disconnects", async () => {
    const sender = await openSender();
    expect(await sender.next("watchers")).toEqual({ type: "watchers", count: 0 });
    const first = await openWatcher();
    expect(await sender.next("watchers")).toEqual({ type: "watchers", count: 1 });
    const second = await openWatcher();
    expect(await sender.next("watchers")).toEqual({ type: "watchers", count: 2 });
    first.close();
    expect(await sender.next("watchers")).toEqual({ type: "watchers", count: 1 });
    second.close();
    expect(await sender.next("watchers")).toEqual({ type: "watchers", count: 0 });
    expect(first.all("watchers")).toEqual([]);
  });

  it("decreases when a page closes its socket, whose Close frame is answered", async () => {
    const watcher = await openWatcher();
    watcher.close();
    expect((await watcher.closed).code).toBe(1000);
  });
});

describe("an evicted upload", () => {
  it("keeps its sockets and their roles", async () => {
    const sender = await openSender();
    const watcher = await openWatcher();
    expect(await watcher.next("upload_progress")).toMatchObject({ progress: 0 });
    await evict(upload);
    sender.send(progressMessage(10));
    expect(await watcher.next("upload_progress")).toEqual(relayedProgress(10));
    await evict(upload);
    watcher.send(progressMessage(90));
    expect((await watcher.closed).code).toBe(1008);
    while ((await sender.next("watchers")).count !== 0);
    await evict(upload);
    sender.send({ type: "receipts", receipts: [{ part: 1, etag: "abc" }] });
    while ((await sender.next("received")).parts.length === 0);
    expect(await recordOf(upload)).toMatchObject({ phase: "uploading" });
  });
});

describe("the end of the upload", () => {
  const ends = [
    { status: "ready", end: async () => upload.stub.complete(await sendAll(upload)) },
    { status: "cancelled", end: () => upload.stub.cancel() },
    {
      status: "failed",
      end: async () => {
        await changeRecord(upload, { lastReceiptAt: 0 });
        await upload.stub.endIfAbandoned(upload.id);
      },
    },
  ] as const;

  it.each(ends)("is sent to all sockets: $status", async ({ status, end }) => {
    const pages = [await openSender(), await openSender(), await openWatcher()];
    await evict(upload);
    await end();
    for (const page of pages) {
      expect(await page.next("upload_ended")).toEqual({ type: "upload_ended", status });
      expect((await page.closed).code).toBe(1000);
    }
  });

  it.each(ends)("is sent to a socket that connects later: $status", async ({ status, end }) => {
    await end();
    for (const open of [openSender, openWatcher]) {
      const page = await open();
      expect(await page.closed).toEqual({ code: 1000, reason: `The upload is ${status}.` });
      expect(page.received).toEqual([{ type: "upload_ended", status }]);
    }
  });

  it("is sent to a socket that connects before D1 has recorded it", async () => {
    await changeRecord(upload, { phase: "cancelled", settledAt: Date.now(), cleanedUp: false });
    for (const open of [openSender, openWatcher]) {
      const page = await open();
      expect(await page.next("upload_ended")).toEqual({ type: "upload_ended", status: "cancelled" });
      expect((await page.closed).code).toBe(1000);
    }
  });
});
