import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "#domain/units.ts";
import {
  ADDRESS_TABLES,
  deleteOldRows,
  EXPIRED_ROWS,
  listFullIps,
  oldRecords,
  OTHER_OLD_ROWS,
} from "#worker/db/retention.ts";
import worker from "#worker/index.ts";
import { servicesFor } from "#worker/services.ts";
import { applyRetention } from "#worker/sweep/retention.ts";
import { queryPlansOf } from "../support/query-plan.ts";
import { putIncoming, runSql, rowOf, signUp, stopClockAt } from "../support/worker.ts";

const services = servicesFor(env);
const RECORDS = oldRecords(services.settings);
const now = Date.now();
const MESSAGE = { name: "Ann Example", subject: "A question", message: "How long may a file live?" };

beforeEach(async () => {
  await runSql("delete from upload_audit_logs");
});

/** Adds rows with the ids <name>1, <name>2, … */
async function addRows(name: string, ageMs: number, address: string | null, count = 1): Promise<void> {
  await runSql(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
     insert into upload_audit_logs (id, original_filename, file_size, mime_type, ip_address, status, timestamp)
     select ? || i, 'a', 1, 'text/plain', ?, 'success', ? from n`,
    count,
    name,
    address,
    now - ageMs,
  );
}

async function addresses(): Promise<Record<string, string | null>> {
  const { results } = await env.DB.prepare("select id, ip_address as address from upload_audit_logs").all<{
    id: string;
    address: string | null;
  }>();
  return Object.fromEntries(results.map(({ id, address }) => [id, address]));
}

function countOf(condition: string): Promise<{ n: number }> {
  return rowOf(`select count(*) as n from upload_audit_logs where ${condition}`);
}

describe("IP addresses in the upload log", () => {
  it("are shortened after exactly 30 days [KEEP-1]", async () => {
    await addRows("v4-", 30 * DAY_MS, "198.51.100.77");
    await addRows("v6-", 31 * DAY_MS, "2001:db8:1:2:3:4:5:6");
    await addRows("none-", 31 * DAY_MS, null);
    await addRows("young-", 30 * DAY_MS - 1, "198.51.100.77");
    expect(await applyRetention(services, now)).toEqual({ shortened: 2, deletedRows: 0 });
    const expected = {
      "v4-1": "198.51.100.0/24",
      "v6-1": "2001:db8:1::/48",
      "none-1": null,
      "young-1": "198.51.100.77",
    };
    expect(await addresses()).toEqual(expected);
    expect(await applyRetention(services, now)).toEqual({ shortened: 0, deletedRows: 0 });
    expect(await addresses()).toEqual(expected);
  });

  it("do not block the others if they are invalid", async () => {
    await addRows("odd-", 40 * DAY_MS, "unknown", 500);
    await addRows("v4-", 31 * DAY_MS, "198.51.100.77");
    await applyRetention(services, now);
    await applyRetention(services, now);
    expect((await addresses())["v4-1"]).toBe("198.51.100.0/24");
  });

  it("are shortened in messages, reports and sessions too, the only other tables that have any [KEEP-2]", async () => {
    const { results } = await env.DB.prepare(
      "select name from sqlite_master where type = 'table' and sql like '%ip_address%' order by name",
    ).all<{ name: string }>();
    const tables = results.map(({ name }) => name);
    expect(tables).toEqual(["contact_submissions", "file_reports", "sessions", "upload_audit_logs"]);
    const person = await signUp();
    await person.post("/api/contact", { ...MESSAGE, email: person.email });
    const { uploadId } = await person.startUpload(5);
    await runSql("delete from file_reports");
    await runSql(
      "insert into file_reports (id, file_id, reason, message, email, created_at) values ('r', ?, 'other', '', '', 0)",
      uploadId,
    );
    const [old, address] = [now - 30 * DAY_MS, "198.51.100.77"];
    for (const table of tables.slice(0, 3)) {
      await runSql(`update ${table} set ip_address = ?, created_at = ?`, address, old + 1);
      await applyRetention(services, now);
      expect(await rowOf(`select ip_address from ${table}`)).toEqual({ ip_address: address });
      await runSql(`update ${table} set created_at = ?`, old);
      await applyRetention(services, now);
      expect(await rowOf(`select ip_address from ${table}`)).toEqual({ ip_address: "198.51.100.0/24" });
    }
  });

  it("are shortened in batches", async () => {
    await addRows("v4-", 31 * DAY_MS, "198.51.100.77", 1001);
    const runs = [];
    for (let run = 1; run <= 4; run += 1) runs.push((await applyRetention(services, now)).shortened);
    expect(runs).toEqual([500, 500, 1, 0]);
    expect(await countOf("ip_address = '198.51.100.0/24'")).toEqual({ n: 1001 });
  });
});

describe("rows of the upload log", () => {
  it("are deleted after exactly 90 days [KEEP-3]", async () => {
    await addRows("old-", 90 * DAY_MS, "198.51.100.0/24");
    await addRows("young-", 90 * DAY_MS - 1, "198.51.100.0/24");
    expect(await applyRetention(services, now)).toEqual({ shortened: 0, deletedRows: 1 });
    expect(Object.keys(await addresses())).toEqual(["young-1"]);
  });

  it("are kept as long as the settings say", async () => {
    const longer = servicesFor({ ...env, UPLOAD_LOG_DAYS: "365", ENDED_FILE_DAYS: "365" });
    await addRows("old-", 365 * DAY_MS, null);
    await addRows("young-", 365 * DAY_MS - 1, null);
    expect(await applyRetention(longer, now)).toMatchObject({ deletedRows: 1 });
    expect(Object.keys(await addresses())).toEqual(["young-1"]);
  });

  it("are deleted in batches, oldest first", async () => {
    await addRows("older-", 100 * DAY_MS, "198.51.100.0/24", 500);
    await addRows("old-", 91 * DAY_MS, "198.51.100.0/24", 7);
    expect(await applyRetention(services, now)).toMatchObject({ deletedRows: 500 });
    expect(await countOf("id like 'old-%'")).toEqual({ n: 7 });
    expect(await applyRetention(services, now)).toMatchObject({ deletedRows: 7 });
    expect(await countOf("true")).toEqual({ n: 0 });
  });

  it("are shortened and deleted by the cron without disturbing their upload", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await person.startUpload(5);
    await runSql("update upload_audit_logs set ip_address = '198.51.100.77', timestamp = ?", now - 31 * DAY_MS);
    await addRows("old-", 90 * DAY_MS, "198.51.100.77");
    stopClockAt(now);
    await worker.scheduled(createScheduledController({ scheduledTime: new Date(now) }), env);
    expect(await addresses()).toEqual({ [uploadId]: "198.51.100.0/24" });
    await putIncoming(uploadId, "hello");
    expect((await person.complete(downloadId)).status).toBe(200);
    expect(await countOf("error_code = 'COMPLETED'")).toEqual({ n: 1 });
  });
});

describe("rows of failed and cancelled uploads", () => {
  beforeEach(async () => {
    await runSql("delete from files");
  });

  /** Adds uploads with the ids <name>1, <name>2, … */
  async function addUploads(name: string, status: string, ageMs: number, count = 1): Promise<void> {
    await runSql(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       insert into files (id, filename, original_filename, size, mime_type, s3_key, download_id, status, expiration,
         created_at, uploaded_at, etag, reserved_period_start, abandon_at)
       select ?2 || i, 'f', 'f', 1, 'text/plain', 'files/' || ?2 || i, ?2 || i, ?3, '1d', ?4, 0, 'e', 0, 4e15 from n`,
      count,
      name,
      status,
      now - ageMs,
    );
  }

  it("are deleted exactly 30 days after the upload started [KEEP-6]", async () => {
    for (const status of ["failed", "cancelled", "uploading", "ready"]) {
      await addUploads(`${status}-old-`, status, 30 * DAY_MS);
      await addUploads(`${status}-young-`, status, 30 * DAY_MS - 1);
    }
    expect(await applyRetention(services, now)).toMatchObject({ deletedRows: 2 });
    const { results } = await env.DB.prepare("select id from files order by id").all<{ id: string }>();
    expect(results.map(({ id }) => id)).toEqual([
      "cancelled-young-1",
      "failed-young-1",
      "ready-old-1",
      "ready-young-1",
      "uploading-old-1",
      "uploading-young-1",
    ]);
  });

  it("are deleted in batches, oldest first", async () => {
    await addUploads("older-", "failed", 100 * DAY_MS, 500);
    await addUploads("old-", "cancelled", 31 * DAY_MS, 7);
    expect(await applyRetention(services, now)).toMatchObject({ deletedRows: 500 });
    expect(await rowOf("select count(*) as n from files where id like 'old-%'")).toEqual({ n: 7 });
    expect(await applyRetention(services, now)).toMatchObject({ deletedRows: 7 });
  });
});

