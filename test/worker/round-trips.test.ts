import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DEFAULT_CHUNK_BYTES, partRange, planParts, PROXIED_PART_BYTES } from "#domain/parts.ts";
import { DAY_MS, HOUR_MS, MIB } from "#domain/units.ts";
import { SocketCounter } from "#durable-objects/socket-counter.ts";
import type { StartTransferAnswer, TransferBatchAnswer } from "#domain/wire.ts";
import worker from "#worker/index.ts";
import { chunks, STEPS } from "../../bench/cost-figures.ts";
import { Page } from "#test/durable-objects/page.ts";
import { chunksOf, finalize, init, put } from "#test/support/chunked.ts";
import { createMeteredEnv, type Usage } from "#test/support/metered-env.ts";
import { explain } from "#test/support/query-plan.ts";
import { SAMPLES } from "#test/support/samples.ts";
import { createSlowEnv, countSequentialCalls, type Trip } from "#test/support/round-trips.ts";
import {
  batch,
  finish,
  join,
  MODIFIED_MS,
  putObject,
  sendTransfer,
  startTransfer,
  textFile,
} from "#test/support/transfers.ts";
import {
  putIncoming,
  runSql,
  Client,
  contentPath,
  logInAdmin,
  patternBytes,
  putOnPlan,
  rowOf,
  sendFile,
  sendParts,
  signUp,
  stopClockAt,
} from "#test/support/worker.ts";

type IncomingRequest = Request<unknown, IncomingRequestCfProperties>;

/** Sends a request with a slow D1 and slow Durable Objects. */
async function request(cookie: string, path: string, body?: unknown, method = body === undefined ? "GET" : "POST") {
  const slow = createSlowEnv();
  const headers = { cookie, ...(body === undefined ? {} : { "content-type": "application/json" }) };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const sequentialCalls = await countSequentialCalls(slow, async () =>
    worker.fetch(new Request(new URL(path, env.APP_ORIGIN), init), slow.env, createExecutionContext()),
  );
  return { sequentialCalls, trips: slow.trips };
}

/** Small tables, and the subquery that counts at most ten thousand rows. */
const SMALL = /^SCAN (seo_content|page_content|plan_numbers|counted)$/;

/** Every query uses an index, so that its cost does not grow with the table. */
async function expectNoScan(trips: Trip[]): Promise<void> {
  for (const query of trips.flatMap(({ queries }) => queries)) {
    const steps = (await explain(query)).split("; ");
    const scans = steps.filter((step) => /^SCAN \w+$/.test(step) && !SMALL.test(step));
    expect({ query, scans }).toEqual({ query, scans: [] });
  }
}

let person: Client & { email: string; id: string };
let admin: Client;
let ready: { uploadId: string; downloadId: string };
let unfinished: { uploadId: string; downloadId: string };
let transfer: { uploadId: string; downloadId: string };
let readyTransfer: { uploadId: string; downloadId: string };

beforeAll(async () => {
  person = await signUp();
  await putOnPlan(person.email, "ultimate");
  ready = await sendFile(person, "some bytes");
  unfinished = await person.startUpload(64 * MIB);
  transfer = await startTransfer(person, [textFile("a.txt")], { totals: { entries: 2, bytes: 1000 } });
  readyTransfer = await sendTransfer(person, [textFile("a.txt"), textFile("b.txt")]);
  admin = await logInAdmin();
});

const START = { filename: "a.bin", fileType: "", fileSize: 64 * MIB, expiration: "1d" };

