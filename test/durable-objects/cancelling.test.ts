import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { UploadSession } from "#durable-objects/upload-session.ts";
import {
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
  startUpload,
  startUploadOf,
  storedKeys,
  type Upload,
} from "./support.ts";

/** The store, the month, the row and the upload itself tell the same story. */
async function expectOneStory(upload: Upload, completed: boolean): Promise<void> {
  if (completed) await expectReady(upload);
  else await expectEnded(upload, "cancelled");
}

/** Calls that reach the object one right after the other: the first has not got an answer from storage yet. */
function atOnce<First, Second>(
  { stub }: Upload,
  calls: (object: UploadSession) => [Promise<First>, Promise<Second>],
): Promise<[First, Second]> {
  return runInDurableObject(stub, (object) => Promise.all(calls(object)));
}

describe("what an upload that ended leaves in storage, once its row has gone", () => {
  it.each([
    { what: "goes, where the row is known to have ended", released: true, left: 0 },
    { what: "stays, where nothing is known of it: the database may be the wrong one", released: false, left: 1 },
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

describe.each(ROADS)("cancelling an upload $road", ({ sizeBytes }) => {
  it("before its first byte gives the month its bytes back", async () => {
    const upload = await startUpload(sizeBytes);
    expect(await monthOf(upload)).toEqual({ bytes: sizeBytes, transfers: 1 });
    expect(await upload.stub.cancel()).toEqual({ ok: true });
    await expectEnded(upload, "cancelled");
  });

  it("when all of it has arrived leaves nothing in storage", async () => {
    const upload = await startUpload(sizeBytes);
    await upload.stub.prepareSigning(await sendAll(upload));
    expect((await upload.owner.post("/api/direct-upload/cancel", { downloadId: upload.downloadId })).status).toBe(200);
    await expectEnded(upload, "cancelled");
    expect(await recordOf(upload)).toMatchObject({ phase: "cancelled", cleanedUp: true });
  });

  it("twice, with and without memory, is the same as once", async () => {
    const upload = await startUpload(sizeBytes);
    const [first, second] = await atOnce(upload, (object) => [object.cancel(), object.cancel()]);
    await evict(upload);
    const third = await upload.stub.cancel();
    expect([first, second, third]).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
    expect((await upload.owner.post("/api/direct-upload/cancel", { downloadId: upload.downloadId })).status).toBe(200);
    await expectEnded(upload, "cancelled");
  });

  it("while it is completing comes too late", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    const [completed, cancelled] = await atOnce(upload, (object) => [object.complete(receipts), object.cancel()]);
    expect(completed).toMatchObject({ ok: true });
    expect(cancelled).toEqual({ ok: false, code: "UPLOAD_FINISHED" });
    await expectOneStory(upload, true);
  });

  it("before a complete wins over it", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    const [cancelled, completed] = await atOnce(upload, (object) => [object.cancel(), object.complete(receipts)]);
    expect(cancelled).toEqual({ ok: true });
    expect(completed).toEqual({ ok: false, code: "UPLOAD_CLOSED" });
    await expectOneStory(upload, false);
  });

  it("many times while many complete has one outcome, whoever comes first", async () => {
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
    await expectOneStory(upload, completes.has(200));
  });

  it("after it has finished is refused, and the link keeps working", async () => {
    const upload = await startUpload(sizeBytes);
    await upload.stub.complete(await sendAll(upload));
    const response = await upload.owner.post("/api/direct-upload/cancel", { downloadId: upload.downloadId });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: "UPLOAD_FINISHED" });
    expect(await upload.stub.cancel()).toEqual({ ok: false, code: "UPLOAD_FINISHED" });
    await expectReady(upload);
  });

  it.each([
    { point: "before anything was given back", givenBack: false },
    { point: "when all was given back, and only the upload has not noted it", givenBack: true },
  ])("that crashed $point is finished by its alarm, and gives back once", async ({ givenBack }) => {
    const upload = await startUpload(sizeBytes);
    const other = await startUploadOf(upload.owner, 500);
    await upload.stub.prepareSigning(await sendAll(upload));
    if (givenBack) await upload.stub.cancel();
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
  it("is cancelled by a cancel that came while it was completing", async () => {
    const upload = await startUpload(IN_PARTS);
    const receipts = await sendAll(upload);
    const wrong = receipts.map(({ part }) => ({ part, etag: "0".repeat(32) }));
    const [completed, cancelled] = await atOnce(upload, (object) => [object.complete(wrong), object.cancel()]);
    expect(completed).toMatchObject({ ok: false, code: "UPLOAD_INCOMPLETE" });
    expect(cancelled).toEqual({ ok: true });
    await expectEnded(upload, "cancelled");
  });
});

describe.each(ROADS)("an upload $road whose row was ended by the cron in the meantime", ({ sizeBytes }) => {
  it("does not become a file without a row, and leaves nothing in storage", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    await env.DB.prepare("update files set status = 'failed' where id = ?").bind(upload.id).run();
    expect(await upload.stub.complete(receipts)).toEqual({ ok: false, code: "UPLOAD_CLOSED" });
    expect(await storedKeys(upload)).toEqual([]);
    expect(await rowOf(upload)).toMatchObject({ status: "failed" });
  });
});

describe("while the database refuses writes", () => {
  const localizedError = `create trigger refuse_writes before update on files begin select raise(abort, 'no writes'); end`;
  afterEach(async () => {
    vi.restoreAllMocks();
    await env.DB.prepare("drop trigger if exists refuse_writes").run();
  });

  /** Counts what the log says of one upload from here on: others' alarms may fail meanwhile. */
  function faultsOf({ id }: { id: string }): () => number {
    const log = vi.spyOn(console, "error").mockReturnValue();
    return () => log.mock.calls.filter(([line]) => String(line).includes(id)).length;
  }

  it.each(ROADS)(
    "a complete $road answers 503, tries again later, and finishes once writes go through",
    async (transport) => {
      const upload = await startUpload(transport.sizeBytes);
      const receipts = await sendAll(upload);
      await env.DB.prepare(localizedError).run();
      const faults = faultsOf(upload);
      expect((await upload.owner.complete(upload.downloadId, receipts)).status).toBe(503);
      await runDurableObjectAlarm(upload.stub);
      expect(await upload.stub.cancel()).toEqual({ ok: false, code: "STORAGE_UNAVAILABLE" });
      expect(faults()).toBe(3);
      expect(await recordOf(upload)).toMatchObject({ phase: "completing", attempts: 3 });

      await env.DB.prepare("drop trigger refuse_writes").run();
      expect(await runDurableObjectAlarm(upload.stub)).toBe(true);
      await expectReady(upload);
    },
  );

  it("a cancel holds, and its alarm gives the month its bytes back once writes go through", async () => {
    const upload = await startUpload(1000);
    await sendAll(upload);
    await env.DB.prepare(localizedError).run();
    const faults = faultsOf(upload);
    expect(await upload.stub.cancel()).toEqual({ ok: true });
    expect(faults()).toBe(1);
    expect(await upload.stub.complete([])).toEqual({ ok: false, code: "UPLOAD_CLOSED" });

    await env.DB.prepare("drop trigger refuse_writes").run();
    expect(await runDurableObjectAlarm(upload.stub)).toBe(true);
    await expectEnded(upload, "cancelled");
  });
});
