import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "#domain/units.ts";
import type { Receipt } from "#domain/wire.ts";
import { openDatabase } from "#worker/db/client.ts";
import { markFileReady } from "#worker/db/uploads.ts";
import { incomingKey, objectKey } from "#worker/storage/keys.ts";
import {
  changeRecord,
  evict,
  expectReady,
  IN_PARTS,
  partBytes,
  recordOf,
  ROADS,
  rowOf,
  sendAll,
  sendPart,
  sha256,
  startUpload,
  storedParts,
  storeUpload,
  type Upload,
} from "./support.ts";

/** Everything a finished upload answers and leaves behind, but for its ids and the moment. */
async function finished(upload: Upload, answers: unknown[]): Promise<void> {
  const { expiresAt, sha256: hash } = await rowOf(upload);
  for (const answer of answers) expect(answer).toEqual({ ok: true, expiresAt });
  expect(hash).toBe(upload.sizeBytes === IN_PARTS ? null : await sha256(partBytes(upload, 1)));
  await expectReady(upload);
}

describe.each(ROADS)("an upload $road", ({ sizeBytes }) => {
  const steps = ["the start", "the first receipt", "the second receipt", "complete", "a second complete"];
  const evictions = [
    { when: "never", after: [] },
    ...steps.map((step) => ({ when: `after ${step}`, after: [step] })),
    { when: "after each step", after: steps },
  ];

  it.each(evictions)("ends the same when it leaves memory $when", async ({ after }) => {
    const upload = await startUpload(sizeBytes);
    const done = async (step: string) => {
      if (after.includes(step)) await evict(upload);
    };
    await done("the start");
    const receipts = await sendAll(upload);
    await upload.stub.prepareSigning(receipts.slice(0, 1));
    await done("the first receipt");
    await upload.stub.prepareSigning(receipts.slice(1, 2));
    await done("the second receipt");
    const answer = await upload.stub.complete(receipts.slice(2));
    await done("complete");
    const again = await upload.stub.complete(receipts);
    await done("a second complete");
    await finished(upload, [answer, again, await upload.stub.complete([])]);
  });

  const crashes = [
    { point: "before storage was asked", stored: false, marked: false },
    { point: "when storage has the object, and nobody has noted it", stored: true, marked: false },
    { point: "when the file is ready, and only the upload has not noted it", stored: true, marked: true },
  ];

  describe.each(crashes)("that crashed in completing, $point", (crash) => {
    it("is finished by a complete that is sent again", async () => {
      const upload = await crashedUpload(sizeBytes, crash);
      await finished(upload, [await upload.stub.complete([])]);
    });

    it("is finished by its alarm", async () => {
      const upload = await crashedUpload(sizeBytes, crash);
      expect(await runDurableObjectAlarm(upload.stub)).toBe(true);
      await finished(upload, [await upload.stub.complete([])]);
    });

    it("is finished once when a complete and the alarm come at the same time", async () => {
      const upload = await crashedUpload(sizeBytes, crash);
      const [first, , , second] = await Promise.all([
        upload.stub.complete([]),
        runDurableObjectAlarm(upload.stub),
        upload.stub.endIfAbandoned(upload.id),
        upload.stub.complete([]),
      ]);
      await finished(upload, [first, second]);
    });
  });

  it("gives twenty completes at once the same answer, and becomes one file", async () => {
    const upload = await startUpload(sizeBytes);
    const receipts = await sendAll(upload);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => upload.owner.complete(upload.downloadId, receipts)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const answers = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(answers).size).toBe(1);
    await finished(upload, []);
  });
});

/** An upload whose object was in the middle of completing when it went away, and whose alarm is due. */
async function crashedUpload(sizeBytes: number, crash: { stored: boolean; marked: boolean }): Promise<Upload> {
  const upload = await startUpload(sizeBytes);
  const receipts = await sendAll(upload);
  await upload.stub.prepareSigning(receipts);
  if (crash.stored) {
    const { etag } = sizeBytes === IN_PARTS ? await joinParts(upload, receipts) : await copyOver(upload);
    if (crash.marked) {
      const checksum =
        sizeBytes === IN_PARTS ? null : { sha256: await sha256(partBytes(upload, 1)), source: "server" as const };
      const uploadedAt = Date.now() - 1234;
      const object = { etag, checksum, uploadedAt, expiresAt: uploadedAt + DAY_MS };
      await markFileReady(openDatabase(env.DB), upload.id, object);
    }
  }
  await changeRecord(upload, { phase: "completing" });
  return upload;
}

async function joinParts(upload: Upload, receipts: Receipt[]): Promise<R2Object> {
  return (await storeUpload(upload)).complete(receipts.map(({ part, etag }) => ({ partNumber: part, etag })));
}

async function copyOver(upload: Upload): Promise<R2Object> {
  const object = await env.BUCKET.put(objectKey(upload.id), partBytes(upload, 1));
  return object ?? expect.unreachable();
}

describe("starting", () => {
  it("answers a start that is sent again as it did the first, and keeps the receipts", async () => {
    const upload = await startUpload(IN_PARTS);
    const record = await recordOf(upload);
    if (!record) return expect.unreachable();
    await upload.stub.prepareSigning([await sendPart(upload, 3)]);
    await evict(upload);
    expect(await upload.stub.start(record.plan)).toEqual({ ok: true, r2UploadId: record.r2UploadId });
    expect(await storedParts(upload)).toEqual([3]);
    expect(await recordOf(upload)).toMatchObject({ phase: "uploading" });
  });

  it("opens one upload in the store for two starts at once", async () => {
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

describe("an address that is used again after the upload has finished", () => {
  it("changes nothing for whoever downloads the file", async () => {
    const upload = await startUpload(1000);
    await sendAll(upload);
    await upload.owner.complete(upload.downloadId);
    await expectReady(upload);
    await env.BUCKET.put(incomingKey(upload.id), new Uint8Array(1000).fill(9));
    const answers = [await upload.stub.complete([]), await upload.stub.complete([])];
    await runDurableObjectAlarm(upload.stub);
    await evict(upload);
    await env.BUCKET.delete(incomingKey(upload.id));
    await finished(upload, answers);
  });

  it("changes nothing when it is used between the copy and its noting", async () => {
    const upload = await crashedUpload(1000, { stored: true, marked: false });
    await env.BUCKET.put(incomingKey(upload.id), new Uint8Array(1000).fill(9));
    await finished(upload, [await upload.stub.complete([])]);
  });
});
