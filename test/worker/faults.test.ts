// @module-tag long
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "#worker/app.ts";
import { openDatabase } from "#worker/db/client.ts";
import { countDownloads } from "#worker/db/download-counts.ts";
import { servicesFor } from "#worker/services.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { finishedDownload } from "../support/downloads.ts";
import {
  faultyEnv,
  LOST_ANSWER,
  LOST_REQUEST,
  STORE_ANSWER_LOST,
  STORE_ERROR,
  STORE_THROTTLED,
  strike,
  TURNED_AWAY,
  type Fate,
} from "../support/faults.ts";
import { putIncoming, runSql, Client, contentPath, monthlyUsage, rowOf, sendFile, signUp } from "../support/worker.ts";

const api = createApp();
const sound: Fate = () => null;

/** Logged retries. */
let logLines: Record<string, unknown>[] = [];

beforeEach(() => {
  logLines = [];
  for (const level of ["warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((line: unknown) => {
      logLines.push({ ...(JSON.parse(String(line)) as object), level });
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

function meeting(person: Client, { database = sound, bucket = sound }: { database?: Fate; bucket?: Fate }): Client {
  const faulty = faultyEnv(env, database, bucket);
  return new Client(person.cookie, (request) => api.fetch(request, faulty));
}

function eventsOf(event: string): number {
  return logLines.filter((entry) => entry.event === event).length;
}

function isWrite(query: string): boolean {
  return /^\s*(insert|update|delete)/im.test(query);
}

describe("faults of D1 in calls that may be repeated", () => {
  it.each([
    ["a read whose answer is lost", LOST_ANSWER],
    ["a read that is lost on its way", LOST_REQUEST],
    ["a read that D1 turns away", TURNED_AWAY],
  ])("%s is retried, and the call succeeds [HOLD-11]", async (_what, fault) => {
    const { downloadId } = await sendFile(await signUp(), "hello");
    const { fate, struck } = strike(2, fault, (query) => query.includes('"download_id" = ?'));
    const visitor = meeting(new Client(), { database: fate });
    const response = await visitor.fetch(`/api/files/download/${downloadId}`);
    expect([response.status, await response.json()]).toMatchObject([200, { size: 5 }]);
    expect(struck).toHaveLength(2);
    expect(eventsOf("d1.retried")).toBe(2);
  });

  it("a permanent fault of D1 is answered as a server error and logged [HOLD-12]", async () => {
    const { downloadId } = await sendFile(await signUp(), "hello");
    const { fate } = strike(Infinity, LOST_ANSWER, () => true);
    const response = await meeting(new Client(), { database: fate }).fetch(`/api/files/download/${downloadId}`);
    expect([response.status, await response.json()]).toMatchObject([500, { code: "INTERNAL" }]);
    expect(logLines).toContainEqual(expect.objectContaining({ event: "d1.failed", fault: "lost", isRead: true }));
  });

  it.each([
    ["whose answer is lost", LOST_ANSWER],
    ["that D1 turns away", TURNED_AWAY],
  ])("a completion %s creates the file once [HOLD-11]", async (_what, fault) => {
    const person = await signUp();
    const { uploadId, downloadId } = await person.startUpload(5);
    await putIncoming(uploadId, "hello");
    const { fate, struck } = strike(2, fault, (query) => query.includes('update "files" set "status"'));
    expect((await meeting(person, { database: fate }).complete(downloadId)).status).toBe(200);
    expect(struck).toHaveLength(2);
    expect(await (await new Client().fetch(contentPath(downloadId))).text()).toBe("hello");
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 5, transfers: 1 });
    const codes = "select group_concat(error_code) as codes from upload_audit_logs where id like ? || '%'";
    expect(await rowOf(codes, uploadId)).toEqual({ codes: "COMPLETED" });
  });

  it("a cancelled upload releases its quota once, although the first answer is lost [HOLD-11]", async () => {
    const person = await signUp();
    await sendFile(person, "kept");
    const { downloadId } = await person.startUpload(5);
    const { fate, struck } = strike(1, LOST_ANSWER, (query) => query.includes("monthly_upload_total"));
    const cancelled = await meeting(person, { database: fate }).post("/api/direct-upload/cancel", { downloadId });
    expect(cancelled.ok).toBe(true);
    expect(struck).toHaveLength(1);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 4, transfers: 1 });
  });
});

