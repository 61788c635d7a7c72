import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS } from "#domain/units.ts";
import type {
  AdminLogEntry,
  ContactPage,
  ContactSubmission,
  Overview,
  Paged,
  SweepRun,
  UploadLogEntry,
} from "#domain/wire.ts";
import { getOverview, refreshOverview } from "#worker/admin/overview.ts";
import { servicesFor } from "#worker/services.ts";
import { listAuditEntries } from "#worker/db/admin-audit.ts";
import { findAnyFile, listExpired } from "#worker/db/admin-files.ts";
import { listUsers } from "#worker/db/admin-users.ts";
import { listUploadEvents } from "#worker/db/upload-audit.ts";
import { listContact } from "#worker/db/contact-messages.ts";
import { readOverview, recountDay } from "#worker/db/overview.ts";
import { listReports } from "#worker/db/reports.ts";
import { deedsOn, read, runCron } from "../support/admin.ts";
import { plansOf } from "../support/query-plan.ts";
import {
  answerOf,
  change,
  Client,
  contentPath,
  logInAdmin,
  rowOf,
  sendFile,
  signUp,
  putOnPlan,
} from "../support/worker.ts";

let admin: Client;

beforeAll(async () => {
  admin = await logInAdmin();
});

describe("what visitors wrote", () => {
  it("is listed newest first with a count, read and deleted, and goes after twelve months", async () => {
    await change("delete from contact_submissions");
    const message = { name: "Ann", email: "Ann@example.com", subject: "Hello", message: "A message of mine." };
    await new Client().post("/api/contact", message);
    await change("update contact_submissions set created_at = created_at - 1000");
    await new Client().post("/api/contact", { ...message, email: "bob@example.com" });
    const list = await read<ContactSubmission[]>(admin, "/api/admin/contact-submissions");
    expect(list).toMatchObject([
      { email: "bob@example.com", isRead: false },
      { ...message, isRead: false },
    ]);
    const [bob, ann] = list.map(({ id }) => id) as [string, string];
    for (let call = 0; call < 2; call += 1) {
      expect((await admin.put(`/api/admin/contact-submissions/${ann}/mark-read`)).status).toBe(200);
    }
    expect(await read<ContactPage>(admin, "/api/admin/contact-submissions?q=ann")).toMatchObject({
      items: [{ id: ann, isRead: true }],
      total: 1,
      unread: 1,
    });
    expect((await admin.delete(`/api/admin/contact-submissions/${bob}`)).status).toBe(200);
    expect((await admin.delete(`/api/admin/contact-submissions/${bob}`)).status).toBe(404);
    expect((await admin.put("/api/admin/contact-submissions/none/mark-read")).status).toBe(404);
    expect(await deedsOn(admin, ann)).toEqual([["contact.read", "admin", ""]]);
    expect(await deedsOn(admin, bob)).toEqual([["contact.delete", "admin", ""]]);
    await change("update contact_submissions set created_at = ?", Date.now() - 365 * DAY_MS);
    await runCron();
    expect(await read(admin, "/api/admin/contact-submissions")).toEqual([]);
  });
});

describe("SEO records and pages", () => {
  it("are listed, created, changed and deleted, each change logged with who did it", async () => {
    const seo = {
      page: "/new",
      title: "New",
      description: "A page.",
      keywords: "new, page",
      ogTitle: " ",
      ogImage: null,
    };
    const [status, created] = await answerOf(admin.post("/api/seo", seo));
    expect([status, created]).toEqual([
      201,
      expect.objectContaining({ page: "/new", ogTitle: null, canonicalUrl: null }),
    ]);
    const id = String(created.id);
    expect((await answerOf(admin.put(`/api/seo/${id}`, { ...seo, title: "Newer" })))[1]).toMatchObject({
      id,
      title: "Newer",
    });
    expect(await read<{ page: string }[]>(admin, "/api/seo")).toContainEqual(
      expect.objectContaining({ id, page: "/new" }),
    );
    expect((await admin.post("/api/seo", seo)).status).toBe(409);
    expect((await admin.post("/api/seo", { ...seo, page: "" })).status).toBe(400);
    expect((await admin.delete(`/api/seo/${id}`)).status).toBe(200);
    expect((await admin.delete(`/api/seo/${id}`)).status).toBe(404);
    expect((await deedsOn(admin, id)).map(([action]) => action)).toEqual(["seo.create", "seo.update", "seo.delete"]);

    const page = { title: "New", slug: "new", content: "Tëxt ".repeat(9000), lastUpdatedBy: "admin" };
    const [made, text] = await answerOf(admin.post("/api/content", page));
    expect([made, text]).toEqual([201, expect.objectContaining({ slug: "new", lastUpdatedBy: "admin" })]);
    const slug = String(text.id);
    expect((await admin.put(`/api/content/${slug}`, { ...page, title: "Newer" })).status).toBe(200);
    expect((await admin.put(`/api/content/${slug}`, { ...page, content: " \n" })).status).toBe(400);
    expect(await read(admin, "/api/content")).toContainEqual(expect.objectContaining({ id: slug, title: "Newer" }));
    expect((await admin.delete(`/api/content/${slug}`)).status).toBe(200);
    expect((await deedsOn(admin, slug)).map(([action]) => action)).toEqual([
      "content.create",
      "content.update",
      "content.delete",
    ]);
  });
});

