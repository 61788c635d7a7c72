import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, GIB, MIB } from "#domain/units.ts";
import { ABANDONED_AFTER_MS } from "#domain/upload-lifetime.ts";
import type { Paged, UploadLogEntry } from "#domain/wire.ts";
import { createApp } from "#worker/app.ts";
import { openDatabase } from "#worker/db/client.ts";
import { markReady } from "#worker/db/uploads.ts";
import { servicesFor } from "#worker/services.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { create, newProgram, send, tusOf } from "../support/tus.ts";
import {
  Client,
  logInAdmin,
  patternBytes,
  putIncoming,
  rowOf,
  runSql,
  sendFile,
  signUp,
  stopClockAt,
} from "../support/worker.ts";

const START = "/api/direct-upload/presigned-url";
const INIT = "/api/chunked-upload/init";
const FILE = { filename: "a file.txt", fileType: "text/plain", expiration: "1d" };
const CALLER = { "cf-connecting-ip": "198.51.100.7", "user-agent": "A browser" };

const api = createApp();
const limited = { ...env, RATE_LIMITS: "on" };

beforeEach(async () => {
  await runSql("delete from upload_audit_logs");
});

/** An account with an address and a user agent. */
async function caller(settings: Env = env): Promise<Client> {
  const { cookie } = await signUp();
  return new Client(cookie, (request) => {
    const headers = new Headers(request.headers);
    for (const [name, value] of Object.entries(CALLER)) headers.set(name, value);
    return api.fetch(new Request(request, { headers }), settings);
  });
}

interface AuditRow {
  status: string;
  code: string;
  size: number;
}

/** All rows, oldest first. */
async function log(): Promise<AuditRow[]> {
  const { results } = await env.DB.prepare(
    "select status, error_code as code, file_size as size from upload_audit_logs order by timestamp, rowid",
  ).all<AuditRow>();
  return results;
}

const row = (status: string, code: string, size = 5): AuditRow => ({ status, code, size });
const STARTED = row("success", "STARTED");

