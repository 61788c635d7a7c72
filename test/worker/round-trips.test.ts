import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DEFAULT_CHUNK_BYTES, partRange, planParts, PROXIED_PART_BYTES } from "#domain/parts.ts";
import { HOUR_MS, MIB } from "#domain/units.ts";
import { SocketCounter } from "#durable-objects/socket-counter.ts";
import worker from "#worker/index.ts";
import { chunks, STEPS } from "../../bench/cost-figures.ts";
import { Page } from "#test/durable-objects/page.ts";
import { chunksOf, finalize, init, put } from "#test/support/chunked.ts";
import { counting, type Spent } from "#test/support/counting.ts";
import { explain } from "#test/support/query-plan.ts";
import { farAway, waitsOf, type Trip } from "#test/support/round-trips.ts";
import {
  arrive,
  change,
  Client,
  contentPath,
  logInAdmin,
  patterned,
  putOnPlan,
  rowOf,
  sendFile,
  sendParts,
  signUp,
  stopClockAt,
} from "#test/support/worker.ts";

type IncomingRequest = Request<unknown, IncomingRequestCfProperties>;

/** A request far away from the database: what it waits for, and what it asks. */
async function ask(cookie: string, path: string, body?: unknown, method = body === undefined ? "GET" : "POST") {
  const far = farAway();
  const headers = { cookie, ...(body === undefined ? {} : { "content-type": "application/json" }) };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const waits = await waitsOf(far, () =>
    worker.fetch(new Request(new URL(path, env.APP_ORIGIN), init), far.env, createExecutionContext()),
  );
  return { waits, trips: far.trips };
}

/** As many rows as there are pages or plans, read whole; and what a list counts, which ends at ten thousand. */
const SMALL = /^SCAN (seo_content|page_content|plan_numbers|counted)$/;

/** Every query goes through an index: whatever a table holds, it costs the same. */
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

beforeAll(async () => {
  person = await signUp();
  await putOnPlan(person.email, "ultimate");
  ready = await sendFile(person, "some bytes");
  unfinished = await person.startUpload(64 * MIB);
  admin = await logInAdmin();
});

const START = { filename: "a.bin", fileType: "", fileSize: 64 * MIB, expiration: "1d" };

describe("however far away the database is, a request waits for it twice at most", () => {
  it.each<[string, number, () => ReturnType<typeof ask>]>([
    ["a visitor's first page", 1, () => ask("", "/")],
    ["a page with a text", 1, () => ask("", "/terms")],
    ["a person's first page", 1, () => ask(person.cookie, "/")],
    ["the dashboard", 2, () => ask(person.cookie, "/dashboard")],
    ["the account", 1, () => ask(person.cookie, "/account")],
    ["a download's page", 1, () => ask("", `/download/${ready.downloadId}`)],
    ["the page of one on its way", 2, () => ask("", `/download/${unfinished.downloadId}`)],
    ["a download's first byte", 1, () => ask("", contentPath(ready.downloadId))],
    ["what a link leads to", 1, () => ask("", `/api/files/download/${ready.downloadId}`)],
    ["who is signed in", 1, () => ask(person.cookie, "/api/auth/me")],
    ["a person's files", 2, () => ask(person.cookie, "/api/files?page=1&sort=largest&q=a")],
    ["a person's plan", 2, () => ask(person.cookie, "/api/subscription/current-plan")],
    ["starting an upload", 2, () => ask(person.cookie, "/api/direct-upload/presigned-url", START)],
    [
      "starting one that may have broken off",
      2,
      () => ask(person.cookie, "/api/direct-upload/presigned-url", { ...START, lastModified: 1, fingerprint: null }),
    ],
    [
      "signing parts",
      2,
      () => ask(person.cookie, "/api/direct-upload/sign-parts", { downloadId: unfinished.downloadId, parts: [1] }),
    ],
    ["the admin area's overview", 2, () => ask(admin.cookie, "/admin/dashboard")],
    ["the admin area's users", 2, () => ask(admin.cookie, "/api/admin/users?page=1")],
    ["a search among them", 2, () => ask(admin.cookie, "/api/admin/users?page=1&q=per")],
    ["what has expired", 2, () => ask(admin.cookie, "/api/admin/files/expired?page=1")],
    ["one file", 2, () => ask(admin.cookie, `/api/admin/files?q=${ready.downloadId}`)],
    ["a user's files", 2, () => ask(admin.cookie, `/api/admin/users/${person.id}/files?page=1`)],
    ["messages", 2, () => ask(admin.cookie, "/api/admin/contact-submissions?page=1")],
    ["reports", 2, () => ask(admin.cookie, "/api/admin/reports?page=1")],
    ["the log of uploads", 2, () => ask(admin.cookie, "/api/admin/upload-log?page=1")],
    ["the log of deeds", 2, () => ask(admin.cookie, "/api/admin/admin-log?page=1")],
    ["what the cron did", 2, () => ask(admin.cookie, "/api/admin/sweep-runs")],
    ["texts", 2, () => ask(admin.cookie, "/api/content")],
    ["heads", 2, () => ask(admin.cookie, "/api/seo")],
    ["the sitemap", 1, () => ask("", "/sitemap.xml")],
  ])("%s: %i", async (_what, most, run) => {
    const { waits, trips } = await run();
    expect(waits).toBeLessThanOrEqual(most);
    await expectNoScan(trips);
  });

  it("completing: who asks and for what, then the upload", async () => {
    const small = await person.startUpload(5);
    await arrive(small.uploadId, "bytes");
    const complete = await ask(person.cookie, "/api/direct-upload/complete", { downloadId: small.downloadId });
    expect(complete.waits).toBeLessThanOrEqual(2);
    const large = await person.startUpload(17 * MIB);
    const receipts = await sendParts(large.uploadId, new Uint8Array(17 * MIB));
    const joined = await ask(person.cookie, "/api/direct-upload/complete", { downloadId: large.downloadId, receipts });
    expect(joined.waits).toBeLessThanOrEqual(2);
  });
});

