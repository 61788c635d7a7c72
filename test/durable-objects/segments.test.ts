import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS, MIB } from "#domain/units.ts";
import type { CompletedPart } from "#domain/wire.ts";
import {
  changeRecord,
  evict,
  expectEnded,
  expectReady,
  IN_SEGMENTS,
  recordOf,
  rowOf,
  sendAll,
  sendPart,
  startUpload,
  storedKeys,
  storedParts,
  type Upload,
} from "./support.ts";

/** How far the file can be read from its start. */
async function readableTo({ stub }: Upload): Promise<number> {
  using answer = await stub.follow("a test", 0, 0);
  return answer.ok ? answer.storedTo : expect.unreachable(answer.code);
}

function segmentsOf({ stub }: Upload): Promise<[number, string][]> {
  return runInDurableObject(stub, (_, { storage }) =>
    storage.sql
      .exec<{ segment: number; phase: string }>("select segment, phase from segments order by segment")
      .toArray()
      .map(({ segment, phase }) => [segment, phase]),
  );
}

async function send(upload: Upload, ...parts: number[]): Promise<CompletedPart[]> {
  const receipts: CompletedPart[] = [];
  for (const part of parts) receipts.push(await sendPart(upload, part));
  await upload.stub.storeReceipts(receipts);
  return receipts;
}

const withSum = (receipt: CompletedPart, crc32: string): CompletedPart => ({ ...receipt, crc32 });

describe("a file from 64 MiB on", () => {
  it("can be read as far as it is stored without a gap, in whatever order its parts come [FOL-5]", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    await send(upload, 2, 9);
    await expect.poll(() => segmentsOf(upload)).toContainEqual([1, "stored"]);
    expect(await readableTo(upload)).toBe(0);
    await send(upload, 1);
    await expect.poll(() => readableTo(upload)).toBe(16 * MIB);
    await send(upload, 4, 3);
    await expect.poll(() => readableTo(upload)).toBe(32 * MIB);
    using later = await upload.stub.follow("another", 33 * MIB, 0);
    expect(later).toMatchObject({ ok: true, isReady: false, storedTo: 33 * MIB });
    const receipts = await send(upload, 5, 6, 7, 8);
    expect(await upload.stub.complete(receipts)).toMatchObject({ ok: true });
    await expectReady(upload);
    expect(await readableTo(upload)).toBe(IN_SEGMENTS);
  });

  it("has the multipart uploads of its first six parts at the start, and others when their URLs are asked for [FOL-6]", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    expect((await segmentsOf(upload)).map(([segment]) => segment)).toEqual([0, 1, 2, 3, 4, 5]);
    const response = await upload.owner.post("/api/direct-upload/sign-parts", {
      downloadId: upload.downloadId,
      parts: [9],
    });
    const { urls } = await response.json<{ urls: { part: number; url: string }[] }>();
    expect(
      urls.map(({ part, url }) => [part, new URL(url).pathname.slice(-6), new URL(url).searchParams.get("partNumber")]),
    ).toEqual([[9, "/00008", "1"]]);
    expect((await segmentsOf(upload)).map(([segment]) => segment)).toEqual([0, 1, 2, 3, 4, 5, 8]);
  });

  it("has the keys, the layout and the ETag of its row from the start on [FOL-6]", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    const read = () =>
      env.DB.prepare("select s3_key, object_count, layout, etag from files where id = ?")
        .bind(upload.id)
        .first<{ s3_key: string; object_count: number; layout: string; etag: string }>();
    const row = await read();
    expect(row).toMatchObject({ s3_key: `files/${upload.id}/`, object_count: 9, layout: "[[8,8388608],[1,1]]" });
    expect(row?.etag).toMatch(/^[0-9a-f]{32}$/);
    await upload.stub.complete(await sendAll(upload));
    expect(await read()).toEqual(row);
  });
});

