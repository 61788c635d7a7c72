// @module-tag long
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MIB } from "#domain/units.ts";
import { incomingKey } from "#worker/storage/keys.ts";
import {
  evict,
  expectEnded,
  expectReady,
  IN_ONE_PUT,
  IN_PARTS,
  monthOf,
  recordOf,
  sendAll,
  sendPart,
  startUpload,
  storedKeys,
  storedParts,
  storeUpload,
} from "./support.ts";

function partNumbersTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

describe("receipts", () => {
  it("receipts are accepted in any order and more than once", async () => {
    const upload = await startUpload(IN_PARTS);
    const [first, second, third] = await sendAll(upload);
    if (!first || !second || !third) return expect.unreachable();
    expect(await upload.stub.storeReceipts([third])).toMatchObject({ received: [3] });
    expect(await upload.stub.storeReceipts([first, third, first])).toMatchObject({ received: [1, 3] });
    expect(await upload.stub.storeReceipts([second, first])).toMatchObject({ received: [1, 2, 3] });
    expect(await upload.stub.complete([third, second])).toMatchObject({ ok: true });
    await expectReady(upload);
  });

  it("the receipt of a part that was sent again replaces the earlier one", async () => {
    const upload = await startUpload(IN_PARTS);
    const spoiled = await sendPart(upload, 2, new Uint8Array(8 * MIB).fill(9));
    await upload.stub.storeReceipts([spoiled]);
    const receipts = await sendAll(upload);
    expect(receipts[1]?.etag).not.toBe(spoiled.etag);
    expect(await upload.stub.complete(receipts)).toMatchObject({ ok: true });
    await expectReady(upload);
  });

  it("a receipt may hold a quoted or weak ETag", async () => {
    const upload = await startUpload(IN_PARTS);
    const receipts = await sendAll(upload);
    const quoted = receipts.map(({ part, etag }) => ({ part, etag: part === 1 ? `W/"${etag}"` : `"${etag}"` }));
    expect(await upload.stub.complete(quoted)).toMatchObject({ ok: true });
    await expectReady(upload);
  });

  it("the Durable Object ignores receipts outside the file", async () => {
    const upload = await startUpload(IN_PARTS);
    const receipts = await sendAll(upload);
    const outside = { part: 4, etag: receipts[0]?.etag ?? "" };
    expect(await upload.stub.storeReceipts([outside])).toMatchObject({ received: [] });
    expect(await upload.stub.complete([...receipts, outside])).toMatchObject({ ok: true });
    await expectReady(upload);
  });

  it("sign-parts rejects receipts outside the file", async () => {
    const upload = await startUpload(IN_PARTS);
    const receipts = [{ part: 4, etag: "abc" }];
    const response = await upload.owner.post("/api/direct-upload/sign-parts", {
      downloadId: upload.downloadId,
      parts: [1],
      receipts,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringMatching(/part 4/) as string,
    });
    expect(await storedParts(upload)).toEqual([]);
  });

  it("a receipt postpones the abandonment, even after an eviction", async () => {
    const upload = await startUpload(IN_PARTS);
    const before = Date.now();
    await upload.stub.storeReceipts([await sendPart(upload, 1)]);
    await evict(upload);
    const record = await recordOf(upload);
    expect(record).toMatchObject({ phase: "uploading" });
    expect(record?.lastReceiptAt).toBeGreaterThanOrEqual(before);
    expect(await upload.stub.status()).toEqual({ progress: 49, transport: "parts" });
  });

  it("receipts change nothing after the end of the upload", async () => {
    const upload = await startUpload(IN_PARTS);
    const receipt = await sendPart(upload, 1);
    await upload.stub.cancel();
    const ended = await recordOf(upload);
    expect(await upload.stub.storeReceipts([receipt])).toEqual({ ok: false, code: "UPLOAD_CLOSED" });
    expect(await upload.stub.complete([receipt])).toEqual({ ok: false, code: "UPLOAD_CLOSED" });
    expect(await recordOf(upload)).toEqual(ended);
    expect(await storedParts(upload)).toEqual([]);
  });
});

