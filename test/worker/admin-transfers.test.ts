import { beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "#domain/units.ts";
import type { FileReport, ListedEntries, Paged, UploadLogEntry } from "#domain/wire.ts";
import { auditEntriesFor, read } from "../support/admin.ts";
import { mailTo, subjectsTo } from "../support/mails.ts";
import { sendTransfer, startTransfer, textFile } from "../support/transfers.ts";
import { answerOf, Client, logInAdmin, rowOf, runSql, sendFile, signUp } from "../support/worker.ts";

const FILES = ["a.txt", "b/one.txt", "b/two.txt", "c.txt", "d.txt", "e.txt", "f.txt"].map((path) => textFile(path));

let admin: Client;

beforeAll(async () => {
  admin = await logInAdmin();
});

const listOf = (id: string, from = 0) => read<ListedEntries>(admin, `/api/admin/files/${id}/entries?from=${from}`);

describe("the list of a transfer, for administrators", () => {
  it("has removed files and downloads, also after the link has ended [TRF-25]", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendTransfer(person, FILES);
    await person.delete(`/api/files/${uploadId}/entries/1`);
    await (await new Client().fetch(`/api/files/download/${downloadId}/entries/2/content`)).arrayBuffer();
    await expect
      .poll(async () => (await listOf(uploadId)).entries.map(({ path, state, downloads }) => [path, state, downloads]))
      .toEqual([
        ["a.txt", "stored", 0],
        ["b/one.txt", "removed", 0],
        ["b/two.txt", "stored", 1],
        ["c.txt", "stored", 0],
        ["d.txt", "stored", 0],
        ["e.txt", "stored", 0],
        ["f.txt", "stored", 0],
      ]);
    await runSql("update files set expires_at = ? where id = ?", Date.now() - DAY_MS, uploadId);
    expect((await listOf(uploadId, 5)).entries.map(({ n }) => n)).toEqual([5, 6]);
    expect((await listOf(uploadId)).total).toBe(7);
    await admin.delete(`/api/admin/files/${uploadId}`);
    expect(await listOf(uploadId)).toEqual({ entries: [], total: 0 });
  });

  it("is there while the transfer uploads", async () => {
    const { uploadId } = await startTransfer(await signUp(), FILES);
    expect((await listOf(uploadId)).entries.map(({ state }) => state)).toEqual(FILES.map(() => "waiting"));
  });

  it("is not for single files, unknown files, and people who are no administrators", async () => {
    const person = await signUp();
    const single = await sendFile(person, "hello");
    expect((await admin.fetch(`/api/admin/files/${single.uploadId}/entries`)).status).toBe(400);
    expect((await admin.fetch("/api/admin/files/nobody/entries")).status).toBe(404);
    expect((await admin.fetch(`/api/admin/files/${single.uploadId}/entries?from=x`)).status).toBe(400);
    const { uploadId } = await sendTransfer(person, FILES);
    expect((await person.fetch(`/api/admin/files/${uploadId}/entries`)).status).toBe(403);
  });
});

describe("a transfer in reports and logs", () => {
  it("a report names the path of the reported file", async () => {
    await runSql("delete from file_reports");
    const person = await signUp();
    const [trip, other] = [await sendTransfer(person, FILES), await sendTransfer(person, FILES.slice(3))];
    const report = (downloadId: string, entry?: number) =>
      new Client().post(`/api/files/download/${downloadId}/report`, { reason: "malware", entry });
    expect((await report(trip.downloadId, 2)).status).toBe(201);
    expect((await report(other.downloadId, 0)).status).toBe(201);
    expect((await report(trip.downloadId)).status).toBe(201);
    const { items } = await read<Paged<FileReport>>(admin, "/api/admin/reports?state=open");
    expect(items.map(({ entry, path }) => [entry, path])).toEqual([
      [2, "b/two.txt"],
      [0, "c.txt"],
      [null, null],
    ]);
    await admin.delete(`/api/admin/files/${trip.uploadId}`);
    const after = await read<Paged<FileReport>>(admin, "/api/admin/reports?state=open");
    expect(after.items.map(({ path }) => path)).toEqual([null, "c.txt", null]);
  });

  it("a takedown ends the reported file and settles its reports alone, or everything with `whole` [TRF-26]", async () => {
    await runSql("delete from file_reports");
    const person = await signUp();
    const { uploadId, downloadId } = await sendTransfer(person, FILES, { title: "Trip" });
    const report = (entry?: number) =>
      new Client().post(`/api/files/download/${downloadId}/report`, { reason: "malware", entry });
    for (const entry of [2, 2, 3, 4, undefined]) expect((await report(entry)).status).toBe(201);
    const openReports = async () => (await read<Paged<FileReport>>(admin, "/api/admin/reports?state=open")).items;
    const [first, second, third, fourth] = await openReports();
    const settle = (id = "", more: object = {}) =>
      answerOf(admin.put(`/api/admin/reports/${id}`, { outcome: "taken-down", note: "Malware.", ...more }));
    const statusOf = async (n: number) =>
      (await new Client().fetch(`/api/files/download/${downloadId}/entries/${n}/content`)).status;

    expect((await settle(first?.id))[0]).toBe(200);
    expect((await openReports()).map(({ entry }) => entry)).toEqual([3, 4, null]);
    expect([await statusOf(2), await statusOf(3)]).toEqual([410, 200]);
    expect((await settle(second?.id))[1]).toMatchObject({ code: "REPORT_SETTLED" });
    expect(await auditEntriesFor(admin, uploadId)).toEqual([["file.take-down", "admin", "b/two.txt: Malware."]]);
    expect(await subjectsTo(person.email)).toEqual(["two.txt was taken down from Mayfly"]);

    // Its owner was faster: nothing is left to take down.
    await person.delete(`/api/files/${uploadId}/entries/3`);
    expect((await settle(third?.id))[0]).toBe(200);
    expect((await openReports()).map(({ entry }) => entry)).toEqual([4, null]);
    expect((await settle(fourth?.id, { whole: true }))[0]).toBe(200);
    expect(await openReports()).toEqual([]);
    expect(await statusOf(0)).toBe(410);
  });

  it("a takedown of the last file settles all reports of the transfer [TRF-26]", async () => {
    await runSql("delete from file_reports");
    const person = await signUp();
    const { uploadId, downloadId } = await sendTransfer(person, FILES.slice(0, 2));
    for (const entry of [0, 1, 1, undefined]) {
      const report = { reason: "malware", entry };
      expect((await new Client().post(`/api/files/download/${downloadId}/report`, report)).status).toBe(201);
    }
    await person.delete(`/api/files/${uploadId}/entries/0`);
    const openReports = async () => (await read<Paged<FileReport>>(admin, "/api/admin/reports?state=open")).items;
    const reported = (await openReports()).find(({ entry }) => entry === 1);
    const settled = { outcome: "taken-down", note: "Malware." };
    expect((await admin.put(`/api/admin/reports/${reported?.id}`, settled)).status).toBe(200);
    expect(await openReports()).toEqual([]);
    expect(await rowOf("select admin_deleted from files where id = ?", uploadId)).toEqual({ admin_deleted: 1 });
  });

  it("the log of uploads counts its files, the audit log too [TRF-27]", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, FILES, { title: "Trip" });
    await sendFile(person, "hello");
    const log = await read<Paged<UploadLogEntry>>(admin, `/api/admin/upload-log?userId=${person.id}`);
    expect(log.items.map(({ entries, errorCode }) => [entries, errorCode])).toEqual([
      [null, "COMPLETED"],
      [7, "COMPLETED"],
    ]);
    await person.delete(`/api/files/${uploadId}/entries/0`);
    expect((await admin.delete(`/api/admin/files/${uploadId}`)).status).toBe(200);
    expect(await auditEntriesFor(admin, uploadId)).toEqual([["file.delete", "admin", "Trip (6 files)"]]);
  });
});

