import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
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

/** What everybody is told of that progress, whatever the sender's page says of ids and names. */
function told(progress: number) {
  const statusMessage = "Uploading, 3 s left";
  return { type: "upload_progress", uploadId: upload.id, filename: "a file.txt", progress, statusMessage };
}

/** Waits until the upload has heard all that this page has said. */
async function heardOut(sender: Page): Promise<void> {
  sender.send({ type: "receipts", receipts: [{ part: 1, etag: "abc" }] });
  await sender.next("received");
}

describe("the sender's progress", () => {
  it("reaches whoever has the link and the sender's other tab, but not the page that said it", async () => {
    const sender = await openSender();
    await sender.next("received");
    const pages = [await openSender(), await openWatcher(), await openWatcher(await signUp())];
    for (const page of pages) expect(await page.next("upload_progress")).toMatchObject({ progress: 0 });

    sender.send(progressMessage(42.5));
    for (const page of pages) expect(await page.next("upload_progress")).toEqual(told(42.5));
    await heardOut(sender);
    expect(sender.all("upload_progress").map(({ progress }) => progress)).toEqual([0]);
  });

  it("goes on ten times a second: of what comes sooner, the newest", async () => {
    const [sender, tab, watcher] = [await openSender(), await openSender(), await openWatcher()];
    for (const page of [sender, tab]) await page.next("received");
    const hears = async (page: Page, progress: number) => {
      while ((await page.next("upload_progress")).progress !== progress);
    };
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    const pass = (ms: number) => runInDurableObject(upload.stub, () => void vi.advanceTimersByTime(ms));

    for (const progress of [20, 21, 22]) sender.send(progressMessage(progress));
    await heardOut(sender);
    tab.send(progressMessage(23));
    await heardOut(tab);
    await pass(99);
    await hears(watcher, 20);
    await pass(1);
    for (const page of [sender, watcher]) await hears(page, 23);
    await pass(100);
    tab.send(progressMessage(24));
    await hears(watcher, 24);
    vi.useRealTimers();
    expect(watcher.all("upload_progress").map(({ progress }) => progress)).toEqual([0, 20, 23, 24]);
  });

  it("meets whoever comes later as soon as they come", async () => {
    const sender = await openSender();
    await sender.next("received");
    sender.send(progressMessage(61));
    await heardOut(sender);
    const late = await openWatcher();
    expect(await late.next("upload_progress")).toEqual(told(61));
    const info = await upload.owner.fetch(`/api/files/download/${upload.downloadId}`);
    expect(await info.json()).toMatchObject({ status: "uploading", progress: 61 });
  });

  it("is what the receipts show where nobody has said it, or memory was lost", async () => {
    await upload.stub.prepareSigning([await sendPart(upload, 1)]);
    expect(await (await openWatcher()).next("upload_progress")).toMatchObject({ progress: 49, uploadId: upload.id });
    const sender = await openSender();
    expect(await sender.next("received")).toEqual({ type: "received", parts: [1] });
    sender.send(progressMessage(99));
    await heardOut(sender);
    await evict(upload);
    expect(await (await openWatcher()).next("upload_progress")).toMatchObject({ progress: 49 });
  });
});

describe("receipts on the socket", () => {
  it("are stored by the time they are acknowledged", async () => {
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

  it("are acknowledged to the page that sent them alone", async () => {
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

  it("that come while the upload is completing are not acknowledged: they are not stored", async () => {
    const sender = await openSender();
    await sender.next("received");
    // As it is while storage has not answered yet; the next duty is the alarm's.
    await changeRecord(upload, { phase: "completing" });
    sender.send({ type: "receipts", receipts: [{ part: 2, etag: "abc" }] });
    const tab = await openSender();
    sender.send(progressMessage(100));
    while ((await tab.next("upload_progress")).progress !== 100);
    expect(await storedParts(upload)).toEqual([]);
    expect(sender.all("received").flatMap(({ parts }) => parts)).toEqual([]);
  });
});

describe("how many look on", () => {
  it("is told to the sender when somebody comes or leaves", async () => {
    const sender = await openSender();
    expect(await sender.next("watchers")).toEqual({ type: "watchers", count: 0 });
    const first = await openWatcher();
    expect(await sender.next("watchers")).toEqual({ type: "watchers", count: 1 });
    const second = await openWatcher();
    expect(await sender.next("watchers")).toEqual({ type: "watchers", count: 2 });
    first.leave();
    expect(await sender.next("watchers")).toEqual({ type: "watchers", count: 1 });
    second.leave();
    expect(await sender.next("watchers")).toEqual({ type: "watchers", count: 0 });
    expect(first.all("watchers")).toEqual([]);
  });

  it("ends with a page that leaves: its goodbye is answered", async () => {
    const watcher = await openWatcher();
    watcher.leave();
    expect((await watcher.closed).code).toBe(1000);
  });
});

describe("an upload that leaves memory", () => {
  it("keeps its sockets, and who is the sender", async () => {
    const sender = await openSender();
    const watcher = await openWatcher();
    expect(await watcher.next("upload_progress")).toMatchObject({ progress: 0 });
    await evict(upload);
    sender.send(progressMessage(10));
    expect(await watcher.next("upload_progress")).toEqual(told(10));
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

  it.each(ends)("is told to everybody: $status", async ({ status, end }) => {
    const pages = [await openSender(), await openSender(), await openWatcher()];
    await evict(upload);
    await end();
    for (const page of pages) {
      expect(await page.next("upload_ended")).toEqual({ type: "upload_ended", status });
      expect((await page.closed).code).toBe(1000);
    }
  });

  it.each(ends)("is told to whoever comes after it: $status", async ({ status, end }) => {
    await end();
    for (const open of [openSender, openWatcher]) {
      const page = await open();
      expect(await page.closed).toEqual({ code: 1000, reason: `The upload is ${status}.` });
      expect(page.heard).toEqual([{ type: "upload_ended", status }]);
    }
  });

  it("is told to whoever comes before it is in the database", async () => {
    await changeRecord(upload, { phase: "cancelled", settledAt: Date.now(), cleanedUp: false });
    for (const open of [openSender, openWatcher]) {
      const page = await open();
      expect(await page.next("upload_ended")).toEqual({ type: "upload_ended", status: "cancelled" });
      expect((await page.closed).code).toBe(1000);
    }
  });
});
