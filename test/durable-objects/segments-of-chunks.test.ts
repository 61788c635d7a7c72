// @module-tag long
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { DAY_MS, KIB, MIB } from "#domain/units.ts";
import type { UnfinishedUpload } from "#domain/wire.ts";
import { UploadStore } from "#durable-objects/upload/store.ts";
import { expectFile, finalize, flushedParts, init, put, stubOf } from "../support/chunked.ts";
import { checksumOf, create, newProgram, offsetOf, recordOf, send, startTus, tusOf } from "../support/tus.ts";
import type { Program } from "../support/v1.ts";
import { answerOf, patternBytes, rowOf, sha256Of, signUp, type Client } from "../support/worker.ts";

/** Nine parts, the last of 100 KiB: each one is a segment. */
const SIZE = 64 * MIB + 100 * KIB;
const PART = 8 * MIB;
const BYTES = patternBytes(SIZE);
const KEYS = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((segment) => `/0000${segment}`);

/** How far the file can be read from its start. */
async function readableTo(id: string): Promise<number> {
  using answer = await stubOf(id).follow("a test", 0, 0);
  return answer.ok ? answer.storedTo : expect.unreachable(answer.code);
}

function segmentsOf(id: string): Promise<[number, string][]> {
  return runInDurableObject(stubOf(id), (_, { storage }) =>
    storage.sql
      .exec<{ segment: number; phase: string }>("select segment, phase from segments order by segment")
      .toArray()
      .map(({ segment, phase }) => [segment, phase]),
  );
}

/** The keys of the file's objects, from its id on. */
async function keysOf(id: string): Promise<string[]> {
  const prefix = `files/${id}`;
  const { objects } = await env.BUCKET.list({ prefix });
  return objects.map(({ key }) => key.slice(prefix.length));
}

/** As if a segment of one part were still to be joined, and R2 had lost the part. */
async function losePart(id: string, part: number): Promise<void> {
  const segment = part - 1;
  const key = `files/${id}/0000${segment}`;
  await env.BUCKET.delete(key);
  const { uploadId } = await env.BUCKET.createMultipartUpload(key);
  await runInDurableObject(stubOf(id), (_, { storage }) => {
    storage.sql.exec("update segments set phase = 'joining', r2_upload_id = ? where segment = ?", uploadId, segment);
  });
  await evictDurableObject(stubOf(id));
}

/** Does the alarm's work. */
async function wake(id: string): Promise<void> {
  await runInDurableObject(stubOf(id), (_, { storage }) => storage.setAlarm(Date.now() + DAY_MS));
  expect(await runDurableObjectAlarm(stubOf(id))).toBe(true);
}

async function expectSum(id: string): Promise<void> {
  const sha256 = await sha256Of(BYTES);
  await expect.poll(() => rowOf("select sha256 from files where id = ?", id)).toEqual({ sha256 });
}

async function putChunks(owner: Client, id: string, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) {
    const response = await put(owner, id, index, BYTES.subarray(index * MIB, (index + 1) * MIB));
    expect(response.status).toBe(200);
  }
}

describe("a file from 64 MiB on in chunks", () => {
  it("is stored in segments as its parts arrive, through evictions and a kill, and is hashed across them [FOL-21]", async () => {
    const owner = await signUp();
    const { uploadId: id, downloadId } = await init(owner, SIZE);
    expect(await segmentsOf(id)).toEqual([]);
    await putChunks(owner, id, 8, 20);
    await expect.poll(() => segmentsOf(id)).toEqual([[1, "stored"]]);
    expect(await readableTo(id)).toBe(0);
    await evictDurableObject(stubOf(id));
    await putChunks(owner, id, 0, 8);
    await expect.poll(() => readableTo(id)).toBe(16 * MIB);
    await abortAllDurableObjects();
    await putChunks(owner, id, 20, 65);
    expect((await finalize(owner, id)).status).toBe(200);
    await expectFile(downloadId, BYTES);
    expect(await keysOf(id)).toEqual(KEYS);
    await expectSum(id);
  });

  it("goes on after R2 has lost a part, whose chunks alone are sent again [FOL-21]", async () => {
    const owner = await signUp();
    const file = { filename: "film.mp4", lastModified: 1_700_000_000_000, fingerprint: "a1".repeat(32) };
    const { uploadId: id, downloadId } = await init(owner, SIZE, file);
    await putChunks(owner, id, 0, 24);
    await expect.poll(() => readableTo(id)).toBe(24 * MIB);
    await losePart(id, 2);
    await wake(id);
    expect(await flushedParts(id)).toEqual([1, 3]);
    expect(await readableTo(id)).toBe(8 * MIB);
    const resumed = await init(owner, SIZE, file);
    expect(resumed).toMatchObject({ uploadId: id, nextChunk: 8, sums: [{ part: 1 }, { part: 3 }] });
    await putChunks(owner, id, 24, 65);
    expect(await answerOf(finalize(owner, id))).toMatchObject([
      422,
      { code: "UPLOAD_INCOMPLETE", missing: [8, 9, 10, 11, 12, 13, 14, 15] },
    ]);
    await putChunks(owner, id, 8, 16);
    expect((await finalize(owner, id)).status).toBe(200);
    await expectFile(downloadId, BYTES);
  });

  it("hears nothing of what a client reports about its parts [FOL-21]", async () => {
    const owner = await signUp();
    const { uploadId: id } = await init(owner, SIZE);
    await putChunks(owner, id, 0, 8);
    await expect.poll(() => readableTo(id)).toBe(8 * MIB);
    using answer = await stubOf(id).storeReceipts([{ part: 1, etag: "another", crc32: "00000000" }]);
    expect(answer).toMatchObject({ ok: false, code: "BAD_REQUEST" });
    expect(await rowOf("select status from files where id = ?", id)).toEqual({ status: "uploading" });
  });

  it("leaves nothing after its owner has cancelled it [FOL-21]", async () => {
    const owner = await signUp();
    const { uploadId: id, downloadId } = await init(owner, SIZE);
    await putChunks(owner, id, 0, 20);
    await expect.poll(() => readableTo(id)).toBe(16 * MIB);
    expect((await owner.post("/api/direct-upload/cancel", { downloadId })).status).toBe(200);
    await expect.poll(() => keysOf(id)).toEqual([]);
    const unfinished = await (await owner.fetch("/api/direct-upload/unfinished")).json<UnfinishedUpload[]>();
    expect(unfinished).toEqual([]);
  });
});

