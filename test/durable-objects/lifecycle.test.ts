// @module-tag long
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "#domain/units.ts";
import type { CompletedPart } from "#domain/wire.ts";
import { openDatabase } from "#worker/db/client.ts";
import { markReady } from "#worker/db/uploads.ts";
import { incomingKey, objectKey } from "#worker/storage/keys.ts";
import {
  changeRecord,
  evict,
  expectReady,
  IN_ONE_PUT,
  IN_PARTS,
  partBytes,
  recordOf,
  TRANSPORTS,
  rowOf,
  sendAll,
  sendPart,
  sha256,
  startUpload,
  storedParts,
  storeUpload,
  type Upload,
} from "./support.ts";

async function expectFinished(upload: Upload, answers: unknown[]): Promise<void> {
  const { expiresAt, sha256: hash } = await rowOf(upload);
  for (const answer of answers) expect(answer).toEqual({ ok: true, expiresAt });
  expect(hash).toBe(upload.sizeBytes === IN_ONE_PUT ? await sha256(partBytes(upload, 1)) : null);
  await expectReady(upload);
}

describe.each(TRANSPORTS)("an upload $transport", ({ sizeBytes }) => {
  const steps = ["the start", "the first receipt", "the second receipt", "complete", "a second complete"];
  const evictions = [
    { when: "never", after: [] },
    ...steps.map((step) => ({ when: `after ${step}`, after: [step] })),
    { when: "after each step", after: steps },
  ];

  it.each(evictions)("has the same outcome when evicted $when", async ({ after }) => {
    const upload = await startUpload(sizeBytes);
    const maybeEvict = async (step: string) => {
      if (after.includes(step)) await evict(upload);
    };
    await maybeEvict("the start");
    const receipts = await sendAll(upload);
    await upload.stub.storeReceipts(receipts.slice(0, 1));
    await maybeEvict("the first receipt");
    await upload.stub.storeReceipts(receipts.slice(1, 2));
    await maybeEvict("the second receipt");
    const answer = await upload.stub.complete(receipts.slice(2));
    await maybeEvict("complete");
    const again = await upload.stub.complete(receipts);
    await maybeEvict("a second complete");
    await expectFinished(upload, [answer, again, await upload.stub.complete([])]);
  });

  const crashes = [
    { point: "before the object was assembled", stored: false, marked: false },
    { point: "after R2 stored the object but before D1 recorded it", stored: true, marked: false },
    { point: "after D1 recorded the file but before the session did", stored: true, marked: true },
  ];

  describe.each(crashes)("that crashed during completion, $point", (crash) => {
    it("is finished by a repeated complete", async () => {
      const upload = await crashedUpload(sizeBytes, crash);
      await expectFinished(upload, [await upload.stub.complete([])]);
    });

    it("is finished by the alarm", async () => {
      const upload = await crashedUpload(sizeBytes, crash);
      expect(await runDurableObjectAlarm(upload.stub)).toBe(true);
      await expectFinished(upload, [await upload.stub.complete([])]);
    });

    it("is finished once when complete and the alarm run in parallel", async () => {
      const upload = await crashedUpload(sizeBytes, crash);
      const [first, , , second] = await Promise.all([
        upload.stub.complete([]),
        runDurableObjectAlarm(upload.stub),
        upload.stub.endIfAbandoned(upload.id),
        upload.stub.complete([]),
      ]);
      await expectFinished(upload, [first, second]);
    });
  });

  it("answers twenty parallel completes alike and becomes one file", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => upload.owner.complete(upload.downloadId, receipts)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const answers = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(answers).size).toBe(1);
    await expectFinished(upload, []);
  });
});

