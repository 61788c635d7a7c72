import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "#domain/units.ts";
import type { AdminFile, FileReport, Paged } from "#domain/wire.ts";
import { auditEntriesFor, read, runCron } from "../support/admin.ts";
import { subjectsTo } from "../support/mails.ts";
import { apiWith } from "../support/stripe.ts";
import { answerOf, runSql, Client, contentPath, logInAdmin, rowOf, sendFile, signUp } from "../support/worker.ts";

let admin: Client;

beforeAll(async () => {
  admin = await logInAdmin();
});

describe("files in the admin area", () => {
  it("are listed per user, found by id or link, and deleted at once [ADM-36, API-38, API-40, ENT-6, ENT-21, ROLE-7]", async () => {
    const person = await signUp();
    const sent = await sendFile(person, "hello", { filename: "Report.txt" });
    const [file] = await read<AdminFile[]>(admin, `/api/admin/users/${person.id}/files`);
    expect(file).toEqual({
      id: sent.uploadId,
      filename: "Report.txt",
      size: 5,
      uploadedAt: expect.stringMatching(/Z$/) as string,
      expiresAt: expect.stringMatching(/Z$/) as string,
      isExpired: false,
      downloadId: sent.downloadId,
      userId: person.id,
      s3DeletedAt: null,
      downloadCount: 0,
      adminDeleted: false,
      takedownReason: null,
    });
    expect(await read(admin, `/api/admin/users/${person.id}/files?q=port&page=1`)).toEqual({
      items: [file],
      page: 1,
      pages: 1,
      next: null,
      previous: null,
      total: 1,
    });
    for (const q of [sent.uploadId, sent.downloadId, `${env.APP_ORIGIN}/download/${sent.downloadId}?x=1`]) {
      expect(await read(admin, `/api/admin/files?q=${encodeURIComponent(q)}`)).toEqual(file);
    }
    expect((await admin.fetch("/api/admin/users/nobody/files")).status).toBe(404);
    expect((await admin.delete(`/api/admin/files/${sent.uploadId}`)).status).toBe(200);
    expect((await new Client().fetch(contentPath(sent.downloadId))).status).toBe(410);
    expect(await env.BUCKET.head(`files/${sent.uploadId}`)).toBeNull();
    expect(await rowOf("select admin_deleted as byAdmin from files where id = ?", sent.uploadId)).toEqual({
      byAdmin: 1,
    });
    expect(await read(admin, `/api/admin/users/${person.id}/files`)).toEqual([]);
    expect((await admin.delete(`/api/admin/files/${sent.uploadId}`)).status).toBe(404);
    expect(await auditEntriesFor(admin, sent.uploadId)).toEqual([["file.delete", "admin", "Report.txt"]]);
  });

  it("are listed when expired, newest first, until their rows are deleted 30 days after their objects [API-39, ENT-6, KEEP-6]", async () => {
    await runSql("delete from files");
    const person = await signUp();
    const [one, two, young] = [
      await sendFile(person, "1", { filename: "Abc" }),
      await sendFile(person, "2", { filename: "abd" }),
      await sendFile(person, "3", { filename: "abc 3" }),
    ];
    await runSql("update files set expires_at = ? where id = ?", Date.now() - 2000, one.uploadId);
    await runSql("update files set expires_at = ? where id = ?", Date.now() - 1000, two.uploadId);
    const ids = async (query: string) =>
      (await read<Paged<AdminFile>>(admin, `/api/admin/files/expired?${query}`)).items.map(({ id }) => id);
    const [first, second] = await read<AdminFile[]>(admin, "/api/admin/files/expired");
    expect([first, second]).toMatchObject([
      { id: two.uploadId, isExpired: true, s3DeletedAt: null },
      { id: one.uploadId, isExpired: true, s3DeletedAt: null },
    ]);
    expect(await ids("q=AB")).toEqual([one.uploadId, two.uploadId]);
    expect(await ids("q=abc")).toEqual([one.uploadId]);
    expect((await ids("sort=oldest")).at(-1)).toBe(two.uploadId);
    await runCron();
    expect((await read<AdminFile[]>(admin, "/api/admin/files/expired"))[0]?.s3DeletedAt).toMatch(/Z$/);
    await runSql("update files set s3_deleted_at = ? where id = ?", Date.now() - 30 * DAY_MS, one.uploadId);
    await runSql("update files set s3_deleted_at = ? where id = ?", Date.now() - 30 * DAY_MS + 60_000, two.uploadId);
    await runCron();
    expect(await ids("q=ab")).toEqual([two.uploadId]);
    expect((await new Client().fetch(contentPath(young.downloadId))).status).toBe(200);
  });

  it("are taken down with a reason mailed to the owner, who cannot restore them", async () => {
    const person = await signUp();
    const sent = await sendFile(person, "bad", { filename: "bad.bin" });
    const path = `/api/admin/files/${sent.uploadId}/take-down`;
    expect((await admin.post(path, { reason: " " })).status).toBe(400);
    expect((await admin.post(path, { reason: "It holds malware." })).status).toBe(200);
    expect((await new Client().fetch(`/api/files/download/${sent.downloadId}`)).status).toBe(410);
    expect(
      (
        await person.fetch(`/api/files/${sent.uploadId}`, {
          method: "PATCH",
          headers: { "content-type": "application/json" },
          body: '{"expiration":"3d"}',
        })
      ).status,
    ).toBe(410);
    expect(await env.BUCKET.head(`files/${sent.uploadId}`)).toBeNull();
    expect(await read(admin, `/api/admin/files?q=${sent.uploadId}`)).toMatchObject({
      adminDeleted: true,
      takedownReason: "It holds malware.",
    });
    expect(await subjectsTo(person.email)).toEqual([expect.stringMatching(/^bad.bin was taken down/)]);
    expect((await admin.post(path, { reason: "Again." })).status).toBe(410);
    expect((await admin.post("/api/admin/files/nothing/take-down", { reason: "None." })).status).toBe(404);
    expect(await auditEntriesFor(admin, sent.uploadId)).toEqual([["file.take-down", "admin", "It holds malware."]]);
  });
});