describe("a file from 64 MiB on by tus", () => {
  let program: Program;
  beforeAll(async () => {
    program = await newProgram();
  });

  it("is stored in segments as its parts arrive, through a kill, and is hashed across them [FOL-21]", async () => {
    const tus = await startTus(SIZE, program);
    expect(await segmentsOf(tus.id)).toEqual([]);
    expect((await send(tus, 0, BYTES.subarray(0, 20 * MIB + 5))).status).toBe(204);
    await expect.poll(() => readableTo(tus.id)).toBe(16 * MIB);
    await abortAllDurableObjects();
    expect(await offsetOf(tus)).toBe(20 * MIB + 5);
    expect((await send(tus, 20 * MIB + 5, BYTES.subarray(20 * MIB + 5))).status).toBe(204);
    await expectFile(tus.downloadId, BYTES);
    expect(await keysOf(tus.id)).toEqual(KEYS);
    await expectSum(tus.id);
  });

  it("gives no byte to be read before the checksum of its request is confirmed [FOL-21]", async () => {
    const tus = await startTus(SIZE, program);
    const other = patternBytes(2 * PART, 2);
    const refused = await send(tus, 0, other, await checksumOf(BYTES.slice(0, 2 * PART)));
    expect(refused.status).toBe(460);
    expect(await offsetOf(tus)).toBe(0);
    expect([await segmentsOf(tus.id), await keysOf(tus.id)]).toEqual([[], []]);
    const sent = await send(tus, 0, BYTES.subarray(0, 2 * PART), await checksumOf(BYTES.slice(0, 2 * PART)));
    expect(sent.status).toBe(204);
    await expect.poll(() => readableTo(tus.id)).toBe(2 * PART);
    expect((await send(tus, 2 * PART, BYTES.subarray(2 * PART))).status).toBe(204);
    await expectFile(tus.downloadId, BYTES);
  });

  it("ends after R2 has lost a part, because what was stored never changes [FOL-21]", async () => {
    const tus = await startTus(SIZE, program);
    await send(tus, 0, BYTES.subarray(0, 2 * PART));
    await expect.poll(() => readableTo(tus.id)).toBe(2 * PART);
    await losePart(tus.id, 2);
    await wake(tus.id);
    expect(await rowOf("select status from files where id = ?", tus.id)).toEqual({ status: "failed" });
    expect(await recordOf(tus)).toMatchObject({ phase: "failed", endCode: "OBJECT_MISMATCH" });
    expect(await keysOf(tus.id)).toEqual([]);
    expect((await send(tus, 2 * PART, BYTES.subarray(2 * PART))).status).toBe(410);
  });

  it("ends on its seventh day, and says so [FOL-9]", async () => {
    const tus = await startTus(SIZE, program);
    const startedAt = Date.UTC(2026, 0, 1);
    const answer = await runInDurableObject(stubOf(tus.id), async (session, { storage }) => {
      const store = new UploadStore(storage);
      const record = store.find() ?? expect.unreachable();
      store.save({ ...record, startedAt, lastReceiptAt: startedAt + 6.5 * DAY_MS });
      return session.takeOver();
    });
    expect(answer).toMatchObject({ ok: true, offset: 0, expiresAt: startedAt + 7 * DAY_MS });
  });

  it("becomes one object if its size was unknown at its start [FOL-21]", async () => {
    const tus = await tusOf(create(program, null));
    await send(tus, 0, BYTES.subarray(0, 9 * MIB));
    const rest = await send(tus, 9 * MIB, BYTES.subarray(9 * MIB), { "upload-length": String(SIZE) });
    expect(rest.status).toBe(204);
    expect(await keysOf(tus.id)).toEqual([""]);
    await expectFile(tus.downloadId, BYTES);
  });
});