describe("a request makes at most two sequential calls to D1 and Durable Objects", () => {
  it.each<[string, number, () => ReturnType<typeof request>]>([
    ["the landing page", 1, () => request("", "/")],
    ["a content page", 1, () => request("", "/terms")],
    ["the landing page, signed in", 1, () => request(person.cookie, "/")],
    ["the dashboard", 2, () => request(person.cookie, "/dashboard")],
    ["the account", 1, () => request(person.cookie, "/account")],
    ["a download's page", 1, () => request("", `/download/${ready.downloadId}`)],
    ["an unfinished upload's download page", 2, () => request("", `/download/${unfinished.downloadId}`)],
    ["a transfer's download page", 2, () => request("", `/download/${readyTransfer.downloadId}`)],
    ["an unfinished transfer's download page", 2, () => request("", `/download/${transfer.downloadId}`)],
    ["a download's first byte", 1, () => request("", contentPath(ready.downloadId))],
    ["a link's file information", 1, () => request("", `/api/files/download/${ready.downloadId}`)],
    ["the current user", 1, () => request(person.cookie, "/api/auth/me")],
    ["a user's own files", 2, () => request(person.cookie, "/api/files?page=1&sort=largest&q=a")],
    ["the user's plan", 2, () => request(person.cookie, "/api/subscription/current-plan")],
    ["starting an upload", 2, () => request(person.cookie, "/api/direct-upload/presigned-url", START)],
    [
      "starting an upload that may be resumed",
      2,
      () =>
        request(person.cookie, "/api/direct-upload/presigned-url", { ...START, lastModified: 1, fingerprint: null }),
    ],
    [
      "signing parts",
      2,
      () => request(person.cookie, "/api/direct-upload/sign-parts", { downloadId: unfinished.downloadId, parts: [1] }),
    ],
    [
      "a transfer's batch",
      2,
      () =>
        request(person.cookie, `/api/transfers/${transfer.downloadId}/batch`, {
          entries: { from: 0, list: [["a.txt", 13, MODIFIED_MS]] },
          open: [{ object: 0, runs: [[0, 1]] }],
        }),
    ],
    ["the admin area's overview", 2, () => request(admin.cookie, "/admin/dashboard")],
    ["the admin area's users", 2, () => request(admin.cookie, "/api/admin/users?page=1")],
    ["a search in the users", 2, () => request(admin.cookie, "/api/admin/users?page=1&q=per")],
    ["expired files", 2, () => request(admin.cookie, "/api/admin/files/expired?page=1")],
    ["finding a file", 2, () => request(admin.cookie, `/api/admin/files?q=${ready.downloadId}`)],
    ["a user's files", 2, () => request(admin.cookie, `/api/admin/users/${person.id}/files?page=1`)],
    ["contact messages", 2, () => request(admin.cookie, "/api/admin/contact-submissions?page=1")],
    ["file reports", 2, () => request(admin.cookie, "/api/admin/reports?page=1")],
    ["the upload log", 2, () => request(admin.cookie, "/api/admin/upload-log?page=1")],
    ["the audit log", 2, () => request(admin.cookie, "/api/admin/admin-log?page=1")],
    ["the cron's runs", 2, () => request(admin.cookie, "/api/admin/sweep-runs")],
    ["page contents", 2, () => request(admin.cookie, "/api/content")],
    ["SEO records", 2, () => request(admin.cookie, "/api/seo")],
    ["the sitemap", 1, () => request("", "/sitemap.xml")],
  ])("%s: %i", async (_what, maxCalls, run) => {
    const { sequentialCalls, trips } = await run();
    expect(sequentialCalls).toBeLessThanOrEqual(maxCalls);
    await expectNoScan(trips);
  });

  it("completing an upload", async () => {
    const small = await person.startUpload(5);
    await putIncoming(small.uploadId, "bytes");
    const complete = await request(person.cookie, "/api/direct-upload/complete", { downloadId: small.downloadId });
    expect(complete.sequentialCalls).toBeLessThanOrEqual(2);
    const large = await person.startUpload(17 * MIB);
    const receipts = await sendParts(large.uploadId, new Uint8Array(17 * MIB));
    const joined = await request(person.cookie, "/api/direct-upload/complete", {
      downloadId: large.downloadId,
      receipts,
    });
    expect(joined.sequentialCalls).toBeLessThanOrEqual(2);
  });
});

/** Rare requests. */
describe("rare requests may make more sequential calls", () => {
  it.each<[string, string, number, () => ReturnType<typeof request>]>([
    [
      "logging in",
      "better-auth reads the user, the password and the session one after the other",
      5,
      () => request("", "/api/auth/login", { email: person.email, password: "a good password", rememberMe: true }),
    ],
    [
      "starting a transfer",
      "the rate limit is asked before the plan",
      3,
      () => request(person.cookie, "/api/transfers", SAMPLES.transfer),
    ],
    [
      "a transfer's batch with larger totals",
      "the month is asked before the files are announced",
      3,
      () =>
        request(person.cookie, `/api/transfers/${transfer.downloadId}/batch`, { totals: { entries: 3, bytes: 2000 } }),
    ],
    [
      "an administrator's change",
      "the row is read before the change for the log, and after it for the answer",
      5,
      () => request(admin.cookie, `/api/admin/user/plan/${person.id}`, { planType: "professional" }, "PUT"),
    ],
    [
      "deleting a file",
      "ends the link, deletes the object, then updates the row",
      3,
      () => request(person.cookie, `/api/files/${ready.uploadId}`, undefined, "DELETE"),
    ],
  ])("%s (%s): %i", async (_what, _why, maxCalls, run) => {
    const { sequentialCalls, trips } = await run();
    expect(sequentialCalls).toBeLessThanOrEqual(maxCalls);
    await expectNoScan(trips);
  });
});