describe("mails about a transfer", () => {
  it("its link by mail: the title, five files, and how many more [TRF-27]", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, FILES, { title: "Trip" });
    await person.delete(`/api/files/${uploadId}/entries/1`);
    const friend = `friend-${crypto.randomUUID()}@example.com`;
    expect((await person.post(`/api/files/${uploadId}/share`, { email: friend, note: "Look!" })).status).toBe(200);
    const { subject, text } = await mailTo(friend);
    expect(subject).toBe(`${person.email} sent you files with Mayfly`);
    expect(text).toContain(`${person.email} sent you Trip (6 files, 82 Bytes).`);
    expect(text).toContain("- a.txt\n- b/two.txt\n- c.txt\n- d.txt\n- e.txt\n- and 1 more\n");
    expect(text).not.toContain("b/one.txt");
    expect(text).toContain("do not open the files.");
  });

  it("a takedown: the same, and the reason [TRF-27]", async () => {
    const person = await signUp();
    const { uploadId } = await sendTransfer(person, FILES, { title: "Trip" });
    const reason = "Somebody else's work.";
    expect((await admin.post(`/api/admin/files/${uploadId}/take-down`, { reason })).status).toBe(200);
    expect(await subjectsTo(person.email)).toEqual(["Trip was taken down from Mayfly"]);
    const { text } = await mailTo(person.email);
    expect(text).toContain("We removed Trip (7 files). Its link no longer works");
    expect(text).toContain("- a.txt\n- b/one.txt\n- b/two.txt\n- c.txt\n- d.txt\n- and 2 more\n");
    expect(text).toContain(`“${reason}”`);
    expect(await auditEntriesFor(admin, uploadId)).toEqual([["file.take-down", "admin", `Trip (7 files): ${reason}`]]);
  });

  it("a takedown while it uploads names what was announced; of one file, that file", async () => {
    const person = await signUp();
    const started = await startTransfer(person, FILES.slice(0, 2), { title: "Trip" });
    await admin.post(`/api/admin/files/${started.uploadId}/take-down`, { reason: "Malware." });
    expect((await mailTo(person.email)).text).toContain("- a.txt\n- b/one.txt\n\nThe reason:");

    const other = await signUp();
    const sent = await sendTransfer(other, FILES, { title: "Trip" });
    await admin.post(`/api/admin/files/${sent.uploadId}/entries/2/take-down`, { reason: "Malware." });
    expect(await subjectsTo(other.email)).toEqual(["two.txt was taken down from Mayfly"]);
    expect((await mailTo(other.email)).text).toContain("We removed b/two.txt from Trip.");
  });
});

describe("refusals of a transfer that has ended", () => {
  it("speak of the transfer [TRF-29]", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendTransfer(person, FILES);
    await runSql("update files set expires_at = 1 where id = ?", uploadId);
    const expired = [
      410,
      { message: "This transfer has expired and can no longer be downloaded.", code: "FILE_EXPIRED" },
    ];
    expect(await answerOf(new Client().fetch(`/api/files/download/${downloadId}`))).toMatchObject(expired);
    const rename = person.fetch(`/api/files/${uploadId}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: '{"filename":"Other"}',
    });
    expect(await answerOf(rename)).toMatchObject(expired);
    await person.delete(`/api/files/${uploadId}`);
    expect(await answerOf(new Client().fetch(`/api/files/download/${downloadId}`))).toMatchObject([
      410,
      { message: "This transfer has been removed and can no longer be downloaded." },
    ]);
  });
});
