import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { MIB } from "#domain/units.ts";
import worker from "#worker/index.ts";
import { explain } from "../support/query-plan.ts";
import { farAway, waitsOf, type Trip } from "../support/trips.ts";
import { arrive, Client, contentPath, logInAdmin, putOnPlan, sendFile, sendParts, signUp } from "../support/worker.ts";

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
    ["the back office's overview", 2, () => ask(admin.cookie, "/admin/dashboard")],
    ["the back office's users", 2, () => ask(admin.cookie, "/api/admin/users?page=1")],
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