describe("completing too early", () => {
  it("a completion that lacks parts lists them, and works once they have arrived", async () => {
    const upload = await startUpload(IN_PARTS);
    const second = await sendPart(upload, 2);
    const early = await upload.owner.complete(upload.downloadId, [second]);
    expect(early.status).toBe(422);
    expect(await early.json()).toMatchObject({ code: "UPLOAD_INCOMPLETE", missing: [1, 3] });
    expect(await recordOf(upload)).toMatchObject({ phase: "uploading" });

    const rest = [await sendPart(upload, 3), await sendPart(upload, 1)];
    expect((await upload.owner.complete(upload.downloadId, rest)).status).toBe(200);
    await expectReady(upload);
  });

  it("a rejected completion lists at most a hundred missing parts", async () => {
    const upload = await startUpload(400 * MIB, { expiration: "1d" });
    const lackingFifty = await upload.stub.complete([]);
    expect(lackingFifty).toMatchObject({ ok: false, missing: partNumbersTo(50) });

    const record = await recordOf(upload);
    if (!record) return expect.unreachable();
    const lifetime = { ...record.plan.lifetime, sizeBytes: 900 * MIB };
    const stub = env.UPLOADS.get(env.UPLOADS.idFromName(crypto.randomUUID()));
    await stub.start({ ...record.plan, lifetime });
    const lackingMore = await stub.complete([]);
    expect(lackingMore).toMatchObject({ ok: false, missing: partNumbersTo(100) });
  });

  it("completing a single PUT without bytes is 422, and works once they have arrived", async () => {
    const upload = await startUpload(IN_ONE_PUT);
    const early = await upload.owner.complete(upload.downloadId);
    expect(early.status).toBe(422);
    expect(await early.json()).toMatchObject({ code: "UPLOAD_INCOMPLETE" });
    expect(await monthOf(upload)).toEqual({ bytes: IN_ONE_PUT, transfers: 1 });

    await sendAll(upload);
    expect((await upload.owner.complete(upload.downloadId)).status).toBe(200);
    await expectReady(upload);
  });
});

describe("stored bytes that differ from the announced file", () => {
  it("a part with another ETag is 422, and the parts can be sent again", async () => {
    const upload = await startUpload(IN_PARTS);
    const receipts = await sendAll(upload);
    const wrong = receipts.map((receipt) => (receipt.part === 2 ? { ...receipt, etag: "0".repeat(32) } : receipt));
    const rejected = await upload.owner.complete(upload.downloadId, wrong);
    expect(rejected.status).toBe(422);
    expect(await rejected.json()).toMatchObject({ code: "UPLOAD_INCOMPLETE", missing: [1, 2, 3] });
    expect(await storedParts(upload)).toEqual([]);
    expect(await recordOf(upload)).toMatchObject({ phase: "uploading" });

    const again = await sendAll(upload);
    expect((await upload.owner.complete(upload.downloadId, again)).status).toBe(200);
    await expectReady(upload);
  });

  it("a single PUT of another size is 422, and storage and quota are freed", async () => {
    const upload = await startUpload(IN_ONE_PUT);
    await env.BUCKET.put(incomingKey(upload.id), new Uint8Array(IN_ONE_PUT - 1));
    const response = await upload.owner.complete(upload.downloadId);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "OBJECT_MISMATCH" });
    await expectEnded(upload, "failed");
  });

  it.each([
    { what: "the last part is longer", sizes: [8 * MIB, 8 * MIB, 2] },
    { what: "all parts are smaller", sizes: [6 * MIB, 6 * MIB, 1] },
    { what: "parts differ from each other", sizes: [8 * MIB, 6 * MIB, 1] },
    { what: "a part is smaller than the store's minimum", sizes: [8 * MIB, MIB, 1] },
  ])("parts of other sizes are 422, and storage and quota are freed: $what", async ({ sizes }) => {
    const upload = await startUpload(IN_PARTS);
    const receipts = await Promise.all(sizes.map((size, index) => sendPart(upload, index + 1, new Uint8Array(size))));
    const response = await upload.owner.complete(upload.downloadId, receipts);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "OBJECT_MISMATCH" });
    await expectEnded(upload, "failed");
  });
});

describe("an upload that the store has aborted", () => {
  it("completing an upload that the store has aborted is 422, and storage and quota are freed", async () => {
    const upload = await startUpload(IN_PARTS);
    const receipts = await sendAll(upload);
    await (await storeUpload(upload)).abort();
    const response = await upload.owner.complete(upload.downloadId, receipts);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "OBJECT_MISMATCH" });
    await expectEnded(upload, "failed");
    expect(await storedKeys(upload)).toEqual([]);
  });
});
