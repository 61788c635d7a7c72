// @module-tag long
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { MIB } from "#domain/units.ts";
import worker from "#worker/index.ts";
import { explain } from "#test/support/query-plan.ts";
import { SAMPLES } from "#test/support/samples.ts";
import { createSlowEnv, countSequentialCalls, type Trip } from "#test/support/round-trips.ts";
import { MODIFIED_MS, sendTransfer, startTransfer, textFile } from "#test/support/transfers.ts";
import {
  Client,
  contentPath,
  logInAdmin,
  putIncoming,
  putOnPlan,
  sendFile,
  sendParts,
  signUp,
} from "#test/support/worker.ts";

/** Sends a request with a slow D1 and slow Durable Objects. */
async function request(cookie: string, path: string, body?: unknown, method = body === undefined ? "GET" : "POST") {
  const slow = createSlowEnv();
  const headers = {
    cookie,
    "accept-language": "en",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
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
      "the limit, the password, the account, and the session, one after the other",
      4,
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
