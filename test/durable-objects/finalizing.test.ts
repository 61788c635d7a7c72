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
  ROADS,
  rowOf,
  sendAll,
  sendPart,
  startUpload,
  startUploadOf,
  storeUpload,
  type Upload,
} from "./support.ts";

/** Runs the alarm that is set, whenever it is due, and again at once, as the platform may. */
async function runAlarmTwice(upload: Upload): Promise<void> {
  expect(await runDurableObjectAlarm(upload.stub)).toBe(true);
  await evict(upload);
  await runDurableObjectAlarm(upload.stub);
}

describe.each(ROADS)("an upload $road that gets no more receipts", ({ sizeBytes }) => {
  it("lives until 24 hours after the last one", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    const lastReceiptAt = Date.now() - DAY_MS + 5 * MINUTE_MS;
    await changeRecord(upload, { lastReceiptAt });
    await runAlarmTwice(upload);
    expect(await alarmAt(upload)).toBe(lastReceiptAt + DAY_MS);
    expect(await upload.stub.complete(receipts)).toMatchObject({ ok: true });
    await expectReady(upload);
  });

  it("is abandoned then: nothing stays in storage, and the month gets its bytes back once", async () => {
    const upload = await startUpload(sizeBytes);
    await upload.stub.prepareSigning((await sendAll(upload)).slice(1));
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

  it("gives nothing back to a later month than the one it was taken from", async () => {
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

describe("the cron, asking after an upload", () => {
  it("is told until when one lives that still gets receipts", async () => {
    const upload = await startUpload(IN_PARTS);
    await upload.stub.prepareSigning([await sendPart(upload, 1)]);
    const record = await recordOf(upload);
    expect(await upload.stub.endIfAbandoned(upload.id)).toBe((record?.lastReceiptAt ?? 0) + DAY_MS);
  });

  it("ends one whose alarm was lost", async () => {
    const upload = await startUpload(IN_PARTS);
    await changeRecord(upload, { lastReceiptAt: Date.now() - DAY_MS });
    await runInDurableObject(upload.stub, (_, { storage }) => storage.deleteAlarm());
    expect(await upload.stub.endIfAbandoned(upload.id)).toBeNull();
    await expectEnded(upload, "failed");
  });

  it("finishes one that crashed in completing and whose alarm was lost", async () => {
    const upload = await startUpload(IN_ONE_PUT);
    await sendAll(upload);
    await changeRecord(upload, { phase: "completing" });
    await runInDurableObject(upload.stub, (_, { storage }) => storage.deleteAlarm());
    expect(await upload.stub.endIfAbandoned(upload.id)).toBeNull();
    await expectReady(upload);
  });
});

/** Lets an hour pass since the upload ended, and its alarm come. */
async function passAnHour(upload: Upload): Promise<void> {
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

describe.each(ROADS)("an hour after the end of an upload $road", ({ sizeBytes }) => {
  it("a finished one has forgotten everything, and is answered for as before", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    const before = await (await upload.owner.complete(upload.downloadId, receipts)).json();
    await runAlarmTwice(upload);
    expect(await recordOf(upload)).toMatchObject({ phase: "ready" });
    await passAnHour(upload);
    await expectEmptyStorage(upload);

    const again = await upload.owner.complete(upload.downloadId, receipts);
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual(before);
    expect(await upload.stub.complete(receipts)).toEqual({ ok: false, code: "NO_UPLOAD" });
    expect(await upload.stub.prepareSigning(receipts)).toEqual({ ok: false, code: "NO_UPLOAD" });
    expect(await upload.stub.cancel()).toEqual({ ok: false, code: "NO_UPLOAD" });
    expect(await upload.stub.status()).toBeNull();
    expect(await upload.stub.endIfAbandoned(upload.id)).toBeNull();
    await expectEmptyStorage(upload);
    expect(await (await fetchInfo(upload)).json()).toMatchObject({ status: "ready", size: sizeBytes });
  });

  it("a cancelled one has forgotten everything, and stays cancelled", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    await upload.stub.cancel();
    await passAnHour(upload);
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
  it("creates nothing, whoever asks and whatever for", async () => {
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
