import { listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import { signUp } from "#test/support/worker.ts";
import {
  alarmAt,
  changeRecord,
  evict,
  expectEnded,
  expectReady,
  IN_ONE_PUT,
  IN_PARTS,
  monthOf,
  recordOf,
  TRANSPORTS,
  rowOf,
  sendAll,
  sendPart,
  startUpload,
  startUploadOf,
  storeUpload,
  type Upload,
} from "./support.ts";

/** Runs the alarm before its time, and repeats it after an eviction, as the platform may. */
async function runAlarmTwice(upload: Upload): Promise<void> {
  expect(await runDurableObjectAlarm(upload.stub)).toBe(true);
  await evict(upload);
  await runDurableObjectAlarm(upload.stub);
}

describe.each(TRANSPORTS)("an upload $transport without further receipts", ({ sizeBytes }) => {
  it("stays open for 24 hours after the last receipt", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    const lastReceiptAt = Date.now() - DAY_MS + 5 * MINUTE_MS;
    await changeRecord(upload, { lastReceiptAt });
    await runAlarmTwice(upload);
    expect(await alarmAt(upload)).toBe(lastReceiptAt + DAY_MS);
    expect(await upload.stub.complete(receipts)).toMatchObject({ ok: true });
    await expectReady(upload);
  });

  it("is abandoned after 24 hours: its storage is freed and its quota is released once", async () => {
    const upload = await startUpload(sizeBytes);
    await upload.stub.storeReceipts((await sendAll(upload)).slice(1));
    const store = sizeBytes === IN_PARTS ? await storeUpload(upload) : null;
    const other = await startUploadOf(upload.owner, 500);
    await changeRecord(upload, { lastReceiptAt: Date.now() - DAY_MS });
    await runAlarmTwice(upload);
    await upload.stub.endIfAbandoned(upload.id);

    expect(await rowOf(upload)).toMatchObject({ status: "failed" });
    expect(await monthOf(upload)).toEqual({ bytes: 500, transfers: 1 });
    await other.stub.cancel();
    await expectEnded(upload, "failed");
    if (store) await expect(store.uploadPart(1, new Uint8Array(1))).rejects.toThrow("10024");
    const response = await upload.owner.complete(upload.downloadId);
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: "UPLOAD_CLOSED" });
  });

  it("does not release quota in a later billing month", async () => {
    const upload = await startUpload(sizeBytes);
    await env.DB.prepare(
      `update users set current_period_start = current_period_start + 1, monthly_upload_total = 7000,
       monthly_transfer_count = 7 where id = (select user_id from files where id = ?)`,
    )
      .bind(upload.id)
      .run();
    await changeRecord(upload, { lastReceiptAt: Date.now() - DAY_MS });
    await runAlarmTwice(upload);
    expect(await rowOf(upload)).toMatchObject({ status: "failed" });
    expect(await monthOf(upload)).toEqual({ bytes: 7000, transfers: 7 });
  });
});

/** Codes of the upload's audit rows. */
async function auditCodes({ id }: Upload): Promise<string[]> {
  const rows = await env.DB.prepare("select error_code as code from upload_audit_logs where id like ?")
    .bind(`${id}%`)
    .all<{ code: string }>();
  return rows.results.map(({ code }) => code);
}

describe("an abandoned upload", () => {
  it.each([
    { by: "its alarm", end: runAlarmTwice },
    { by: "the cron", end: (upload: Upload) => upload.stub.endIfAbandoned(upload.id) },
    {
      by: "the cron after the session has lost its record",
      end: async (upload: Upload) => {
        await runInDurableObject(upload.stub, (_, { storage }) => storage.deleteAll());
        await upload.stub.endIfAbandoned(upload.id);
      },
    },
  ])("has the same outcome when ended by $by", async ({ end }) => {
    const upload = await startUpload(IN_ONE_PUT);
    await changeRecord(upload, { lastReceiptAt: Date.now() - DAY_MS });
    await end(upload);
    expect(await rowOf(upload)).toMatchObject({ status: "failed" });
    expect(await monthOf(upload)).toEqual({ bytes: 0, transfers: 0 });
    expect(await auditCodes(upload)).toEqual(["ABANDONED"]);
  });
});