describe("a segment", () => {
  it("that was joined before a crash is found and kept [FOL-7]", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    const receipt = await sendPart(upload, 1);
    const [uploadId = ""] = await runInDurableObject(upload.stub, (_, { storage }) =>
      storage.sql
        .exec<{ id: string }>("select r2_upload_id as id from segments where segment = 0")
        .toArray()
        .map(({ id }) => id),
    );
    await env.BUCKET.resumeMultipartUpload(`files/${upload.id}/00000`, uploadId).complete([
      { partNumber: 1, etag: receipt.etag },
    ]);
    await evict(upload);
    await upload.stub.storeReceipts([receipt]);
    await expect.poll(() => readableTo(upload)).toBe(8 * MIB);
  });

  it("whose join was interrupted is joined by the alarm [FOL-7]", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    const receipt = await sendPart(upload, 1);
    await runInDurableObject(upload.stub, (_, { storage }) => {
      storage.sql.exec("insert into parts values (1, ?)", receipt.etag);
      storage.sql.exec("update segments set phase = 'joining' where segment = 0");
    });
    await evict(upload);
    expect(await readableTo(upload)).toBe(0);
    await runInDurableObject(upload.stub, (_, { storage }) => storage.setAlarm(Date.now() + DAY_MS));
    expect(await runDurableObjectAlarm(upload.stub)).toBe(true);
    expect(await readableTo(upload)).toBe(8 * MIB);
  });

  it("that is stored ignores later receipts, and is the same at the end [FOL-8]", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    const [first] = await send(upload, 1);
    await expect.poll(() => readableTo(upload)).toBe(8 * MIB);
    using answer = await upload.stub.storeReceipts([{ part: 1, etag: "of another body" }], [1]);
    expect(answer).toMatchObject({ ok: true, uploads: [], closed: [first], received: [1] });
    expect(
      await upload.stub.complete(await Promise.all([2, 3, 4, 5, 6, 7, 8, 9].map((part) => sendPart(upload, part)))),
    ).toMatchObject({ ok: true });
    await expectReady(upload);
  });

  it("whose part gets another sum ends the upload, and leaves nothing [FOL-8]", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    const first = await sendPart(upload, 1);
    await upload.stub.storeReceipts([withSum(first, "0000000a")]);
    await expect.poll(() => readableTo(upload)).toBe(8 * MIB);
    using same = await upload.stub.storeReceipts([withSum(first, "0000000a")]);
    expect(same).toMatchObject({ ok: true });
    expect(await upload.stub.storeReceipts([withSum(first, "0000000b")])).toEqual({ ok: false, code: "FILE_CHANGED" });
    await expectEnded(upload, "failed");
  });

  it("with a part that storage lacks is sent again, and the others stay [FOL-7]", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    await send(upload, 1);
    await expect.poll(() => readableTo(upload)).toBe(8 * MIB);
    await sendPart(upload, 2);
    await upload.stub.storeReceipts([{ part: 2, etag: "0123456789abcdef0123456789abcdef" }]);
    await expect.poll(() => storedParts(upload)).toEqual([1]);
    expect(await readableTo(upload)).toBe(8 * MIB);
    await send(upload, 2);
    await expect.poll(() => readableTo(upload)).toBe(16 * MIB);
  });

  it("that storage has lost ends the upload [FOL-7]", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    const receipt = await sendPart(upload, 1);
    const uploads = await runInDurableObject(upload.stub, (_, { storage }) =>
      storage.sql.exec<{ id: string }>("select r2_upload_id as id from segments where segment = 0").toArray(),
    );
    await env.BUCKET.resumeMultipartUpload(`files/${upload.id}/00000`, uploads[0]?.id ?? "").abort();
    await upload.stub.storeReceipts([receipt]);
    await expect.poll(() => rowOf(upload)).toMatchObject({ status: "failed" });
    await expectEnded(upload, "failed");
  });
});