/** docs/cost.md is computed from these figures. */
describe("the billable operations of a file", () => {
  const SIZE_BYTES = 17 * MIB;
  const IDENTITY = { lastModified: 1, fingerprint: "a".repeat(64) };
  const counted = createMeteredEnv();
  let workerRequests = 0;
  const send = (incoming: Request) => {
    workerRequests += 1;
    return worker.fetch(incoming as IncomingRequest, counted.env, createExecutionContext());
  };
  const upcoming = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  // A run after midnight also counts the day before.
  const nextHour = upcoming % DAY_MS === 0 ? upcoming - HOUR_MS : upcoming;
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

  /** Downloads the file and waits until the download is counted. */
  async function download({ uploadId, downloadId }: { uploadId: string; downloadId: string }): Promise<void> {
    await (await visitor.fetch(contentPath(downloadId))).arrayBuffer();
    const find = () => rowOf<{ n: number }>("select download_count as n from files where id = ?", uploadId);
    await vi.waitUntil(async () => (await find()).n > 0);
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
      page.send({ type: "receipts", receipts: [{ part: 1, etag: "abc" }] });
      await page.next("received");
    };
    // Neither the part's PUT nor the socket message is counted here.
    expect(await mainUsageOf(receipt)).toEqual({ objectRowWritten: STEPS.presignedPart.objectRowWritten });
    await leave(page);
    await expectOk(sender.post("/api/direct-upload/cancel", { downloadId: upload.downloadId }));
  });

  it("with parts through the Worker: parts, completion, download page, download, sweep", async () => {
    const bytes = patternBytes(SIZE_BYTES);
    const upload = await sender.startUpload(SIZE_BYTES);
    for (let part = 1; part <= planParts(SIZE_BYTES).partCount; part += 1) {
      const { start, end } = partRange(SIZE_BYTES, part);
      const headers = { "content-length": String(end - start) };
      const path = `/api/direct-upload/parts/${upload.downloadId}/${part}`;
      const proxyPart = () => sender.fetch(path, { method: "PUT", headers, body: bytes.slice(start, end) });
      expect(await mainUsageOf(() => expectOk(proxyPart()))).toEqual(STEPS.proxiedPart);
    }
    expect(await mainUsageOf(() => expectOk(sender.complete(upload.downloadId)))).toEqual(STEPS.complete);

    const openPage = () => expectOk(visitor.fetch(`/download/${upload.downloadId}`));
    expect(await mainUsageOf(openPage)).toEqual(STEPS.downloadPage);
    expect(await mainUsageOf(() => download(upload))).toEqual(STEPS.download);
    const { rowRead: idleReads = 0, ...idle } = await mainUsageOf(() => runCron());
    const { rowRead: maxReads, ...cron } = STEPS.cron;
    expect(idle).toEqual(cron);
    expect(idleReads).toBeLessThanOrEqual(maxReads);
    await runSql("update files set expires_at = 1 where id = ?", upload.uploadId);
    expect(await mainUsageOf(() => runCron())).toEqual({
      ...cron,
      rowRead: idleReads + STEPS.sweep.rowRead,
      rowWritten: cron.rowWritten + STEPS.sweep.rowWritten,
    });
    const hourly = await mainUsageOf(() => runCron(nextHour + HOUR_MS));
    expect(hourly.classA).toBe(STEPS.leftovers.classA);
  });

  it.each([DEFAULT_CHUNK_BYTES, MIB])("with chunks of %i bytes", async (maxChunkSize) => {
    const chunkList = chunksOf(patternBytes(SIZE_BYTES), maxChunkSize);
    let upload = { uploadId: "" };
    const start = async () => (upload = await init(sender, SIZE_BYTES, { ...IDENTITY, maxChunkSize }));
    expect(await mainUsageOf(start)).toEqual(STEPS.startOfChunks);
    const sendAll = async () => {
      for (const [index, chunk] of chunkList.entries()) await expectOk(put(sender, upload.uploadId, index, chunk));
    };
    expect(await usageOf(sendAll)).toEqual(chunks(chunkList.length, PROXIED_PART_BYTES / maxChunkSize));
    expect(await mainUsageOf(() => expectOk(finalize(sender, upload.uploadId)))).toEqual(STEPS.complete);
    const { UPLOADS } = counted.env;
    const session = UPLOADS.get(UPLOADS.idFromName(upload.uploadId));
    // The stub is the object itself here (test/support/durable-objects-with-env.ts), so it has `alarm`.
    const runAlarm = Reflect.get(session, "alarm") as () => Promise<void>;
    expect(await mainUsageOf(runAlarm)).toEqual(STEPS.hash);
  });

  it("as a transfer of 500 files in two packs: start, batch, finish", async () => {
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
  });
});