describe("faults of D1 in calls that may not be repeated", () => {
  it("a start whose answer is lost reserves no quota and leaves no unfinished upload [HOLD-12]", async () => {
    const person = await signUp();
    const { fate, struck } = strike(1, LOST_ANSWER, (query) => query.startsWith('insert into "files"'));
    await expect(meeting(person, { database: fate }).startUpload(5)).rejects.toThrow("500");
    expect(struck).toHaveLength(1);
    expect(logLines).toContainEqual(expect.objectContaining({ event: "d1.failed", fault: "lost", isRead: false }));
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
    expect(
      await rowOf("select count(*) as n from files where user_id = ? and status = 'uploading'", person.id),
    ).toEqual({ n: 0 });
  });

  it("a start that D1 rejected is retried and counted once", async () => {
    const person = await signUp();
    const { fate, struck } = strike(2, TURNED_AWAY, (query) => query.startsWith('insert into "files"'));
    await meeting(person, { database: fate }).startUpload(5);
    expect(struck).toHaveLength(2);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 5, transfers: 1 });
  });

  it("a download is counted once, though the answer to its counting is lost [HOLD-12]", async () => {
    const { uploadId } = await sendFile(await signUp(), "hello");
    const { fate, struck } = strike(1, LOST_ANSWER, (query) => isWrite(query) && query.includes("download_count"));
    const download = finishedDownload(uploadId);
    await expect(countDownloads(openDatabase(faultyEnv(env, fate, sound).DB), [download])).rejects.toThrow();
    expect(struck).toHaveLength(1);
    expect(eventsOf("d1.failed")).toBe(1);
    await countDownloads(openDatabase(env.DB), [download]);
    expect(await rowOf("select download_count as n from files where id = ?", uploadId)).toEqual({ n: 1 });
  });
});

describe("faults of R2", () => {
  it.each([
    ["fails", STORE_ERROR],
    ["loses its answer", STORE_ANSWER_LOST],
    ["throttles", STORE_THROTTLED],
  ])(
    "an R2 that %s at every second call is retried: a file is uploaded, downloaded and deleted [HOLD-13]",
    async (_what, fault) => {
      const person = await signUp();
      const failing = strike(Infinity, fault, () => true);
      let turn = 0;
      // Every second call fails.
      const everyOther: Fate = (what) => ((turn += 1) % 2 === 1 && what !== "put" ? failing.fate(what) : null);
      const bothered = meeting(person, { bucket: everyOther });
      const { uploadId, downloadId } = await bothered.startUpload(5);
      await putIncoming(uploadId, "hello");
      expect((await bothered.complete(downloadId)).status).toBe(200);
      expect(await (await bothered.fetch(contentPath(downloadId))).text()).toBe("hello");
      expect((await bothered.delete(`/api/files/${uploadId}`)).status).toBe(200);
      expect(await env.BUCKET.head(`files/${uploadId}`)).toBeNull();
      expect(failing.struck.length).toBeGreaterThan(2);
      expect(eventsOf("r2.retried")).toBe(failing.struck.length);
    },
  );

  it("if R2 loses the answer to a copy, the next completion finds the copy [HOLD-13]", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await person.startUpload(5);
    await putIncoming(uploadId, "hello");
    const { fate, struck } = strike(1, STORE_ANSWER_LOST, (what) => what === "put");
    expect((await meeting(person, { bucket: fate }).complete(downloadId)).status).toBe(503);
    expect(struck).toHaveLength(1);
    expect(eventsOf("r2.failed")).toBe(1);
    expect((await person.complete(downloadId)).status).toBe(200);
    expect(await (await new Client().fetch(contentPath(downloadId))).text()).toBe("hello");
  });

  it("if R2 cannot delete an object, its link still ends, and the sweep deletes the object later [HOLD-13]", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendFile(person, "hello");
    const { fate } = strike(Infinity, STORE_ERROR, (what) => what === "delete");
    expect((await meeting(person, { bucket: fate }).delete(`/api/files/${uploadId}`)).status).toBe(200);
    expect(eventsOf("r2.failed")).toBe(1);
    expect(logLines).toContainEqual(expect.objectContaining({ event: "file.delete_deferred", fileId: uploadId }));
    expect((await new Client().fetch(contentPath(downloadId))).status).toBe(410);
    expect(await env.BUCKET.head(`files/${uploadId}`)).not.toBeNull();
    await sweep(servicesFor(env), Date.now);
    expect(await env.BUCKET.head(`files/${uploadId}`)).toBeNull();
  });

  it("a sweep during which D1 and R2 lose answers still deletes the object [HOLD-13]", async () => {
    const { uploadId } = await sendFile(await signUp(), "hello");
    await runSql("update files set expires_at = ? where id = ?", Date.now() - 1, uploadId);
    const database = strike(2, LOST_ANSWER, (query) => query.includes("is_expired"));
    const bucket = strike(2, STORE_ANSWER_LOST, (what) => what === "delete");
    await sweep(servicesFor(faultyEnv(env, database.fate, bucket.fate)), Date.now);
    expect([database.struck.length, bucket.struck.length]).toEqual([2, 2]);
    expect(await rowOf("select s3_deleted_at is not null as gone from files where id = ?", uploadId)).toEqual({
      gone: 1,
    });
    expect(await env.BUCKET.head(`files/${uploadId}`)).toBeNull();
  });
});