describe("file reports", () => {
  const report = (downloadId: string, body: Record<string, unknown> = { reason: "malware" }, as = new Client()) =>
    as.post(`/api/files/download/${downloadId}/report`, body);

  it("can be sent by anyone with the link; taking the file down settles all of its reports", async () => {
    await runSql("delete from file_reports");
    const person = await signUp();
    const sent = await sendFile(person, "bad");
    const other = await sendFile(person, "good");
    expect(
      (await report(sent.downloadId, { reason: "copyright", message: " Mine. ", email: "me@example.com" })).status,
    ).toBe(201);
    expect((await report(sent.downloadId)).status).toBe(201);
    expect((await report(other.downloadId)).status).toBe(201);
    const open = await read<FileReport[]>(admin, "/api/admin/reports");
    expect(open).toMatchObject([
      { reason: "copyright", message: "Mine.", email: "me@example.com", settled: null, file: { id: sent.uploadId } },
      { reason: "malware", message: "", email: "", file: { id: sent.uploadId } },
      { reason: "malware", file: { id: other.uploadId } },
    ]);
    const [first, , third] = open;
    const settle = (id = "", body: object) => answerOf(admin.put(`/api/admin/reports/${id}`, body));
    expect((await settle(first?.id, { outcome: "taken-down" }))[0]).toBe(400);
    expect((await settle(first?.id, { outcome: "taken-down", note: "Somebody else's work." }))[0]).toBe(200);
    expect(await settle(first?.id, { outcome: "dismissed" })).toEqual([
      409,
      expect.objectContaining({ code: "REPORT_SETTLED" }),
    ]);
    expect((await new Client().fetch(contentPath(sent.downloadId))).status).toBe(410);
    expect(await subjectsTo(person.email)).toHaveLength(1);
    expect((await settle(third?.id, { outcome: "dismissed", note: "Nothing wrong." }))[0]).toBe(200);
    expect((await new Client().fetch(contentPath(other.downloadId))).status).toBe(200);
    expect(await read(admin, "/api/admin/reports")).toEqual([]);
    const settled = await read<Paged<FileReport>>(admin, "/api/admin/reports?state=settled");
    expect(settled.items.map(({ settled: how }) => how?.outcome).sort()).toEqual([
      "dismissed",
      "taken-down",
      "taken-down",
    ]);
    expect(await auditEntriesFor(admin, first?.id ?? "")).toEqual([
      ["report.settle", "admin", "taken-down: Somebody else's work."],
    ]);
    expect(await auditEntriesFor(admin, sent.uploadId)).toEqual([["file.take-down", "admin", "Somebody else's work."]]);
    expect((await settle("none", { outcome: "dismissed" }))[0]).toBe(404);
  });

  it("need a valid link and a reason, and are limited to three per hour and IP address [LIM-10]", async () => {
    const { downloadId } = await sendFile(await signUp(), "x");
    expect((await report("A".repeat(22))).status).toBe(404);
    for (const body of [
      {},
      { reason: "ugly" },
      { reason: "other", email: "nobody" },
      { reason: "other", message: "x".repeat(1001) },
    ]) {
      expect((await report(downloadId, body)).status).toBe(400);
    }
    const limited = new Client("", (request) => {
      request.headers.set("cf-connecting-ip", "198.51.100.210");
      return apiWith({ ...env, RATE_LIMITS: "on" })(request);
    });
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1)
      statuses.push((await report(downloadId, { reason: "other" }, limited)).status);
    expect(statuses).toEqual([201, 201, 201, 429]);
  });
});
