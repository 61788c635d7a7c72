// @module-tag long
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { UploadSession } from "#durable-objects/upload/upload-session.ts";
import {
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
  startUpload,
  startUploadOf,
  storedKeys,
  type Upload,
} from "./support.ts";

/** R2, quota, row and session agree. */
async function expectOutcome(upload: Upload, completed: boolean): Promise<void> {
  if (completed) await expectReady(upload);
  else await expectEnded(upload, "cancelled");
}

/** The second call reaches the object before R2 has answered the first. */
function runInParallel<First, Second>(
  { stub }: Upload,
  calls: (object: UploadSession) => [Promise<First>, Promise<Second>],
): Promise<[First, Second]> {
  return runInDurableObject(stub, (object) => Promise.all(calls(object)));
}

describe("the stored bytes of an ended upload without a row", () => {
  it.each([
    { what: "are deleted if the row was released before", released: true, left: 0 },
    {
      what: "are kept if the row was never released, because the database may be the wrong one",
      released: false,
      left: 1,
    },
  ])("$what", async ({ released, left }) => {
    const upload = await startUpload(IN_ONE_PUT);
    await sendAll(upload);
    await env.DB.prepare("delete from files where id = ?").bind(upload.id).run();
    const settledAt = Date.now();
    await changeRecord(upload, { phase: "cancelled", endCode: "CANCELLED", settledAt, cleanedUp: false, released });
    await runDurableObjectAlarm(upload.stub);
    expect(await storedKeys(upload)).toHaveLength(left);
    expect(await recordOf(upload)).toMatchObject({ cleanedUp: true });
  });
});

describe.each(TRANSPORTS)("cancelling an upload $transport", ({ sizeBytes }) => {
  it("before its first byte releases its quota", async () => {
    const upload = await startUpload(sizeBytes);
    expect(await monthOf(upload)).toEqual({ bytes: sizeBytes, transfers: 1 });
    expect(await upload.stub.cancel()).toEqual({ ok: true });
    await expectEnded(upload, "cancelled");
  });

  it("after all bytes have arrived leaves nothing in storage", async () => {
    const upload = await startUpload(sizeBytes);
    await upload.stub.storeReceipts(await sendAll(upload));
    expect((await upload.owner.post("/api/direct-upload/cancel", { downloadId: upload.downloadId })).status).toBe(200);
    await expectEnded(upload, "cancelled");
    expect(await recordOf(upload)).toMatchObject({ phase: "cancelled", cleanedUp: true });
  });

  it("is idempotent, even after eviction", async () => {
    const upload = await startUpload(sizeBytes);
    const [first, second] = await runInParallel(upload, (object) => [object.cancel(), object.cancel()]);
    await evict(upload);
    const third = await upload.stub.cancel();
    expect([first, second, third]).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
    expect((await upload.owner.post("/api/direct-upload/cancel", { downloadId: upload.downloadId })).status).toBe(200);
    await expectEnded(upload, "cancelled");
  });

  it("during completion is rejected, and the completion wins", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    const [completed, cancelled] = await runInParallel(upload, (object) => [
      object.complete(receipts),
      object.cancel(),
    ]);
    expect(completed).toMatchObject({ ok: true });
    expect(cancelled).toEqual({ ok: false, code: "UPLOAD_FINISHED" });
    await expectOutcome(upload, true);
  });

  it("before complete makes the completion fail", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    const [cancelled, completed] = await runInParallel(upload, (object) => [
      object.cancel(),
      object.complete(receipts),
    ]);
    expect(cancelled).toEqual({ ok: true });
    expect(completed).toEqual({ ok: false, code: "UPLOAD_CLOSED" });
    await expectOutcome(upload, false);
  });

  it("in parallel with many completes has one outcome", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    const both = () => [
      upload.owner.complete(upload.downloadId, receipts),
      upload.owner.post("/api/direct-upload/cancel", { downloadId: upload.downloadId }),
    ];
    const statuses = (await Promise.all(Array.from({ length: 4 }, both).flat())).map(({ status }) => status);
    const completes = new Set(statuses.filter((_, index) => index % 2 === 0));
    const cancels = new Set(statuses.filter((_, index) => index % 2 === 1));
    expect([completes, cancels]).toEqual(
      completes.has(200) ? [new Set([200]), new Set([409])] : [new Set([409]), new Set([200])],
    );
    await expectOutcome(upload, completes.has(200));
  });

  it("after completion is rejected, and the link keeps working", async () => {
    const upload = await startUpload(sizeBytes);
    await upload.stub.complete(await sendAll(upload));
    const response = await upload.owner.post("/api/direct-upload/cancel", { downloadId: upload.downloadId });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: "UPLOAD_FINISHED" });
    expect(await upload.stub.cancel()).toEqual({ ok: false, code: "UPLOAD_FINISHED" });
    await expectReady(upload);
  });

  it.each([
    { point: "before the quota was released", released: false },
    { point: "after the quota was released but before the session recorded it", released: true },
  ])("that crashed $point is finished by the alarm and releases the quota once", async ({ released }) => {
    const upload = await startUpload(sizeBytes);
    const other = await startUploadOf(upload.owner, 500);
    await upload.stub.storeReceipts(await sendAll(upload));
    if (released) await upload.stub.cancel();
    await changeRecord(upload, { phase: "cancelled", settledAt: Date.now(), cleanedUp: false });
    expect(await runDurableObjectAlarm(upload.stub)).toBe(true);
    await upload.stub.endIfAbandoned(upload.id);
    expect(await recordOf(upload)).toMatchObject({ phase: "cancelled", cleanedUp: true });
    expect(await monthOf(upload)).toEqual({ bytes: 500, transfers: 1 });
    await other.stub.cancel();
    await expectEnded(upload, "cancelled");
  });
});