describe("an upload in segments that ends", () => {
  it("by its sender leaves neither objects nor multipart uploads", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    const receipts = await send(upload, 1, 2, 3);
    await expect.poll(() => storedKeys(upload)).toHaveLength(3);
    const unfinished = await sendPart(upload, 4);
    const ids = await runInDurableObject(upload.stub, (_, { storage }) =>
      storage.sql.exec<{ id: string }>("select r2_upload_id as id from segments where segment = 3").toArray(),
    );
    expect(receipts).toHaveLength(3);
    expect(await upload.stub.cancel()).toEqual({ ok: true });
    await expectEnded(upload, "cancelled");
    const left = env.BUCKET.resumeMultipartUpload(`files/${upload.id}/00003`, ids[0]?.id ?? "");
    await expect(left.complete([{ partNumber: 1, etag: unfinished.etag }])).rejects.toThrow("10024");
  });

  it("on its seventh day, even if parts still come [FOL-9]", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    await send(upload, 1);
    const record = await recordOf(upload);
    const startedAt = (record?.startedAt ?? 0) - 7 * DAY_MS + 1000;
    await changeRecord(upload, { startedAt });
    expect(await upload.stub.endIfAbandoned(upload.id)).toBeGreaterThan(Date.now());
    await changeRecord(upload, { startedAt: startedAt - 1000 });
    expect(await upload.stub.endIfAbandoned(upload.id)).toBeNull();
    await expectEnded(upload, "failed");
  });
});

describe("somebody who follows", () => {
  it("hears of the next segment as soon as it is stored, and waits no longer than asked [FOL-13]", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    const waiting = upload.stub.follow("reader", 0, 60_000);
    await send(upload, 1);
    using heard = await waiting;
    expect(heard).toMatchObject({ ok: true, isReady: false, storedTo: 8 * MIB });
    using later = await upload.stub.follow("reader", 8 * MIB, 10);
    expect(later).toMatchObject({ ok: true, isReady: false, storedTo: 8 * MIB });
  });

  it("hears of the end, whichever it is [FOL-13]", async () => {
    const completed = await startUpload(IN_SEGMENTS);
    const receipts = await sendAll(completed);
    const toEnd = completed.stub.follow("reader", IN_SEGMENTS, 60_000);
    await completed.stub.complete(receipts);
    using ready = await toEnd;
    expect(ready).toMatchObject({ ok: true, isReady: true, storedTo: IN_SEGMENTS });
    const cancelled = await startUpload(IN_SEGMENTS);
    const cut = cancelled.stub.follow("reader", 0, 60_000);
    await cancelled.stub.cancel();
    expect(await cut).toEqual({ ok: false, code: "UPLOAD_CLOSED" });
  });

  it("does not keep the object awake for a silent sender [FOL-13]", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    await changeRecord(upload, { lastReceiptAt: Date.now() - 60_000 });
    using answer = await upload.stub.follow("reader", 0, 3_600_000);
    expect(answer).toMatchObject({ ok: true, isReady: false, storedTo: 0 });
  });

  it("is one of two hundred [FOL-14]", async () => {
    const upload = await startUpload(IN_SEGMENTS);
    for (let reader = 1; reader <= 200; reader += 1) {
      using answer = await upload.stub.follow(`reader ${reader}`, 0, 0);
      expect(answer.ok).toBe(true);
    }
    expect(await upload.stub.follow("reader 201", 0, 0)).toEqual({ ok: false, code: "TOO_MANY_FOLLOWERS" });
    using again = await upload.stub.follow("reader 200", 0, 0);
    expect(again.ok).toBe(true);
    await upload.stub.unfollow("reader 7");
    using next = await upload.stub.follow("reader 201", 0, 0);
    expect(next.ok).toBe(true);
  });

  it("of a file that becomes one object is told that it cannot be followed", async () => {
    const upload = await startUpload(64 * MIB - 1);
    expect(await upload.stub.follow("reader", 0, 0)).toEqual({ ok: false, code: "UPLOAD_CLOSED" });
  });
});