describe("insight", () => {
  it("shows numbers by day, what each plan stores, uploads' events, and what the cron did", async () => {
    await change("delete from overview_days");
    await change("delete from upload_audit_logs");
    await change("delete from plan_numbers");
    await change("delete from plan_days");
    await change("update users set plan_type = 'free'");
    const person = await signUp();
    await putOnPlan(person.email, "professional");
    const { downloadId } = await sendFile(person, "12345");
    await new Client().fetch(contentPath(downloadId)).then((response) => response.text());
    expect(
      (
        await person.post("/api/direct-upload/presigned-url", {
          filename: "a",
          fileType: "text/plain",
          fileSize: 1,
          expiration: "never",
        })
      ).status,
    ).toBe(403);
    await person.post("/api/direct-upload/cancel", { downloadId: (await person.startUpload(7)).downloadId });
    await vi.waitFor(async () => {
      const { days } = await read<Overview>(admin, "/api/admin/overview?days=7");
      expect(days).toHaveLength(7);
      expect(days.at(-1)).toEqual({
        day: new Date().toISOString().slice(0, 10),
        uploads: 1,
        bytes: 5,
        failed: 1,
        rejected: 1,
        downloads: 1,
        stored: null,
      });
    });
    await runCron();
    const { storage } = await read<Overview>(admin, "/api/admin/overview");
    expect(storage?.plans.map(({ planType }) => planType)).toEqual(["free", "professional", "ultimate"]);
    expect(storage?.plans[1]).toEqual({ planType: "professional", users: 1, files: 1, bytes: 5 });
    expect((await admin.fetch("/api/admin/overview?days=1000")).status).toBe(400);

    const today = new Date().toISOString().slice(0, 10);
    const log = (query: string) => read<Paged<UploadLogEntry>>(admin, `/api/admin/upload-log?${query}`);
    expect((await log(`userId=${person.id}&status=rejected`)).items).toMatchObject([
      { errorCode: "PLAN_LIMIT_EXCEEDED" },
    ]);
    expect((await log(`status=success&from=${today}&to=${today}`)).total).toBe(3);
    expect((await log("to=2026-01-01")).items).toEqual([]);

    const [run] = await read<SweepRun[]>(admin, "/api/admin/sweep-runs");
    expect(run).toMatchObject({ failed: [], startedAt: expect.stringMatching(/Z$/) as string });
    await change("update sweep_runs set started_at = ?", Date.now() - DAY_MS);
    await runCron();
    expect(await read<SweepRun[]>(admin, "/api/admin/sweep-runs")).toHaveLength(1);
  });

  it("keeps what each plan stored each day, as it was when it was last counted", async () => {
    await change("delete from plan_numbers");
    await change("delete from plan_days");
    await change("update users set plan_type = 'free'");
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    await sendFile(person, "123");
    const services = servicesFor(env);
    const midnight = Date.now() - (Date.now() % DAY_MS);
    const count = (ageMs: number) => refreshOverview(services, midnight - ageMs);
    const ultimate = async () =>
      (await getOverview(services, { days: "7" }, midnight)).days.map(({ stored }) => stored?.ultimate ?? null);

    expect(await count(3 * DAY_MS)).toBe(true);
    await sendFile(person, "4567");
    expect(await count(3 * DAY_MS - HOUR_MS / 2)).toBe(false);
    expect(await ultimate()).toEqual([null, null, null, 3, null, null, null]);
    // The same day again, and the last minute of the next but one.
    expect(await count(3 * DAY_MS - HOUR_MS)).toBe(true);
    expect(await count(DAY_MS + 1)).toBe(true);
    expect(await ultimate()).toEqual([null, null, null, 7, 7, null, null]);
    // A new day does not wait for its first hour to be over; a plan that nobody is on stores nothing.
    await putOnPlan(person.email, "professional");
    expect(await count(DAY_MS - 1)).toBe(true);
    expect(await ultimate()).toEqual([null, null, null, 7, 7, 0, null]);
    const { days, storage } = await getOverview(services, { days: "7" }, midnight);
    expect(days[5]?.stored).toMatchObject({ professional: 7, ultimate: 0 });
    expect(storage?.plans[2]).toEqual({ planType: "ultimate", users: 0, files: 0, bytes: 0 });
  });

  it("forgets the days' numbers with the events that they count", async () => {
    const dayAt = (ageDays: number) => new Date(Date.now() - ageDays * DAY_MS).toISOString().slice(0, 10);
    for (const day of [dayAt(365), dayAt(366)]) {
      await change("insert into overview_days (day) values (?)", day);
      await change("insert into plan_days values (?, 'free', 1), (?, 'ultimate', 1)", day, day);
    }
    await runCron();
    for (const table of ["overview_days", "plan_days"]) {
      expect(await rowOf(`select min(day) as day from ${table}`)).toEqual({ day: dayAt(365) });
    }
  });

  it("tells what of the cron failed", async () => {
    const { uploadId } = await sendFile(await signUp(), "hello");
    await change("update files set expires_at = 1 where id = ?", uploadId);
    const broken = vi.spyOn(env.BUCKET, "delete").mockRejectedValue(new Error("down"));
    await runCron();
    broken.mockRestore();
    expect((await read<SweepRun[]>(admin, "/api/admin/sweep-runs"))[0]?.failed).toEqual(["sweep"]);
  });

  it("keeps what administrators did for 365 days", async () => {
    await change(
      "insert into admin_audit_logs values ('old', ?, null, 'admin', 'user.plan', 'old', '')",
      Date.now() - 365 * DAY_MS,
    );
    expect(await deedsOn(admin, "old")).toHaveLength(1);
    const { items } = await read<Paged<AdminLogEntry>>(admin, "/api/admin/admin-log?action=user.plan");
    expect(items.map(({ id }) => id)).toContain("old");
    expect(new Set(items.map(({ action }) => action))).toEqual(new Set(["user.plan"]));
    await runCron();
    expect(await deedsOn(admin, "old")).toEqual([]);
    expect((await admin.fetch("/api/admin/admin-log?action=nothing")).status).toBe(400);
  });
});