describe("an upload whose parts cannot be joined", () => {
  it("is cancelled by a cancel call that waits for the failing completion", async () => {
    const upload = await startUpload(IN_PARTS);
    const receipts = await sendAll(upload);
    const wrong = receipts.map(({ part }) => ({ part, etag: "0".repeat(32) }));
    const [completed, cancelled] = await runInParallel(upload, (object) => [object.complete(wrong), object.cancel()]);
    expect(completed).toMatchObject({ ok: false, code: "UPLOAD_INCOMPLETE" });
    expect(cancelled).toEqual({ ok: true });
    await expectEnded(upload, "cancelled");
  });
});

describe.each(TRANSPORTS)("an upload $transport whose row was ended by the cron", ({ sizeBytes }) => {
  it("does not become a file and leaves nothing in storage", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    await env.DB.prepare("update files set status = 'failed' where id = ?").bind(upload.id).run();
    expect(await upload.stub.complete(receipts)).toEqual({ ok: false, code: "UPLOAD_CLOSED" });
    expect(await storedKeys(upload)).toEqual([]);
    expect(await rowOf(upload)).toMatchObject({ status: "failed" });
  });
});

describe("while the database rejects writes", () => {
  const REJECT_WRITES = `create trigger reject_writes before update on files begin select raise(abort, 'no writes'); end`;
  afterEach(async () => {
    vi.restoreAllMocks();
    await env.DB.prepare("drop trigger if exists reject_writes").run();
  });

  /** Counts the logged errors of one upload: alarms of others may fail meanwhile. */
  function countErrors({ id }: { id: string }): () => number {
    const log = vi.spyOn(console, "error").mockReturnValue();
    return () => log.mock.calls.filter(([line]) => String(line).includes(id)).length;
  }

  it.each(TRANSPORTS)(
    "completing $transport answers 503, is retried, and finishes once writes succeed",
    async (transport) => {
      const upload = await startUpload(transport.sizeBytes);
      const receipts = await sendAll(upload);
      await env.DB.prepare(REJECT_WRITES).run();
      const errorCount = countErrors(upload);
      expect((await upload.owner.complete(upload.downloadId, receipts)).status).toBe(503);
      await runDurableObjectAlarm(upload.stub);
      expect(await upload.stub.cancel()).toEqual({ ok: false, code: "STORAGE_UNAVAILABLE" });
      expect(errorCount()).toBe(3);
      expect(await recordOf(upload)).toMatchObject({ phase: "completing", attempts: 3 });

      await env.DB.prepare("drop trigger reject_writes").run();
      expect(await runDurableObjectAlarm(upload.stub)).toBe(true);
      await expectReady(upload);
    },
  );

  it("a cancel takes effect, and the alarm releases the quota once writes succeed", async () => {
    const upload = await startUpload(1000);
    await sendAll(upload);
    await env.DB.prepare(REJECT_WRITES).run();
    const errorCount = countErrors(upload);
    expect(await upload.stub.cancel()).toEqual({ ok: true });
    expect(errorCount()).toBe(1);
    expect(await upload.stub.complete([])).toEqual({ ok: false, code: "UPLOAD_CLOSED" });

    await env.DB.prepare("drop trigger reject_writes").run();
    expect(await runDurableObjectAlarm(upload.stub)).toBe(true);
    await expectEnded(upload, "cancelled");
  });
});