/** These wait longer, and are rare. */
describe("what changes an account or somebody's rights may wait longer", () => {
  it.each<[string, string, number, () => ReturnType<typeof ask>]>([
    [
      "logging in",
      "better-auth looks for the person, the password and the session's place one after the other",
      5,
      () => ask("", "/api/auth/login", { email: person.email, password: "a good password", rememberMe: true }),
    ],
    [
      "an administrator's change",
      "the row is read before, for what the log says, and after, for the answer",
      5,
      () => ask(admin.cookie, `/api/admin/user/plan/${person.id}`, { planType: "professional" }, "PUT"),
    ],
    [
      "deleting a file",
      "its link ends first, then its object, then the row says so",
      3,
      () => ask(person.cookie, `/api/files/${ready.uploadId}`, undefined, "DELETE"),
    ],
  ])("%s (%s): %i", async (_what, _why, most, run) => {
    const { waits, trips } = await run();
    expect(waits).toBeLessThanOrEqual(most);
    await expectNoScan(trips);
  });
});

/** docs/cost.md is worked out from these figures. */
describe("what a file costs, by the database's own account", () => {
  const SIZE_BYTES = 17 * MIB;
  const TWIN = { lastModified: 1, fingerprint: "a".repeat(64) };
  const counted = counting();
  let workerRequests = 0;
  const send = (request: Request) => {
    workerRequests += 1;
    return worker.fetch(request as IncomingRequest, counted.env, createExecutionContext());
  };
  const nextHour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
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
    // What is asked once, and remembered or counted once a day, belongs to no file.
    await takeWhole(await sendFile(sender, "some bytes"));
    await runCron();
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  async function spentBy(step: () => Promise<unknown>): Promise<Spent & { workerRequest?: number }> {
    counted.spent();
    workerRequests = 0;
    await step();
    return { ...counted.spent(), ...(workerRequests > 0 ? { workerRequest: workerRequests } : {}) };
  }

  /** The same, but for the rows that Durable Objects read: those are left out of the figures, being few. */
  async function spentMainlyBy(step: () => Promise<unknown>): Promise<Omit<Spent, "objectRowRead">> {
    const { objectRowRead = 0, ...spent } = await spentBy(step);
    expect(objectRowRead).toBeLessThan(100);
    return spent;
  }

  async function expectOk(answer: Promise<Response>): Promise<void> {
    const response = await answer;
    expect([response.status, response.status === 200 ? "" : await response.text()]).toEqual([200, ""]);
  }

  /** A visitor's download, until it is counted. */
  async function takeWhole({ uploadId, downloadId }: { uploadId: string; downloadId: string }): Promise<void> {
    await (await visitor.fetch(contentPath(downloadId))).arrayBuffer();
    const find = () => rowOf<{ n: number }>("select download_count as n from files where id = ?", uploadId);
    await vi.waitUntil(async () => (await find()).n > 0);
  }

  async function openSocket(downloadId: string): Promise<Page> {
    const page = await Page.open({ downloadId }, sender);
    await page.next("received");
    return page;
  }

  /** Until the sender's sockets have been counted anew. */
  async function leave(page: Page): Promise<void> {
    const { calls } = vi.mocked(SocketCounter.prototype.set).mock;
    const told = calls.length;
    page.leave();
    await vi.waitUntil(() => calls.length > told);
  }

  it("on a presigned road, before its end", async () => {
    let upload = { downloadId: "" };
    const start = async () => (upload = await sender.startUpload(SIZE_BYTES, TWIN));
    expect(await spentMainlyBy(start)).toEqual(STEPS.start);
    const openAndLeave = async () => leave(await openSocket(upload.downloadId));
    expect(await spentMainlyBy(openAndLeave)).toEqual(STEPS.socket);
    const page = await openSocket(upload.downloadId);
    const receipt = async () => {
      page.send({ type: "receipts", receipts: [{ part: 1, etag: "abc" }] });
      await page.next("received");
    };
    // The part itself and the message on the socket pass by everything that counts here.
    expect(await spentMainlyBy(receipt)).toEqual({ objectRowWritten: STEPS.presignedPart.objectRowWritten });
    await leave(page);
    await expectOk(sender.post("/api/direct-upload/cancel", { downloadId: upload.downloadId }));
  });

  it("on the road through the Worker, and after it: its page, its download, its end", async () => {
    const bytes = patterned(SIZE_BYTES);
    const upload = await sender.startUpload(SIZE_BYTES);
    for (let part = 1; part <= planParts(SIZE_BYTES).partCount; part += 1) {
      const { start, end } = partRange(SIZE_BYTES, part);
      const headers = { "content-length": String(end - start) };
      const path = `/api/direct-upload/parts/${upload.downloadId}/${part}`;
      const relay = () => sender.fetch(path, { method: "PUT", headers, body: bytes.slice(start, end) });
      expect(await spentMainlyBy(() => expectOk(relay()))).toEqual(STEPS.proxiedPart);
    }
    expect(await spentMainlyBy(() => expectOk(sender.complete(upload.downloadId)))).toEqual(STEPS.complete);

    const openPage = () => expectOk(visitor.fetch(`/download/${upload.downloadId}`));
    expect(await spentMainlyBy(openPage)).toEqual(STEPS.downloadPage);
    expect(await spentMainlyBy(() => takeWhole(upload))).toEqual(STEPS.download);
    const { rowRead: idleReads = 0, ...idle } = await spentMainlyBy(() => runCron());
    const { rowRead: mostReads, ...cron } = STEPS.cron;
    expect(idle).toEqual(cron);
    expect(idleReads).toBeLessThanOrEqual(mostReads);
    await change("update files set expires_at = 1 where id = ?", upload.uploadId);
    expect(await spentMainlyBy(() => runCron())).toEqual({
      ...cron,
      rowRead: idleReads + STEPS.sweep.rowRead,
      rowWritten: cron.rowWritten + STEPS.sweep.rowWritten,
    });
    const hourly = await spentMainlyBy(() => runCron(nextHour + HOUR_MS));
    expect(hourly.classA).toBe(STEPS.leftovers.classA);
  });

  it.each([DEFAULT_CHUNK_BYTES, MIB])("in chunks of %i bytes", async (maxChunkSize) => {
    const pieces = chunksOf(patterned(SIZE_BYTES), maxChunkSize);
    let upload = { uploadId: "" };
    const start = async () => (upload = await init(sender, SIZE_BYTES, { ...TWIN, maxChunkSize }));
    expect(await spentMainlyBy(start)).toEqual(STEPS.startOfChunks);
    const sendAll = async () => {
      for (const [index, piece] of pieces.entries()) await expectOk(put(sender, upload.uploadId, index, piece));
    };
    expect(await spentBy(sendAll)).toEqual(chunks(pieces.length, PROXIED_PART_BYTES / maxChunkSize));
    expect(await spentMainlyBy(() => expectOk(finalize(sender, upload.uploadId)))).toEqual(STEPS.complete);
    const { UPLOADS } = counted.env;
    const session = UPLOADS.get(UPLOADS.idFromName(upload.uploadId));
    // A stub has no alarm by its type; this one is the object itself (test/support/own-objects.ts).
    const ringAlarm = Reflect.get(session, "alarm") as () => Promise<void>;
    expect(await spentMainlyBy(ringAlarm)).toEqual(STEPS.hash);
  });
});
