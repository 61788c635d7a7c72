import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { KIB, MIB } from "#domain/units.ts";
import type { FinalizeChunkedAnswer, UnfinishedUpload } from "#domain/wire.ts";
import { CHUNK, chunksOf, expectFile, finalize, flushedParts, init, put, putAll, stubOf } from "../support/chunked.ts";
import { crc32Hex } from "../support/transfers.ts";
import { monthlyUsage, patternBytes, putOnPlan, rowOf, sha256Of, signUp } from "../support/worker.ts";

describe("a chunked upload", () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7])(
    "of %i bytes becomes the same file [API-56, API-58, ENT-22, HOLD-1]",
    async (size) => {
      const person = await signUp();
      const bytes = patternBytes(size);
      const upload = await init(person, size);
      expect(upload).toEqual({
        uploadId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
        chunkSize: CHUNK,
        nextChunk: 0,
        downloadId: expect.stringMatching(/^[\w-]{22}$/) as string,
        shareUrl: `${env.APP_ORIGIN}/download/${upload.downloadId}`,
      });
      await putAll(person, upload, bytes);
      const response = await finalize(person, upload.uploadId);
      expect([response.status, await response.json()]).toEqual([
        200,
        { downloadId: upload.downloadId, shareUrl: upload.shareUrl, expiresAt: expect.any(String) as string },
      ]);
      await expectFile(upload.downloadId, bytes);
      expect(await monthlyUsage(person.email)).toEqual({ bytes: size, transfers: 1 });
    },
  );

  it("above 16 MiB has chunks of 1 MiB, and its parts are stored before the end [CHK-18]", async () => {
    const person = await signUp();
    const bytes = patternBytes(16 * MIB + 5);
    const upload = await init(person, bytes.byteLength);
    expect(upload.chunkSize).toBe(MIB);
    await putAll(person, upload, bytes);
    expect(await flushedParts(upload.uploadId)).toEqual([1, 2, 3]);
    const again = await put(person, upload.uploadId, 3, bytes.subarray(3 * MIB, 4 * MIB));
    expect([again.status, await again.json()]).toEqual([200, { receivedChunks: 17 }]);
    const other = await put(person, upload.uploadId, 3, patternBytes(MIB, 2));
    expect([other.status, await other.json()]).toMatchObject([409, { code: "CHUNK_CONFLICT" }]);
    expect((await finalize(person, upload.uploadId)).status).toBe(200);
    await expectFile(upload.downloadId, bytes);
  });

  it("accepts its chunks in any order and in parallel", async () => {
    const person = await signUp();
    const bytes = patternBytes(5 * CHUNK + 1);
    const inOrder = await init(person, bytes.byteLength);
    await putAll(person, inOrder, bytes, [5, 2, 0, 4, 1, 3]);
    expect((await finalize(person, inOrder.uploadId)).status).toBe(200);
    await expectFile(inOrder.downloadId, bytes);

    const atOnce = await init(person, bytes.byteLength);
    const answers = await Promise.all(
      chunksOf(bytes, CHUNK).map((chunk, index) => put(person, atOnce.uploadId, index, chunk)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await finalize(person, atOnce.uploadId)).status).toBe(200);
    await expectFile(atOnce.downloadId, bytes);
  });

  it("that is finalized repeatedly and in parallel is one file and counts once", async () => {
    const person = await signUp();
    const bytes = patternBytes(CHUNK + 1);
    const upload = await init(person, bytes.byteLength);
    await putAll(person, upload, bytes);
    const responses = await Promise.all([1, 2, 3].map(() => finalize(person, upload.uploadId)));
    responses.push(await finalize(person, upload.uploadId));
    const answers = await Promise.all(responses.map((response) => response.json<FinalizeChunkedAnswer>()));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: bytes.byteLength, transfers: 1 });
    expect(await (await person.fetch("/api/files")).json()).toHaveLength(1);
    expect((await put(person, upload.uploadId, 0, bytes.subarray(0, CHUNK))).status).toBe(409);
    await expectFile(upload.downloadId, bytes);
  });

  it("that never expires has no expiresAt [API-58, CHK-9]", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    const upload = await init(person, 3, { expiration: "never" });
    await putAll(person, upload, patternBytes(3));
    expect(await (await finalize(person, upload.uploadId)).json()).not.toHaveProperty("expiresAt");
    expect(
      (await rowOf<{ at: null }>("select expires_at as at from files where id = ?", upload.uploadId)).at,
    ).toBeNull();
  });

  it("without a type is application/octet-stream [ENT-22]", async () => {
    const person = await signUp();
    const upload = await init(person, 3, { filename: "a file", fileType: undefined });
    await putAll(person, upload, patternBytes(3));
    expect((await finalize(person, upload.uploadId)).status).toBe(200);
    const info = await person.fetch(`/api/files/download/${upload.downloadId}`);
    expect(await info.json()).toMatchObject({ mimeType: "application/octet-stream" });
  });

  it("takes sizes as text alone [ENT-22]", async () => {
    const person = await signUp();
    const described = { filename: "a.txt", fileType: "text/plain", expiration: "1d" };
    for (const [field, sizes] of [
      ["totalSize", { totalSize: 5, totalChunks: "1" }],
      ["totalChunks", { totalSize: "5", totalChunks: 1 }],
    ] as const) {
      const response = await person.post("/api/chunked-upload/init", { ...described, ...sizes });
      expect([response.status, await response.json()]).toMatchObject([400, { field }]);
    }
    expect((await init(person, 5, { totalSize: "5", totalChunks: "1" })).chunkSize).toBe(262_144);
  });

  it("uses the maximum chunk size that the client requests", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "professional");
    const sizes = [
      { totalSize: 16 * MIB, maxChunkSize: undefined, chunkSize: CHUNK },
      { totalSize: 17 * MIB, maxChunkSize: 256 * KIB, chunkSize: CHUNK },
      { totalSize: 17 * MIB, maxChunkSize: MIB - 1, chunkSize: 512 * KIB },
      { totalSize: 17 * MIB, maxChunkSize: 64 * KIB, chunkSize: 64 * KIB },
      { totalSize: 5, maxChunkSize: 64 * KIB, chunkSize: 64 * KIB },
      { totalSize: 5, maxChunkSize: 1, chunkSize: 64 * KIB },
      { totalSize: 257 * MIB, maxChunkSize: undefined, chunkSize: 8 * MIB },
      { totalSize: 257 * MIB, maxChunkSize: 8 * MIB - 1, chunkSize: 4 * MIB },
    ];
    for (const { totalSize, maxChunkSize, chunkSize } of sizes) {
      expect(await init(person, totalSize, { maxChunkSize })).toMatchObject({ chunkSize });
    }
  });

  it("is complete with the smallest chunk size", { tags: "long" }, async () => {
    const person = await signUp();
    const bytes = patternBytes(8 * MIB + 64 * KIB + 1);
    const upload = await init(person, bytes.byteLength, { maxChunkSize: 64 * KIB });
    expect(upload.chunkSize).toBe(64 * KIB);
    await putAll(person, upload, bytes);
    expect(await flushedParts(upload.uploadId)).toEqual([1, 2]);
    expect((await finalize(person, upload.uploadId)).status).toBe(200);
    await expectFile(upload.downloadId, bytes);
  });
});