describe("the audit log of uploads", () => {
  it("has one row, which the success changes once, with any number of complete calls [ENT-9]", async () => {
    const person = await caller();
    const { uploadId, downloadId } = await person.startUpload(5);
    expect(await log()).toEqual([STARTED]);
    await putIncoming(uploadId, "hello");
    await Promise.all([1, 2, 3].map(() => person.complete(downloadId)));
    await person.complete(downloadId);
    expect(await log()).toEqual([row("success", "COMPLETED")]);
  });

  it("records account, file, address and user agent, and when it started and ended [ENT-8]", async () => {
    const person = await caller();
    const startedAt = Date.now();
    stopClockAt(startedAt);
    const { uploadId, downloadId } = await person.startUpload(5);
    const read = () =>
      rowOf(
        `select a.id, u.email is not null as known, original_filename as filename, file_size as size, mime_type as type,
           ip_address as address, user_agent as browser, status, error_code as code, error_message as message,
           timestamp, started_at as startedAt
         from upload_audit_logs a left join users u on u.id = user_id`,
      );
    const started = {
      id: uploadId,
      known: 1,
      filename: "a file.txt",
      size: 5,
      type: "text/plain",
      address: "198.51.100.7",
      browser: "A browser",
      status: "success",
      code: "STARTED",
      message: null,
      timestamp: startedAt,
      startedAt,
    };
    expect(await read()).toEqual(started);
    await putIncoming(uploadId, "hello");
    stopClockAt(startedAt + 60_000);
    await person.complete(downloadId);
    expect(await read()).toEqual({ ...started, code: "COMPLETED", timestamp: startedAt + 60_000 });
  });

  it("has the size and the number of files with which an upload ended", async () => {
    const program = await newProgram();
    const upload = await tusOf(create(program, null));
    expect(await log()).toEqual([row("success", "STARTED", 0)]);
    await send(upload, 0, "hello", { "upload-length": "5" });
    await expect.poll(log).toEqual([row("success", "COMPLETED", 5)]);
  });

  it("has one row for a file that differs from the announced one [ENT-9]", async () => {
    const person = await caller();
    const { uploadId, downloadId } = await person.startUpload(5);
    await putIncoming(uploadId, "hello, world");
    expect((await person.complete(downloadId)).status).toBe(422);
    await person.complete(downloadId);
    expect(await log()).toEqual([row("failed", "OBJECT_MISMATCH")]);
  });

  it("has a row for a successful completion, and none for one that came too early", async () => {
    const person = await caller();
    const { uploadId, downloadId } = await person.startUpload(5);
    expect((await person.complete(downloadId)).status).toBe(422);
    expect(await log()).toEqual([STARTED]);
    await putIncoming(uploadId, "hello");
    await person.complete(downloadId);
    expect(await log()).toEqual([row("success", "COMPLETED")]);
  });

  it("has one row for a cancelled upload [ENT-9]", async () => {
    const person = await caller();
    const { downloadId } = await person.startUpload(5);
    for (let time = 1; time <= 3; time += 1) await person.post("/api/direct-upload/cancel", { downloadId });
    expect(await log()).toEqual([row("failed", "CANCELLED")]);
  });

  it("has one row for an abandoned upload, ended by its session or by the sweep [ENT-9]", async () => {
    const person = await caller();
    const later = Date.now() + ABANDONED_AFTER_MS + DAY_MS;
    // Removes other tests' unfinished uploads.
    await sweep(servicesFor(env), () => later);
    await runSql("delete from upload_audit_logs");
    const { uploadId } = await person.startUpload(5);
    stopClockAt(later);
    await env.UPLOADS.get(env.UPLOADS.idFromName(uploadId)).endIfAbandoned(uploadId);
    await sweep(servicesFor(env), () => later);
    expect(await log()).toEqual([row("failed", "ABANDONED")]);
  });

  it("has one start for an upload that was resumed", async () => {
    const person = await caller();
    const more = { lastModified: 1, fingerprint: "a1".repeat(32) };
    await person.startUpload(5, more);
    await person.startUpload(5, more);
    expect(await log()).toEqual([STARTED]);
  });

  it("has one row for a file in chunks and for one in a form [ENT-9]", async () => {
    const person = await caller();
    const sizes = { totalSize: "0", totalChunks: "0" };
    const { uploadId } = await (await person.post(INIT, { ...FILE, ...sizes })).json<{ uploadId: string }>();
    for (let time = 1; time <= 2; time += 1) await person.post("/api/chunked-upload/finalize", { uploadId });
    expect(await log()).toEqual([row("success", "COMPLETED", 0)]);
    await runSql("delete from upload_audit_logs");
    const form = new FormData();
    form.set("file", new File([patternBytes(5)], "a.txt"));
    expect((await person.postForm("/api/direct-upload/proxy-upload", form)).status).toBe(200);
    expect(await log()).toEqual([row("success", "COMPLETED")]);
  });
});

