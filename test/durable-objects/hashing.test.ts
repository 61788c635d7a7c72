import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { KIB, MIB } from "#domain/units.ts";
import { ManifestStore } from "#durable-objects/shared/manifest-store.ts";
import { Chunks } from "#durable-objects/upload/chunks.ts";
import { UploadFinalizer } from "#durable-objects/upload/finalizer.ts";
import { nextAlarmTask } from "#durable-objects/upload/state.ts";
import { Segments } from "#durable-objects/shared/segments.ts";
import { UploadStore } from "#durable-objects/upload/store.ts";
import { openDatabase } from "#worker/db/client.ts";
import { objectKey } from "#worker/storage/keys.ts";
import { finalize, init, putAll, stubOf } from "../support/chunked.ts";
import { withMethod } from "../support/worker-with-env.ts";
import { patternBytes, rowOf, runSql, sha256Of, signUp } from "../support/worker.ts";
import { changeRecord, evict, IN_SEGMENTS, recordOf, sendAll, startUpload, wholeFile, type Upload } from "./support.ts";

const BITE = 64 * KIB;
const BYTES = patternBytes(5 * BITE + 100);

let upload: Upload;
beforeEach(async () => {
  const owner = await signUp();
  const started = await init(owner, BYTES.byteLength);
  const { uploadId: id, downloadId } = started;
  await putAll(owner, started, BYTES);
  expect((await finalize(owner, id)).status).toBe(200);
  upload = { owner, id, downloadId, sizeBytes: BYTES.byteLength, stub: stubOf(id) };
  await expect.poll(() => recordOf(upload)).toMatchObject({ phase: "ready", hashDue: false });
  // As if no alarm had run.
  await runSql("update files set sha256 = null, sha256_source = null where id = ?", id);
  await changeRecord(upload, { hashDue: true, attempts: 0 });
});

const checksum = async () =>
  (await rowOf<{ sha256: string | null }>("select sha256 from files where id = ?", upload.id)).sha256;

type Get = (key: string, options: R2GetOptions, store: UploadStore) => Promise<R2ObjectBody | null>;
const getStored: Get = (key, options) => env.BUCKET.get(key, options);

/** Does what an alarm does, with a small bite, in an object that was just loaded. @param get reads from storage */
async function bite(get: Get = getStored, hashBiteBytes = BITE): Promise<void> {
  await runInDurableObject(upload.stub, async (_, { storage }) => {
    const store = new UploadStore(storage);
    const bucket = withMethod(env.BUCKET, "get", (key: string, options: R2GetOptions) => get(key, options, store));
    const finalizer = new UploadFinalizer({
      bucket,
      db: openDatabase(env.DB),
      store,
      manifest: new ManifestStore(storage, openDatabase(env.DB)),
      chunks: new Chunks({ storage, bucket, store, open: () => Promise.resolve(null), onSent: () => undefined }),
      segments: new Segments({
        bucket,
        store: store.segments,
        fileOf: () => null,
        completedParts: () => [],
        onJoined: () => undefined,
        forget: () => true,
      }),
      webhooks: env.WEBHOOKS,
      checks: env.CHECKS,
      isScanned: false,
      refusedKinds: [],
      save: (record) => store.save(record),
      waitUntil: () => undefined,
      hashBiteBytes,
    });
    await finalizer.hash(store.find() ?? expect.unreachable());
  });
  await evict(upload);
}

/** How many bytes are hashed, as stored. */
const position = async () => (await recordOf(upload))?.hashed?.bytes ?? 0;

describe("the hash of a large file that came in chunks", () => {
  it("goes on after each bite in an object that has been evicted [OPS-3]", async () => {
    const positions: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      await bite();
      positions.push(await position());
      expect(await checksum()).toBeNull();
      const record = await recordOf(upload);
      expect(record && nextAlarmTask(record, 1000)).toEqual({ task: "hash", at: 1000 });
    }
    expect(positions).toEqual([BITE, 2 * BITE, 3 * BITE, 4 * BITE, 5 * BITE]);
    await bite();
    expect(await checksum()).toBe(await sha256Of(BYTES));
    expect(await recordOf(upload)).toMatchObject({ hashDue: false, attempts: 0 });
    expect(await recordOf(upload)).not.toHaveProperty("hashed");
  });

  it("reads each bite alone, and repeats one that broke off", async () => {
    const ranges: unknown[] = [];
    const counting: Get = (key, options) => {
      ranges.push(options.range);
      return env.BUCKET.get(key, options);
    };
    const breaking: Get = (key) => env.BUCKET.get(key, { range: { offset: BITE, length: BITE / 2 } });
    await bite(counting);
    await bite(breaking);
    expect(await recordOf(upload)).toMatchObject({ hashDue: true, attempts: 1, hashed: { bytes: BITE } });
    while (await checksum().then((sha256) => sha256 === null)) await bite(counting);
    expect(ranges).toEqual([
      ...[0, 1, 2, 3, 4].map((n) => ({ offset: n * BITE, length: BITE })),
      { offset: 5 * BITE, length: 100 },
    ]);
    expect(await checksum()).toBe(await sha256Of(BYTES));
  });

  it("goes on from one segment to the next, in bites and at once [FOL-21]", async () => {
    upload = await startUpload(IN_SEGMENTS);
    expect(await upload.stub.complete(await sendAll(upload))).toMatchObject({ ok: true });
    await changeRecord(upload, { hashDue: true });
    const read: unknown[] = [];
    const counting: Get = (key, options) => {
      read.push([key.slice(-6), options.range]);
      return env.BUCKET.get(key, options);
    };
    await bite(counting, 12 * MIB);
    expect(await position()).toBe(12 * MIB);
    await bite(counting, 12 * MIB);
    expect(read).toEqual([
      ["/00000", { offset: 0, length: 8 * MIB }],
      ["/00001", { offset: 0, length: 4 * MIB }],
      ["/00001", { offset: 4 * MIB, length: 4 * MIB }],
      ["/00002", { offset: 0, length: 8 * MIB }],
    ]);
    await bite(getStored, 64 * MIB);
    const sha256 = await sha256Of(wholeFile(upload));
    expect(await checksum()).toBe(sha256);
    await runSql("update files set sha256 = null where id = ?", upload.id);
    await changeRecord(upload, { hashDue: true });
    await bite(getStored, 128 * MIB);
    expect(await checksum()).toBe(sha256);
  });

  it("ends when the file was deleted meanwhile", async () => {
    await bite();
    await env.BUCKET.delete(objectKey(upload.id));
    await bite();
    expect(await recordOf(upload)).toMatchObject({ hashDue: false });
    expect(await checksum()).toBeNull();
    await changeRecord(upload, { hashDue: true, hashed: undefined });
    await bite(getStored, BYTES.byteLength);
    expect(await recordOf(upload)).toMatchObject({ hashDue: false, attempts: 0 });
    expect(await checksum()).toBeNull();
  });

  it("is not set back by a run that is late", async () => {
    await bite(async (key, options, store) => {
      const record = store.find() ?? expect.unreachable();
      store.save({ ...record, hashed: { bytes: 3 * BITE, words: new Int32Array(8) } });
      return env.BUCKET.get(key, options);
    });
    expect(await position()).toBe(3 * BITE);
  });
});