/** An upload that crashed during completion, with a due alarm. */
async function crashedUpload(sizeBytes: number, crash: { stored: boolean; marked: boolean }): Promise<Upload> {
  const upload = await startUpload(sizeBytes);
  const receipts = await sendAll(upload);
  await upload.stub.storeReceipts(receipts);
  if (crash.stored) {
    const store = sizeBytes === IN_ONE_PUT ? copyToFileKey : sizeBytes === IN_PARTS ? joinParts : joinSegments;
    const { etag } = await store(upload, receipts);
    if (crash.marked) {
      const checksum =
        sizeBytes === IN_ONE_PUT ? { sha256: await sha256(partBytes(upload, 1)), source: "server" as const } : null;
      const uploadedAt = Date.now() - 1234;
      const object = { etag, sizeBytes: null, checksum, risk: [], uploadedAt, expiresAt: uploadedAt + DAY_MS };
      await markReady(openDatabase(env.DB), upload.id, object);
    }
  }
  await changeRecord(upload, { phase: "completing" });
  return upload;
}

async function joinParts(upload: Upload, receipts: CompletedPart[]): Promise<R2Object> {
  return (await storeUpload(upload)).complete(receipts.map(({ part, etag }) => ({ partNumber: part, etag })));
}

async function joinSegments(upload: Upload, receipts: CompletedPart[]): Promise<{ etag: string }> {
  const uploads = await runInDurableObject(upload.stub, (_, { storage }) =>
    storage.sql.exec<{ id: string }>("select r2_upload_id as id from segments order by segment").toArray(),
  );
  for (const [segment, { id }] of uploads.entries()) {
    const key = `files/${upload.id}/0000${segment}`;
    const etag = receipts[segment]?.etag ?? "";
    const store = env.BUCKET.resumeMultipartUpload(key, id);
    // The session may have joined it already.
    await store.complete([{ partNumber: 1, etag }]).catch(() => undefined);
  }
  return { etag: (await recordOf(upload))?.plan.etag ?? "" };
}

async function copyToFileKey(upload: Upload): Promise<R2Object> {
  const object = await env.BUCKET.put(objectKey(upload.id), partBytes(upload, 1));
  return object ?? expect.unreachable();
}

describe("starting", () => {
  it("answers a repeated start like the first and keeps the receipts", async () => {
    const upload = await startUpload(IN_PARTS);
    const record = await recordOf(upload);
    if (!record) return expect.unreachable();
    await upload.stub.storeReceipts([await sendPart(upload, 3)]);
    await evict(upload);
    const { r2UploadId } = record;
    const uploads = [{ key: `files/${upload.id}`, r2UploadId, firstPart: 1, partCount: 3 }];
    expect(await upload.stub.start(record.plan)).toEqual({ ok: true, uploads });
    expect(await storedParts(upload)).toEqual([3]);
    expect(await recordOf(upload)).toMatchObject({ phase: "uploading" });
  });

  it("opens one multipart upload for two parallel starts", async () => {
    const known = await recordOf(await startUpload(IN_PARTS));
    if (!known) return expect.unreachable();
    const stub = env.UPLOADS.get(env.UPLOADS.idFromName(crypto.randomUUID()));
    const [first, second] = await runInDurableObject(stub, (instance) =>
      Promise.all([instance.start(known.plan), instance.start(known.plan)]),
    );
    expect(first).toMatchObject({ ok: true });
    expect(second).toEqual(first);
  });
});

describe("a presigned URL that is used again after the upload has finished", () => {
  it("does not change the file", async () => {
    const upload = await startUpload(1000);
    await sendAll(upload);
    await upload.owner.complete(upload.downloadId);
    await expectReady(upload);
    await env.BUCKET.put(incomingKey(upload.id), new Uint8Array(1000).fill(9));
    const answers = [await upload.stub.complete([]), await upload.stub.complete([])];
    await runDurableObjectAlarm(upload.stub);
    await evict(upload);
    await env.BUCKET.delete(incomingKey(upload.id));
    await expectFinished(upload, answers);
  });

  it("does not change the file when used between the copy and its record in D1", async () => {
    const upload = await crashedUpload(1000, { stored: true, marked: false });
    await env.BUCKET.put(incomingKey(upload.id), new Uint8Array(1000).fill(9));
    await expectFinished(upload, [await upload.stub.complete([])]);
  });
});