describe("an acknowledged chunk", () => {
  it("survives evictions and a crash before the end [API-57]", { tags: "long" }, async () => {
    const person = await signUp();
    const bytes = patternBytes(8 * MIB + 2 * MIB + 3);
    const upload = await init(person, bytes.byteLength);
    for (const [index, chunk] of chunksOf(bytes, CHUNK).entries()) {
      const response = await put(person, upload.uploadId, index, chunk);
      expect([response.status, await response.json()]).toEqual([200, { receivedChunks: index + 1 }]);
      await evictDurableObject(stubOf(upload.uploadId));
    }
    await abortAllDurableObjects();
    expect((await finalize(person, upload.uploadId)).status).toBe(200);
    await expectFile(upload.downloadId, bytes);
  });

  it("can be sent again; other bytes for it are rejected and change nothing [API-57]", async () => {
    const person = await signUp();
    const bytes = patternBytes(2 * CHUNK);
    const upload = await init(person, bytes.byteLength);
    const first = bytes.subarray(0, CHUNK);
    for (let time = 1; time <= 3; time += 1) {
      expect(await (await put(person, upload.uploadId, 0, first)).json()).toEqual({ receivedChunks: 1 });
    }
    const other = await put(person, upload.uploadId, 0, patternBytes(CHUNK, 2));
    expect([other.status, await other.json()]).toMatchObject([409, { code: "CHUNK_CONFLICT" }]);
    await put(person, upload.uploadId, 1, bytes.subarray(CHUNK));
    expect((await finalize(person, upload.uploadId)).status).toBe(200);
    await expectFile(upload.downloadId, bytes);
  });

  it("that is a part of its own is accepted or rejected, also when two that differ arrive at once", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "professional");
    const upload = await init(person, 256 * MIB + 1);
    expect(upload.chunkSize).toBe(8 * MIB);
    // Inside the object, so that both calls run in parallel.
    const chunks = await Promise.all(
      [new Uint8Array([1]), new Uint8Array([2])].map(async (bytes) => ({
        index: 32,
        bytes: bytes.buffer,
        sha256: await sha256Of(bytes),
      })),
    );
    const answers = await runInDurableObject(stubOf(upload.uploadId), (session) =>
      Promise.all(chunks.map((chunk) => session.putChunk(chunk))),
    );
    expect(answers.map((answer) => (answer.ok ? "taken" : answer.code)).sort()).toEqual(["CHUNK_CONFLICT", "taken"]);
    expect(await flushedParts(upload.uploadId)).toEqual([33]);
  });
});