describe("expired sessions and tokens", () => {
  beforeEach(async () => {
    for (const table of ["sessions", "verifications"]) await runSql(`delete from ${table}`);
  });

  async function addExpiring(table: "sessions" | "verifications", expiresAt: number, count: number): Promise<void> {
    const { id } = await signUp();
    await runSql("delete from sessions where user_id = ?", id);
    const own = { sessions: "user_id, token", verifications: "identifier, value" }[table];
    await runSql(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       insert into ${table} (id, ${own}, expires_at, created_at, updated_at)
       select ?2 || '-' || i, ?3, ?2 || '-' || i, ?2, 0, 0 from n`,
      count,
      expiresAt,
      id,
    );
  }

  it.each(["sessions", "verifications"] as const)("are deleted: %s", async (table) => {
    await addExpiring(table, now, 501);
    await addExpiring(table, now + 1, 1);
    const left = () => rowOf<{ n: number }>(`select count(*) as n from ${table}`);
    await applyRetention(services, now);
    expect(await left()).toEqual({ n: 2 });
    await applyRetention(services, now);
    expect(await left()).toEqual({ n: 1 });
  });

  it("are deleted without ending valid sessions", async () => {
    const person = await signUp();
    await applyRetention(services, now);
    expect((await person.fetch("/api/files")).status).toBe(200);
  });
});

describe("deletions use an index", () => {
  const expectSearch = (plan: string | undefined, index: string) => {
    expect(plan).toMatch(new RegExp(`SEARCH \\w+ USING (COVERING )?INDEX ${index} `));
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  };

  it("of failed and cancelled uploads", async () => {
    const [plan] = await queryPlansOf((db) => deleteOldRows(db, RECORDS.unsuccessfulUploads, now, 10));
    expectSearch(plan, "files_ended");
  });

  it("of what signs in and has run out", async () => {
    const { sessions, verifications, steps, emailChanges } = EXPIRED_ROWS;
    const indexes = ["sessions_expires", "verifications_expires", "steps_expires", "email_changes_expires"];
    for (const [at, rows] of [sessions, verifications, steps, emailChanges].entries()) {
      const plans = await queryPlansOf((db) => deleteOldRows(db, rows, now, 10));
      expectSearch(plans[0], indexes[at] ?? "");
      expect(plans).toHaveLength(1);
    }
  });
});

describe("an index finds", () => {
  it("full IP addresses without reading shortened ones", async () => {
    for (const table of ADDRESS_TABLES) {
      const [plan] = await queryPlansOf((db) => listFullIps(db, table, now, 10));
      expect(plan).toMatch(/^SEARCH (\w+) USING INDEX \1_whole_address /);
      expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
    }
  });

  it("old rows of the upload log", async () => {
    const [plan] = await queryPlansOf((db) => deleteOldRows(db, RECORDS.uploadEvents, now, 10));
    expect(plan).toMatch(/SEARCH upload_audit_logs USING (COVERING )?INDEX upload_audit_logs_timestamp /);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  });

  it("mails that were given up, without reading those that wait", async () => {
    const [plan] = await queryPlansOf((db) => deleteOldRows(db, OTHER_OLD_ROWS.refusedMails, now, 10));
    expect(plan).toMatch(/SEARCH mail_outbox USING (COVERING )?INDEX mail_outbox_refused /);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  });
});
