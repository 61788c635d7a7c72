import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS } from "#domain/units.ts";
import type {
  AdminLogEntry,
  ContactMessagesPage,
  ContactMessage,
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
import { listContactMessages } from "#worker/db/contact-messages.ts";
import { readOverview, updateOverviewDay } from "#worker/db/overview.ts";
import { listReports } from "#worker/db/reports.ts";
import { auditEntriesFor, read, runCron } from "../support/admin.ts";
import { queryPlansOf } from "../support/query-plan.ts";
import {
  answerOf,
  runSql,
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

describe("contact messages", () => {
  it("are listed newest first with a count, marked as read, deleted, and removed after twelve months [ADM-20, API-44, API-45, API-46, KEEP-5]", async () => {
    await runSql("delete from contact_submissions");
    const message = { name: "Ann", email: "Ann@example.com", subject: "Hello", message: "A message of mine." };
    await new Client().post("/api/contact", message);
    await runSql("update contact_submissions set created_at = created_at - 1000");
    await new Client().post("/api/contact", { ...message, email: "bob@example.com" });
    const list = await read<ContactMessage[]>(admin, "/api/admin/contact-submissions");
    expect(list).toMatchObject([
      { email: "bob@example.com", isRead: false },
      { ...message, isRead: false },
    ]);
    const [bob, ann] = list.map(({ id }) => id) as [string, string];
    for (let call = 0; call < 2; call += 1) {
      expect((await admin.put(`/api/admin/contact-submissions/${ann}/mark-read`)).status).toBe(200);
    }
    expect(await read<ContactMessagesPage>(admin, "/api/admin/contact-submissions?q=ann")).toMatchObject({
      items: [{ id: ann, isRead: true }],
      total: 1,
      unread: 1,
    });
    expect((await admin.delete(`/api/admin/contact-submissions/${bob}`)).status).toBe(200);
    expect((await admin.delete(`/api/admin/contact-submissions/${bob}`)).status).toBe(404);
    expect((await admin.put("/api/admin/contact-submissions/none/mark-read")).status).toBe(404);
    expect(await auditEntriesFor(admin, ann)).toEqual([["contact.read", "admin", ""]]);
    expect(await auditEntriesFor(admin, bob)).toEqual([["contact.delete", "admin", ""]]);
    await runSql("update contact_submissions set created_at = ?", Date.now() - 365 * DAY_MS);
    await runCron();
    expect(await read(admin, "/api/admin/contact-submissions")).toEqual([]);
  });
});

describe("SEO records and pages", () => {
  it("are listed, created, changed and deleted; each change is logged with the administrator [ADM-36, API-47, API-48, API-49, API-50, API-51, API-52, API-53, API-54, ENT-12, ENT-14, ROLE-7, VAL-24, VAL-25]", async () => {
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
    expect((await auditEntriesFor(admin, id)).map(([action]) => action)).toEqual([
      "seo.create",
      "seo.update",
      "seo.delete",
    ]);

    const page = { title: "New", slug: "new", content: "Tëxt ".repeat(9000), lastUpdatedBy: "admin" };
    const [made, text] = await answerOf(admin.post("/api/content", page));
    expect([made, text]).toEqual([201, expect.objectContaining({ slug: "new", lastUpdatedBy: "admin" })]);
    const slug = String(text.id);
    expect((await admin.put(`/api/content/${slug}`, { ...page, title: "Newer" })).status).toBe(200);
    expect((await admin.put(`/api/content/${slug}`, { ...page, content: " \n" })).status).toBe(400);
    expect(await read(admin, "/api/content")).toContainEqual(expect.objectContaining({ id: slug, title: "Newer" }));
    expect((await admin.delete(`/api/content/${slug}`)).status).toBe(200);
    expect((await auditEntriesFor(admin, slug)).map(([action]) => action)).toEqual([
      "content.create",
      "content.update",
      "content.delete",
    ]);
  });
});

describe("the overview and the logs", () => {
  it("show totals per day, storage per plan, upload events and the cron's runs", async () => {
    await runSql("delete from overview_days");
    await runSql("delete from upload_audit_logs");
    await runSql("delete from plan_numbers");
    await runSql("delete from plan_days");
    await runSql("update users set plan_type = 'free'");
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
        blocked: 0,
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
    expect((await log(`status=success&from=${today}&to=${today}`)).items).toMatchObject([
      { errorCode: "COMPLETED", size: 5, startedAt: expect.stringMatching(/Z$/) as string },
    ]);
    expect((await log(`userId=${person.id}&status=failed`)).items).toMatchObject([{ errorCode: "CANCELLED", size: 7 }]);
    expect((await log("to=2026-01-01")).items).toEqual([]);

    const [run] = await read<SweepRun[]>(admin, "/api/admin/sweep-runs");
    expect(run).toMatchObject({ failed: [], startedAt: expect.stringMatching(/Z$/) as string });
    await runSql("update sweep_runs set started_at = ?", Date.now() - DAY_MS);
    await runCron();
    expect(await read<SweepRun[]>(admin, "/api/admin/sweep-runs")).toHaveLength(1);
  });

  it("keep the last storage count of each day per plan", async () => {
    await runSql("delete from plan_numbers");
    await runSql("delete from plan_days");
    await runSql("update users set plan_type = 'free'");
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
    // Later on the same day, and at the end of the day after.
    expect(await count(3 * DAY_MS - HOUR_MS)).toBe(true);
    expect(await count(DAY_MS + 1)).toBe(true);
    expect(await ultimate()).toEqual([null, null, null, 7, 7, null, null]);
    // A new day is counted at once; a plan without users stores nothing.
    await putOnPlan(person.email, "professional");
    expect(await count(DAY_MS - 1)).toBe(true);
    expect(await ultimate()).toEqual([null, null, null, 7, 7, 0, null]);
    const { days, storage } = await getOverview(services, { days: "7" }, midnight);
    expect(days[5]?.stored).toMatchObject({ professional: 7, ultimate: 0 });
    expect(storage?.plans[2]).toEqual({ planType: "ultimate", users: 0, files: 0, bytes: 0 });
  });

  it("list the last ten mails that were given up, with the provider's words, in both languages, for 30 days [MAIL-5]", async () => {
    const at = (n: number) => Date.now() - 30 * DAY_MS + n * HOUR_MS;
    for (let n = -1; n < 12; n += 1) {
      await runSql(
        `insert into mail_outbox (id, "to", subject, html, text, attempts, failure, refused_at, next_attempt_at, created_at)
         values (?, ?, 'Your code', '', '', 1, 'E_RECIPIENT_SUPPRESSED: no', ?3, ?3, 0)`,
        `given-up-${n}`,
        `p${n}@given-up.example`,
        at(n),
      );
    }
    const { refusedMails } = await read<Overview>(admin, "/api/admin/overview");
    expect(refusedMails.map(({ to }) => to)).toEqual(
      [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => `p${n}@given-up.example`),
    );
    expect(refusedMails[0]).toMatchObject({ subject: "Your code", reason: "E_RECIPIENT_SUPPRESSED: no" });
    for (const [language, title] of [
      ["en", "Mails that were given up"],
      ["de", "Aufgegebene E-Mails"],
    ] as const) {
      const reader = new Client(`${admin.cookie}; locale=${language}`);
      const page = await (await reader.fetch("/admin/dashboard?tab=overview")).text();
      for (const text of [title, "p11@given-up.example", "E_RECIPIENT_SUPPRESSED: no"]) expect(page).toContain(text);
    }
    await runCron();
    expect(await rowOf("select count(*) as n from mail_outbox where refused_at is not null")).toEqual({ n: 11 });
    await runSql("delete from mail_outbox where refused_at is not null");
  });

  it("delete daily totals together with the events they count", async () => {
    const dayAt = (ageDays: number) => new Date(Date.now() - ageDays * DAY_MS).toISOString().slice(0, 10);
    for (const day of [dayAt(365), dayAt(366)]) {
      await runSql("insert into overview_days (day) values (?)", day);
      await runSql("insert into plan_days values (?, 'free', 1), (?, 'ultimate', 1)", day, day);
    }
    for (const day of [dayAt(365), dayAt(366)]) await runSql("insert into mail_days values (?, 1)", day);
    await runCron();
    for (const table of ["overview_days", "plan_days", "mail_days"]) {
      expect(await rowOf(`select min(day) as day from ${table}`)).toEqual({ day: dayAt(365) });
    }
  });

  it("name the chores of the cron that failed", async () => {
    const { uploadId } = await sendFile(await signUp(), "hello");
    await runSql("update files set expires_at = 1 where id = ?", uploadId);
    const broken = vi.spyOn(env.BUCKET, "delete").mockRejectedValue(new Error("down"));
    await runCron();
    broken.mockRestore();
    expect((await read<SweepRun[]>(admin, "/api/admin/sweep-runs"))[0]?.failed).toEqual(["sweep"]);
  });

  it("keep administrators' actions for 365 days [KEEP-4]", async () => {
    await runSql(
      "insert into admin_audit_logs values ('old', ?, null, 'admin', 'user.plan', 'old', '')",
      Date.now() - 365 * DAY_MS,
    );
    expect(await auditEntriesFor(admin, "old")).toHaveLength(1);
    const { items } = await read<Paged<AdminLogEntry>>(admin, "/api/admin/admin-log?action=user.plan");
    expect(items.map(({ id }) => id)).toContain("old");
    expect(new Set(items.map(({ action }) => action))).toEqual(new Set(["user.plan"]));
    await runCron();
    expect(await auditEntriesFor(admin, "old")).toEqual([]);
    expect((await admin.fetch("/api/admin/admin-log?action=nothing")).status).toBe(400);
  });
});

describe("admin queries use an index [ADM-37]", () => {
  const now = Date.now();
  const queries = {
    "users, newest first": [(db) => listUsers(db, {}), /SCAN users USING INDEX users_newest/],
    "users by email address": [(db) => listUsers(db, { sort: "email" }), /SCAN users USING INDEX users_email/],
    "users by the start of their address": [
      (db) => listUsers(db, { q: "a" }),
      /SEARCH users USING INDEX users_email \(email>\? AND email<\?\)/,
    ],
    "expired files": [
      (db) => listExpired(db, {}, now),
      /SEARCH files USING INDEX files_expired \(expires_at>\? AND expires_at<\?\)|SEARCH files USING INDEX files_expired \(expires_at<\?\)/,
    ],
    "expired files by the start of their name": [
      (db) => listExpired(db, { q: "a" }, now),
      /SEARCH files USING INDEX files_name/,
    ],
    "a file by id or download id": [(db) => findAnyFile(db, "x"), /MULTI-INDEX OR/],
    messages: [(db) => listContactMessages(db, {}), /SCAN contact_submissions USING INDEX contact_submissions_newest/],
    "messages by the start of the sender's address": [
      (db) => listContactMessages(db, { q: "a" }),
      /SEARCH contact_submissions USING INDEX contact_submissions_email/,
    ],
    "open reports": [(db) => listReports(db, {}), /SCAN file_reports USING INDEX file_reports_open/],
    "settled reports": [(db) => listReports(db, { state: "settled" }), /USING INDEX file_reports_settled/],
    "upload events": [
      (db) => listUploadEvents(db, {}, null, null),
      /SCAN upload_audit_logs USING INDEX upload_audit_logs_timestamp/,
    ],
    "a user's upload events": [
      (db) => listUploadEvents(db, { userId: "x", status: "failed" }, 0, now),
      /SEARCH upload_audit_logs USING INDEX upload_audit_logs_user/,
    ],
    "failed uploads": [
      (db) => listUploadEvents(db, { status: "failed" }, 0, now),
      /SEARCH upload_audit_logs USING INDEX upload_audit_logs_status/,
    ],
    "audit log": [(db) => listAuditEntries(db, {}), /SCAN admin_audit_logs USING INDEX admin_audit_logs_at/],
    "audit log of a target": [
      (db) => listAuditEntries(db, { target: "x" }),
      /SEARCH admin_audit_logs USING INDEX admin_audit_logs_target/,
    ],
    "a day's totals": [
      (db) => updateOverviewDay(db, { day: "2026-01-01", start: 0, end: 1 }),
      /SEARCH upload_audit_logs USING INDEX upload_audit_logs_timestamp/,
    ],
    "the overview": [
      (db) => readOverview(db, "2026-01-01", { day: "2026-01-01", start: 0, end: 1 }),
      /SEARCH upload_audit_logs USING INDEX upload_audit_logs_timestamp/,
    ],
  } satisfies Record<string, [Parameters<typeof queryPlansOf>[0], RegExp]>;

  it.each(Object.entries(queries))("%s", async (_name, [run, expected]) => {
    const plans = await queryPlansOf(run);
    expect(plans[0]).toMatch(expected);
    // In index order or an index range, never by sorting all rows.
    expect(plans[0]).not.toMatch(/TEMP B-TREE FOR (?!LAST)|SCAN \w+(;|$)/);
  });
});