describe("an interrupted chunked upload", () => {
  const FILE = { filename: "film.mp4", lastModified: 1_700_000_000_000, fingerprint: "a1".repeat(32) };

  it("resumes from the first missing chunk when the same file is chosen again", async () => {
    const person = await signUp();
    const bytes = patternBytes(3 * CHUNK + 7);
    const first = await init(person, bytes.byteLength, FILE);
    const [zero, , two] = chunksOf(bytes, CHUNK);
    await put(person, first.uploadId, 0, zero ?? expect.unreachable());
    await put(person, first.uploadId, 2, two ?? expect.unreachable());
    await evictDurableObject(stubOf(first.uploadId));
    const again = await init(person, bytes.byteLength, FILE);
    expect(again).toEqual({ ...first, nextChunk: 1 });
    for (const index of [1, 2, 3]) {
      const chunk = chunksOf(bytes, CHUNK)[index] ?? expect.unreachable();
      expect((await put(person, again.uploadId, index, chunk)).status).toBe(200);
    }
    const whole = { nextChunk: 4, partSizeBytes: 8_388_608, sums: [{ part: 1, crc32: crc32Hex(bytes) }] };
    expect(await init(person, bytes.byteLength, FILE)).toEqual({ ...first, ...whole });
    expect((await finalize(person, again.uploadId)).status).toBe(200);
    await expectFile(again.downloadId, bytes);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: bytes.byteLength, transfers: 1 });
  });

  it("is separate from a direct upload of the same file, and each resumes by its own transport", async () => {
    const person = await signUp();
    const size = 3 * CHUNK;
    const straight = await person.startUpload(size, FILE);
    const chunked = await init(person, size, FILE);
    expect(chunked.uploadId).not.toBe(straight.uploadId);
    expect((await person.startUpload(size, FILE)).uploadId).toBe(straight.uploadId);
    expect((await init(person, size, FILE)).uploadId).toBe(chunked.uploadId);
    const listed = await (await person.fetch("/api/direct-upload/unfinished")).json<UnfinishedUpload[]>();
    expect(new Map(listed.map(({ uploadId, transport }) => [uploadId, transport]))).toEqual(
      new Map([
        [straight.uploadId, "parts"],
        [chunked.uploadId, "chunks"],
      ]),
    );
  });

  it("is discarded when the client requests smaller chunks", async () => {
    const person = await signUp();
    const size = 17 * MIB;
    const first = await init(person, size, FILE);
    const smaller = await init(person, size, { ...FILE, maxChunkSize: first.chunkSize / 4 });
    expect(smaller).toMatchObject({ chunkSize: CHUNK, nextChunk: 0 });
    expect(await rowOf("select status from files where id = ?", first.uploadId)).toEqual({ status: "cancelled" });
    expect(await monthlyUsage(person.email)).toEqual({ bytes: size, transfers: 1 });
    const smallest = await init(person, size, { ...FILE, maxChunkSize: 64 * KIB });
    expect(smallest).toMatchObject({ chunkSize: 64 * KIB, nextChunk: 0 });
    // The smallest chunk size is not restarted.
    expect(await init(person, size, { ...FILE, maxChunkSize: 1 })).toEqual(smallest);
  });
});

describe("a chunked upload's checksum", () => {
  it("is computed by the server after completion, and the link shows it", async () => {
    const person = await signUp();
    const bytes = patternBytes(2 * CHUNK + 1);
    const upload = await init(person, bytes.byteLength);
    await putAll(person, upload, bytes, [2, 0, 1]);
    expect((await finalize(person, upload.uploadId)).status).toBe(200);
    await abortAllDurableObjects();
    await runDurableObjectAlarm(stubOf(upload.uploadId));
    const info = () => person.fetch(`/api/files/download/${upload.downloadId}`).then((answer) => answer.json());
    await expect.poll(info).toMatchObject({ sha256: await sha256Of(bytes), sha256Source: "server" });
  });
});