describe("the cron's check of an upload", () => {
  it("returns the time of abandonment of an open upload", async () => {
    const upload = await startUpload(IN_PARTS);
    await upload.stub.storeReceipts([await sendPart(upload, 1)]);
    const record = await recordOf(upload);
    expect(await upload.stub.endIfAbandoned(upload.id)).toBe((record?.lastReceiptAt ?? 0) + DAY_MS);
  });

  it("ends an abandoned upload whose alarm was lost", async () => {
    const upload = await startUpload(IN_PARTS);
    await changeRecord(upload, { lastReceiptAt: Date.now() - DAY_MS });
    await runInDurableObject(upload.stub, (_, { storage }) => storage.deleteAlarm());
    expect(await upload.stub.endIfAbandoned(upload.id)).toBeNull();
    await expectEnded(upload, "failed");
  });

  it("finishes an upload that crashed during completion and whose alarm was lost", async () => {
    const upload = await startUpload(IN_ONE_PUT);
    await sendAll(upload);
    await changeRecord(upload, { phase: "completing" });
    await runInDurableObject(upload.stub, (_, { storage }) => storage.deleteAlarm());
    expect(await upload.stub.endIfAbandoned(upload.id)).toBeNull();
    await expectReady(upload);
  });
});

async function runAlarmAfterAnHour(upload: Upload): Promise<void> {
  await changeRecord(upload, { settledAt: Date.now() - HOUR_MS });
  await runAlarmTwice(upload);
}

async function expectEmptyStorage({ stub }: Upload): Promise<void> {
  const left = await runInDurableObject(stub, async (_, { storage }) => ({
    alarm: await storage.getAlarm(),
    values: (await storage.list()).size,
    tables: storage.sql.exec("select name from sqlite_master where name not like '\\_cf\\_%' escape '\\'").toArray(),
  }));
  expect(left).toEqual({ alarm: null, values: 0, tables: [] });
}

describe.each(TRANSPORTS)("an hour after the end of an upload $transport", ({ sizeBytes }) => {
  it("the session of a finished upload has deleted itself, and the answers stay the same", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    const before = await (await upload.owner.complete(upload.downloadId, receipts)).json();
    await runAlarmTwice(upload);
    expect(await recordOf(upload)).toMatchObject({ phase: "ready" });
    await runAlarmAfterAnHour(upload);
    await expectEmptyStorage(upload);

    const again = await upload.owner.complete(upload.downloadId, receipts);
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual(before);
    expect(await upload.stub.complete(receipts)).toEqual({ ok: false, code: "NO_UPLOAD" });
    expect(await upload.stub.storeReceipts(receipts)).toEqual({ ok: false, code: "NO_UPLOAD" });
    expect(await upload.stub.cancel()).toEqual({ ok: false, code: "NO_UPLOAD" });
    expect(await upload.stub.status()).toBeNull();
    expect(await upload.stub.endIfAbandoned(upload.id)).toBeNull();
    await expectEmptyStorage(upload);
    expect(await (await fetchInfo(upload)).json()).toMatchObject({ status: "ready", size: sizeBytes });
  });

  it("the session of a cancelled upload has deleted itself, and the upload stays cancelled", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    await upload.stub.cancel();
    await runAlarmAfterAnHour(upload);
    await expectEmptyStorage(upload);
    expect((await upload.owner.complete(upload.downloadId, receipts)).status).toBe(409);
    expect((await upload.owner.post("/api/direct-upload/cancel", { downloadId: upload.downloadId })).status).toBe(200);
    expect((await fetchInfo(upload)).status).toBe(404);
    await expectEmptyStorage(upload);
    await expectEnded(upload, "cancelled");
  });
});

function fetchInfo({ owner, downloadId }: Upload): Promise<Response> {
  return owner.fetch(`/api/files/download/${downloadId}`);
}

describe("guessing an upload's id", () => {
  it("creates no Durable Object, by any call", async () => {
    const upload = await startUpload(IN_PARTS);
    const before = (await listDurableObjectIds(env.UPLOADS)).length;
    const stranger = await signUp();
    const receipts = [{ part: 1, etag: "abc" }];
    for (const guess of ["A".repeat(22), upload.id, upload.downloadId, "", "../x"]) {
      const call = { downloadId: guess, parts: [1], receipts };
      const answers = await Promise.all([
        stranger.post("/api/direct-upload/complete", call),
        stranger.post("/api/direct-upload/sign-parts", call),
        stranger.post("/api/direct-upload/cancel", call),
      ]);
      for (const { status } of answers) expect([400, 404]).toContain(status);
      if (guess === upload.downloadId) continue;
      const socket = await stranger.fetch(`/ws?id=${encodeURIComponent(guess)}`, { headers: { upgrade: "websocket" } });
      expect(socket.status).toBe(404);
      expect((await fetchInfo({ ...upload, downloadId: encodeURIComponent(guess) })).status).toBe(404);
    }
    expect(await listDurableObjectIds(env.UPLOADS)).toHaveLength(before);
    expect(await recordOf(upload)).toMatchObject({ phase: "created" });
    expect(await rowOf(upload)).toMatchObject({ status: "uploading" });
  });
});