describe("a rejected upload leaves one row with the reason", () => {
  const direct = (fileSize: number, more = {}) => ({ path: START, body: { ...FILE, fileSize, ...more } });
  const chunked = (size: number, more = {}) => ({
    path: INIT,
    body: { ...FILE, totalSize: String(size), totalChunks: String(Math.ceil(size / MIB)), ...more },
  });
  it.each([
    { why: "too large for the plan", call: direct(501 * MIB), size: 501 * MIB, code: "PLAN_LIMIT_EXCEEDED" },
    { why: "too large for any", call: direct(51 * GIB), size: 51 * GIB, code: "FILE_TOO_LARGE" },
    { why: "kept too long", call: direct(5, { expiration: "7d" }), size: 5, code: "PLAN_LIMIT_EXCEEDED" },
    {
      why: "too large for the plan, in chunks",
      call: chunked(501 * MIB),
      size: 501 * MIB,
      code: "PLAN_LIMIT_EXCEEDED",
    },
    { why: "too large for any, in chunks", call: chunked(51 * GIB), size: 51 * GIB, code: "FILE_TOO_LARGE" },
  ])("when it is $why [ENT-9]", async ({ call, size, code }) => {
    const person = await caller();
    const { message } = await (await person.post(call.path, call.body)).json<{ message: string }>();
    expect(await log()).toEqual([row("rejected", code, size)]);
    const { results } = await env.DB.prepare(
      "select error_message as message, ip_address as address, user_id is not null as known from upload_audit_logs",
    ).all();
    expect(results).toEqual([{ message, address: "198.51.100.7", known: 1 }]);
  });

  it("when the monthly quota is used up, direct and in a form [ENT-9]", async () => {
    const person = await caller();
    await runSql("update users set monthly_transfer_count = 20");
    expect((await person.post(START, { ...FILE, fileSize: 5 })).status).toBe(403);
    const form = new FormData();
    form.set("file", new File([patternBytes(5)], "a.txt"));
    expect((await person.postForm("/api/direct-upload/proxy-upload", form)).status).toBe(403);
    const rejected = row("rejected", "PLAN_LIMIT_EXCEEDED");
    expect(await log()).toEqual([rejected, rejected]);
  });

  it("but none when it exceeds the rate limit [LIM-11]", async () => {
    const person = await caller(limited);
    await runSql("update users set plan_type = 'professional'");
    const body = { ...FILE, fileSize: 5 };
    for (let count = 1; count <= 20; count += 1) expect((await person.post(START, body)).status).toBe(200);
    await runSql("delete from upload_audit_logs");
    for (const [path, more] of [
      [START, body],
      [INIT, { ...FILE, totalSize: "5", totalChunks: "1" }],
    ] as const) {
      const rejected = await person.post(path, more);
      expect([rejected.status, rejected.headers.has("retry-after")]).toEqual([429, true]);
    }
    expect(await log()).toEqual([]);
  });

  it("but none for a visitor without an account", async () => {
    expect((await new Client().post(START, { ...FILE, fileSize: 5 })).status).toBe(401);
    expect(await log()).toEqual([]);
  });
});

describe("uploads from before there was one row", () => {
  /** What an older release wrote when the upload started. */
  async function makeOlder(uploadId: string): Promise<void> {
    await runSql(
      "update upload_audit_logs set id = ? || ':started', started_at = null where id = ?",
      uploadId,
      uploadId,
    );
  }

  it("end in the row of their start", async () => {
    const person = await caller();
    const startedAt = Date.now();
    stopClockAt(startedAt);
    const { uploadId, downloadId } = await person.startUpload(5);
    await makeOlder(uploadId);
    await putIncoming(uploadId, "hello");
    stopClockAt(startedAt + 1000);
    for (let time = 1; time <= 2; time += 1) await person.complete(downloadId);
    expect(await log()).toEqual([row("success", "COMPLETED")]);
    expect(
      await rowOf("select id, timestamp, started_at as startedAt, ip_address as address from upload_audit_logs"),
    ).toEqual({ id: `${uploadId}:started`, timestamp: startedAt + 1000, startedAt, address: "198.51.100.7" });
  });

  it("stay as they are when they have ended, also if the end is repeated", async () => {
    const person = await caller();
    const { uploadId } = await sendFile(person, "hello");
    await runSql("update upload_audit_logs set id = id || ':ended'");
    await runSql(
      `insert into upload_audit_logs (id, original_filename, file_size, mime_type, status, error_code, timestamp)
       values (?, 'a file.txt', 5, 'text/plain', 'success', 'STARTED', 0)`,
      `${uploadId}:started`,
    );
    await markReady(openDatabase(env.DB), uploadId, {
      etag: "e",
      sizeBytes: null,
      checksum: null,
      risk: [],
      uploadedAt: Date.now(),
      expiresAt: null,
    });
    expect(await log()).toEqual([STARTED, row("success", "COMPLETED")]);
    const admin = await logInAdmin();
    const { items } = await (await admin.fetch("/api/admin/upload-log?page=1")).json<Paged<UploadLogEntry>>();
    expect(items.map(({ errorCode, startedAt }) => [errorCode, startedAt])).toEqual([
      ["COMPLETED", expect.any(String)],
      ["STARTED", null],
    ]);
  });
});
