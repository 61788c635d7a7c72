// @module-tag long
import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DEFAULT_CHUNK_BYTES, partRange, planParts, SERVER_PART_BYTES } from "#domain/parts.ts";
import { DAY_MS, HOUR_MS, MIB } from "#domain/units.ts";
import type {
  StartSendingAnswer,
  StartTransferAnswer,
  TransferBatchAnswer,
  CompletedObjectPart,
} from "#domain/wire.ts";
import { AccountFeed } from "#durable-objects/feed/account-feed.ts";
import { SocketCounter } from "#durable-objects/limits/socket-counter.ts";
import { Page } from "#test/durable-objects/page.ts";
import { chunksOf, finalize, init, put } from "#test/support/chunked.ts";
import { FeedPage } from "#test/support/feed.ts";
import { createMeteredEnv, type Usage } from "#test/support/metered-env.ts";
import { mailTo } from "#test/support/mails.ts";
import { createRequest, Sender } from "#test/support/requests.ts";
import { addWebhook, ReceiverInbox } from "#test/support/webhooks.ts";
import { announcementOf, batch, finish, join, putObject, startTransfer, textFile } from "#test/support/transfers.ts";
import {
  Client,
  contentPath,
  patternBytes,
  putOnPlan,
  rowOf,
  runSql,
  sendFile,
  signUp,
  stopClockAt,
} from "#test/support/worker.ts";
import worker from "#worker/index.ts";
import { chunks, MANY_FILES, STEPS } from "../../bench/cost-figures.ts";

type IncomingRequest = Request<unknown, IncomingRequestCfProperties>;

/** Rows that D1 may write for each small file of a transfer, indexes included. */
const MAX_ROWS_PER_FILE = 0.1;