describe("however many rows there are, an index answers", () => {
  const now = Date.now();
  const queries = {
    "users, newest first": [(db) => listUsers(db, {}), /SCAN users USING INDEX users_newest/],
    "users by address": [(db) => listUsers(db, { sort: "email" }), /SCAN users USING INDEX users_email/],
    "users whose address begins so": [
      (db) => listUsers(db, { q: "a" }),
      /SEARCH users USING INDEX users_email \(email>\? AND email<\?\)/,
    ],
    "expired files": [
      (db) => listExpired(db, {}, now),
      /SEARCH files USING INDEX files_expired \(expires_at>\? AND expires_at<\?\)|SEARCH files USING INDEX files_expired \(expires_at<\?\)/,
    ],
    "expired files whose name begins so": [
      (db) => listExpired(db, { q: "a" }, now),
      /SEARCH files USING INDEX files_name/,
    ],
    "a file by id or download id": [(db) => findAnyFile(db, "x"), /MULTI-INDEX OR/],
    messages: [(db) => listContact(db, {}), /SCAN contact_submissions USING INDEX contact_submissions_newest/],
    "messages from an address that begins so": [
      (db) => listContact(db, { q: "a" }),
      /SEARCH contact_submissions USING INDEX contact_submissions_email/,
    ],
    "open reports": [(db) => listReports(db, {}), /SCAN file_reports USING INDEX file_reports_open/],
    "settled reports": [(db) => listReports(db, { state: "settled" }), /USING INDEX file_reports_settled/],
    "uploads' events": [
      (db) => listUploadEvents(db, {}, null, null),
      /SCAN upload_audit_logs USING INDEX upload_audit_logs_timestamp/,
    ],
    "a person's": [
      (db) => listUploadEvents(db, { userId: "x", status: "failed" }, 0, now),
      /SEARCH upload_audit_logs USING INDEX upload_audit_logs_user/,
    ],
    "failed ones": [
      (db) => listUploadEvents(db, { status: "failed" }, 0, now),
      /SEARCH upload_audit_logs USING INDEX upload_audit_logs_status/,
    ],
    deeds: [(db) => listAuditEntries(db, {}), /SCAN admin_audit_logs USING INDEX admin_audit_logs_at/],
    "deeds on something": [
      (db) => listAuditEntries(db, { target: "x" }),
      /SEARCH admin_audit_logs USING INDEX admin_audit_logs_target/,
    ],
    "a day's numbers": [
      (db) => recountDay(db, { day: "2026-01-01", start: 0, end: 1 }),
      /SEARCH upload_audit_logs USING INDEX upload_audit_logs_timestamp/,
    ],
    "the overview": [
      (db) => readOverview(db, "2026-01-01", { day: "2026-01-01", start: 0, end: 1 }),
      /SEARCH upload_audit_logs USING INDEX upload_audit_logs_timestamp/,
    ],
  } satisfies Record<string, [Parameters<typeof plansOf>[0], RegExp]>;

  it.each(Object.entries(queries))("%s", async (_name, [run, expected]) => {
    const plans = await plansOf(run);
    expect(plans[0]).toMatch(expected);
    // In an index's order, or a range of one: never all rows sorted.
    expect(plans[0]).not.toMatch(/TEMP B-TREE FOR (?!LAST)|SCAN \w+(;|$)/);
  });
});