/** docs/cost.md is computed from these figures. */
describe("the billable operations of a file", () => {
  const SIZE_BYTES = 17 * MIB;
  const IDENTITY = { lastModified: 1, fingerprint: "a".repeat(64) };
  const counted = createMeteredEnv();
  let workerRequests = 0;
  const contexts: ExecutionContext[] = [];
  const send = (incoming: Request) => {
    workerRequests += 1;
    const context = createExecutionContext();
    contexts.push(context);
    return worker.fetch(incoming as IncomingRequest, counted.env, context);
  };
  const upcoming = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  // A run after midnight also counts the day before.
  const nextHour = upcoming % DAY_MS === 0 ? upcoming + HOUR_MS : upcoming;
  const runCron = async (at = nextHour + HOUR_MS / 2) => {
    workerRequests += 1;
    stopClockAt(at);
    await worker.scheduled(createScheduledController(), counted.env);
    vi.useRealTimers();
  };
  const visitor = new Client("", send);
  let sender: Client;

  beforeAll(async () => {
    const { email, cookie } = await signUp();
    await putOnPlan(email, "professional");
    // Downloads of accounts younger than 30 days are counted by the day, too.
    await runSql("update users set created_at = 0 where email = ?", email);
    sender = new Client(cookie, send);
    // Fills caches and daily counters, which are no file's cost.
    await download(await sendFile(sender, "some bytes"));
    await runCron();
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  async function usageOf(step: () => Promise<unknown>): Promise<Usage & { workerRequest?: number }> {
    counted.takeUsage();
    workerRequests = 0;
    await step();
    // The account's feed is told after the answer.
    await Promise.all(contexts.splice(0).map(waitOnExecutionContext));
    return { ...counted.takeUsage(), ...(workerRequests > 0 ? { workerRequest: workerRequests } : {}) };
  }

  /** Without rows read by Durable Objects, which are few and not in the figures. */
  async function mainUsageOf(step: () => Promise<unknown>): Promise<Omit<Usage, "objectRowRead">> {
    const { objectRowRead = 0, ...usage } = await usageOf(step);
    expect(objectRowRead).toBeLessThan(100);
    return usage;
  }

  async function expectOk(answer: Promise<Response>): Promise<void> {
    const response = await answer;
    expect([response.status, response.status === 200 ? "" : await response.text()]).toEqual([200, ""]);
  }

  const told = vi.spyOn(AccountFeed.prototype, "report");

  /** Downloads the file and waits until the download is counted, and its owner's feed told. */
  async function download({ uploadId, downloadId }: { uploadId: string; downloadId: string }): Promise<void> {
    const toldBefore = told.mock.calls.length;
    await (await visitor.fetch(contentPath(downloadId))).arrayBuffer();
    const find = () => rowOf<{ n: number }>("select download_count as n from files where id = ?", uploadId);
    await vi.waitUntil(async () => (await find()).n > 0 && told.mock.calls.length > toldBefore);
  }

  async function openSocket(downloadId: string): Promise<Page> {
    const page = await Page.open({ downloadId }, sender);
    await page.next("received");
    return page;
  }

  /** Closes the page and waits until the socket counter is updated. */
  async function leave(page: Page): Promise<void> {
    const { calls } = vi.mocked(SocketCounter.prototype.set).mock;
    const callsBefore = calls.length;
    page.close();
    await vi.waitUntil(() => calls.length > callsBefore);
  }

  it("with presigned parts: start, socket, receipt", async () => {
    let upload = { downloadId: "" };
    const start = async () => (upload = await sender.startUpload(SIZE_BYTES, IDENTITY));
    expect(await mainUsageOf(start)).toEqual(STEPS.start);
    const openAndLeave = async () => leave(await openSocket(upload.downloadId));
    expect(await mainUsageOf(openAndLeave)).toEqual(STEPS.socket);
    const page = await openSocket(upload.downloadId);
    const receipt = async () => {
      page.send({ type: "receipts", receipts: [{ part: 1, etag: "abc", crc32: "0a0b0c0d" }] });
      await page.next("received");
    };
    // Neither the part's PUT nor the socket message is counted here.
    expect(await mainUsageOf(receipt)).toEqual({ objectRowWritten: STEPS.presignedPart.objectRowWritten });
    await leave(page);
    await expectOk(sender.post("/api/direct-upload/cancel", { downloadId: upload.downloadId }));
  });

  it("in segments: each one is opened and joined", async () => {
    const person = new Client((await signUp()).cookie, send);
    let upload = { downloadId: "" };
    const opened = await mainUsageOf(async () => (upload = await person.startUpload(64 * MIB + 1, IDENTITY)));
    // A start makes their table, and opens the segments of the first six parts.
    const { classA: opens, objectRowWritten: startRows, ...start6 } = STEPS.start;
    expect(opened).toEqual({ ...start6, classA: 6 * opens, objectRowWritten: startRows + 2 + 6 });
    const body = new Uint8Array(8 * MIB);
    const headers = { "content-length": String(body.byteLength) };
    const path = `/api/direct-upload/parts/${upload.downloadId}/1?crc32=0a0b0c0d`;
    const sendPart = () => expectOk(person.fetch(path, { method: "PUT", headers, body }));
    const { classA, objectRowWritten } = STEPS.proxiedPart;
    const joined = { classA: classA + 1, objectRowWritten: objectRowWritten + STEPS.segment.objectRowWritten - 1 };
    expect(await mainUsageOf(sendPart)).toEqual({ ...STEPS.proxiedPart, ...joined });
  });

  it("with parts through the Worker: parts, completion, download page, download, sweep", async () => {
    const bytes = patternBytes(SIZE_BYTES);
    const upload = await sender.startUpload(SIZE_BYTES);
    for (let part = 1; part <= planParts(SIZE_BYTES).partCount; part += 1) {
      const { start, end } = partRange(SIZE_BYTES, part);
      const headers = { "content-length": String(end - start) };
      const path = `/api/direct-upload/parts/${upload.downloadId}/${part}?crc32=0a0b0c0d`;
      const proxyPart = () => sender.fetch(path, { method: "PUT", headers, body: bytes.slice(start, end) });
      expect(await mainUsageOf(() => expectOk(proxyPart()))).toEqual(STEPS.proxiedPart);
    }
    expect(await mainUsageOf(() => expectOk(sender.complete(upload.downloadId)))).toEqual(STEPS.complete);

    const openPage = () => expectOk(visitor.fetch(`/download/${upload.downloadId}`));
    expect(await mainUsageOf(openPage)).toEqual(STEPS.downloadPage);
    expect(await mainUsageOf(() => download(upload))).toEqual(STEPS.download);
    expect(await mainUsageOf(() => download(upload))).toEqual(STEPS.downloadAgain);
    // What the download has left to do.
    await runCron();
    const { rowRead: idleReads = 0, ...idle } = await mainUsageOf(() => runCron());
    const { rowRead: maxReads, ...cron } = STEPS.cron;
    expect(idle).toEqual(cron);
    expect(idleReads).toBeLessThanOrEqual(maxReads);
    await runSql("update files set expires_at = 1 where id = ?", upload.uploadId);
    const { rowRead: sweptReads = 0, ...swept } = await mainUsageOf(() => runCron());
    expect(swept).toEqual({
      ...cron,
      rowWritten: STEPS.keptRun.rowWritten + STEPS.sweep.rowWritten,
    });
    expect(sweptReads).toBeLessThanOrEqual(idleReads + STEPS.sweep.rowRead);
    await runSql("update sweep_runs set started_at = 1 where expired_files > 0");
    expect((await mainUsageOf(() => runCron())).rowWritten).toBe(STEPS.forgottenRun.rowWritten);
    const { rowRead: healthReads = 0, ...health } = await mainUsageOf(() => expectOk(visitor.fetch("/api/health")));
    const { rowRead: maxHealthReads, ...calls } = STEPS.health;
    expect(health).toEqual(calls);
    expect(healthReads).toBeLessThanOrEqual(maxHealthReads);
    const daily = await mainUsageOf(() => runCron(Math.ceil(nextHour / DAY_MS) * DAY_MS));
    expect(daily.classA).toBe(STEPS.leftovers.classA);
  });

  it.each([DEFAULT_CHUNK_BYTES, MIB])("with chunks of %i bytes", async (maxChunkSize) => {
    const chunkList = chunksOf(patternBytes(SIZE_BYTES), maxChunkSize);
    let upload = { uploadId: "" };
    const start = async () => (upload = await init(sender, SIZE_BYTES, { ...IDENTITY, maxChunkSize }));
    expect(await mainUsageOf(start)).toEqual(STEPS.startOfChunks);
    const sendAll = async () => {
      for (const [index, chunk] of chunkList.entries()) await expectOk(put(sender, upload.uploadId, index, chunk));
    };
    expect(await usageOf(sendAll)).toEqual(chunks(chunkList.length, SERVER_PART_BYTES / maxChunkSize));
    expect(await mainUsageOf(() => expectOk(finalize(sender, upload.uploadId)))).toEqual(STEPS.complete);
    const { UPLOADS } = counted.env;
    const session = UPLOADS.get(UPLOADS.idFromName(upload.uploadId));
    // The stub is the object itself here (test/support/durable-objects-with-env.ts), so it has `alarm`.
    const runAlarm = Reflect.get(session, "alarm") as () => Promise<void>;
    expect(await mainUsageOf(runAlarm)).toEqual(STEPS.hash);
  });

  it("as a transfer of 500 files in two packs: start, batch, finish [TRF-31]", async () => {
    const files = Array.from({ length: 500 }, (_, n) => textFile(`folder/${n}.txt`));
    const pack = (first: number, end: number) => join(files.slice(first, end).map(({ bytes }) => bytes));
    let started: StartTransferAnswer | null = null;
    const start = async () =>
      (started = await startTransfer(sender, files, { open: [{ object: 0, runs: [[0, 400]] }] }));
    expect(await mainUsageOf(start)).toEqual(STEPS.startTransfer);
    const { downloadId, urls } = started ?? expect.unreachable();
    const receipts = await putObject({ urls }, 0, pack(0, 400));
    let opened: TransferBatchAnswer | null = null;
    const openPack = async () =>
      (opened = await batch(sender, downloadId, { open: [{ object: 1, runs: [[400, 100]] }] }));
    expect(await mainUsageOf(openPack)).toEqual(STEPS.transferBatch);
    receipts.push(...(await putObject(opened ?? expect.unreachable(), 1, pack(400, 500))));
    expect(await mainUsageOf(() => expectOk(finish(sender, downloadId, receipts)))).toEqual(STEPS.finishTransfer);
    const rows = STEPS.startTransfer.rowWritten + STEPS.finishTransfer.rowWritten;
    expect(rows / files.length).toBeLessThan(MAX_ROWS_PER_FILE);
  });

  it("as a transfer of 10,000 files in 124 packs: from the start to the sweep [TRF-31]", async () => {
    const files = Array.from({ length: 10_000 }, (_, n) => textFile(`folder ${Math.floor(n / 100)}/${n}.txt`));
    // As many to a pack as 8 MiB hold of 100 KiB each.
    const packs = Array.from({ length: 124 }, (_, object) => files.slice(object * 81, (object + 1) * 81));
    let link = { uploadId: "", downloadId: "" };
    const receipts: CompletedObjectPart[] = [];
    const sendAll = async () => {
      let opened = 0;
      for (let from = 0; from < files.length; from += 500) {
        const announced = from + 500;
        const last = Math.floor(announced / 81);
        const objects = packs.slice(opened, announced === files.length ? packs.length : last);
        const open = objects.map(({ length }, at) => ({ object: opened + at, runs: [[(opened + at) * 81, length]] }));
        const list = files.slice(from, announced);
        const said = { entries: { from, list: list.map(announcementOf) }, open, receipts: receipts.splice(0) };
        const totals = { entries: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) };
        const answer =
          from === 0
            ? await startTransfer(sender, [], { ...said, totals })
            : await batch(sender, link.downloadId, said);
        if ("uploadId" in answer) link = answer as StartTransferAnswer;
        for (const [at, pack] of objects.entries()) {
          receipts.push(...(await putObject(answer, opened + at, join(pack.map(({ bytes }) => bytes)))));
        }
        opened += objects.length;
      }
      await expectOk(finish(sender, link.downloadId, receipts));
    };
    const { rowRead = 0, objectRowRead = 0, ...sent } = await usageOf(sendAll);
    const { rowRead: mostRead, objectRowRead: mostReadByObject, ...figures } = MANY_FILES.sent;
    expect(sent).toEqual(figures);
    expect(rowRead).toBeLessThanOrEqual(mostRead);
    expect(objectRowRead).toBeLessThanOrEqual(mostReadByObject);
    expect((sent.rowWritten ?? 0) / files.length).toBeLessThan(MAX_ROWS_PER_FILE);
    // What other downloads have left to do.
    await runCron();
    await runSql("update files set expires_at = 1 where id = ?", link.uploadId);
    const { rowRead: readBySweep = 0, ...swept } = await mainUsageOf(() => runCron());
    const { rowRead: readByCron, ...cron } = STEPS.cron;
    const { rowRead: mostReadBySweep, rowWritten: writtenBySweep, ...others } = MANY_FILES.sweep;
    expect(swept).toEqual({ ...cron, ...others, rowWritten: STEPS.keptRun.rowWritten + writtenBySweep });
    expect(readBySweep).toBeLessThanOrEqual(readByCron + mostReadBySweep);
  });

  it("that a webhook is told of: one delivery", async () => {
    const person = new Client((await signUp()).cookie, send);
    const sendOne = () => sendFile(person, "some bytes");
    await sendOne();
    const { rowRead = 0, rowWritten = 0, ...others }: Usage = await mainUsageOf(sendOne);
    const { id } = await addWebhook(person, new ReceiverInbox().url, ["transfer.uploaded"]);
    const query = "select count(*) as n from webhook_deliveries where webhook_id = ? and state = 'delivered'";
    const told = await mainUsageOf(async () => {
      await sendOne();
      await vi.waitUntil(async () => (await rowOf<{ n: number }>(query, id)).n === 1);
    });
    const { webhookDelivery } = STEPS;
    expect(told).toEqual({
      ...others,
      rowRead: rowRead + webhookDelivery.rowRead,
      rowWritten: rowWritten + webhookDelivery.rowWritten,
      queueOperation: webhookDelivery.queueOperation,
    });
  });

  it("through an upload request, with a page that listens and its mail", async () => {
    const owner = await signUp();
    await putOnPlan(owner.email, "professional");
    await runSql("update users set created_at = 0 where id = ?", owner.id);
    const person = new Client(owner.cookie, send);
    const anybody = new Sender(await createRequest(person), send);
    const files = [textFile("a.txt")];
    let started: StartSendingAnswer | null = null;
    const start = async () => (started = await anybody.begin(files, { open: [{ object: 0, runs: [[0, 1]] }] }));
    expect(await mainUsageOf(start)).toEqual(STEPS.startSending);
    const { downloadId, uploadId, urls } = started ?? expect.unreachable();
    const receipts = await putObject({ urls }, 0, join(files.map(({ bytes }) => bytes)));
    expect(await mainUsageOf(() => expectOk(finish(anybody, downloadId, receipts)))).toEqual(STEPS.finishSending);

    const sent = await sendFile(person, "some bytes");
    const pages: FeedPage[] = [];
    expect(await mainUsageOf(async () => pages.push(await FeedPage.open(person)))).toEqual(STEPS.listen);
    const downloadHeard = async () => {
      await download(sent);
      await pages[0]?.ended(1);
    };
    const { rowRead = 0, ...heard } = await mainUsageOf(downloadHeard);
    const { rowRead: usualReads, ...usual } = STEPS.download;
    expect(heard).toEqual(usual);
    expect(rowRead).toBe(usualReads + STEPS.hear.rowRead);
    pages[0]?.close();

    await runCron();
    const { rowRead: idleReads = 0 } = await mainUsageOf(() => runCron());
    const due = nextHour - HOUR_MS;
    await runSql("update notice_events set at = ?, mailed_at = null where transfer_id = ?", due, uploadId);
    const { rowRead: mailReads = 0, ...mailed } = await mainUsageOf(() => runCron());
    const { rowRead: _, ...cron } = STEPS.cron;
    const { rowWritten, queueOperation } = STEPS.noticeMail;
    expect(mailed).toEqual({ ...cron, rowWritten, queueOperation });
    expect(mailReads).toBeLessThanOrEqual(idleReads + STEPS.noticeMail.rowRead);

    const email = `${crypto.randomUUID()}@example.com`;
    const share = async () => {
      await expectOk(person.post(`/api/files/${sent.uploadId}/share`, { email }));
      await mailTo(email);
      const waiting = () => rowOf<{ n: number }>(`select count(*) as n from mail_outbox where "to" = ?`, email);
      await vi.waitUntil(async () => (await waiting()).n === 0);
    };
    expect(await mainUsageOf(share)).toEqual(STEPS.mailLink);
  });
});
