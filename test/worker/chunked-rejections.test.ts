// @module-tag long
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MAX_CHUNK_BYTES } from "#domain/parts.ts";
import { KIB, MIB } from "#domain/units.ts";
import { UploadStore } from "#durable-objects/upload/store.ts";
import { CHUNK, chunksOf, expectFile, finalize, init, put, putAll, stubOf } from "../support/chunked.ts";
import { Client, monthlyUsage, patternBytes, putOnPlan, rowOf, sha256Of, signUp } from "../support/worker.ts";

const INIT = { filename: "a.txt", fileType: "text/plain", totalSize: "5", totalChunks: "1", expiration: "1d" };

describe("starting a chunked upload", () => {
  it.each([
    ["no name", { filename: "" }],
    ["a path for a name", { filename: "../a.txt" }],
    ["a size that is no text", { totalSize: 5 }],
    ["a size in words", { totalSize: "five" }],
    ["a negative size", { totalSize: "-5" }],
    ["half a byte", { totalSize: "1.5" }],
    ["no number of chunks", { totalChunks: undefined }],
    ["an unknown expiration", { expiration: "2d" }],
    ["a largest chunk of nothing", { maxChunkSize: 0 }],
  ])("answers 400 to %s and reserves no quota [API-56]", async (_what, fault) => {
    const person = await signUp();
    const response = await person.post("/api/chunked-upload/init", { ...INIT, ...fault });
    expect([response.status, await response.json()]).toMatchObject([400, { field: Object.keys(fault)[0] }]);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
  });

  it.each([
    ["1000", "0", "A file of 1000 bytes needs 1 to 1 chunks, not 0."],
    ["1000", "2", "A file of 1000 bytes needs 1 to 1 chunks, not 2."],
    ["0", "2", "A file of 0 bytes needs 0 to 1 chunks, not 2."],
    ["10485760", "1", "A file of 10485760 bytes needs 2 to 160 chunks, not 1."],
    ["10485760", "161", "A file of 10485760 bytes needs 2 to 160 chunks, not 161."],
    ["1000", "999999999999999", "A file of 1000 bytes needs 1 to 1 chunks, not 999999999999999."],
    ["1000", "9999999999999999", "totalChunks must be a whole number of at least 0."],
    ["1000", "-1", "totalChunks must be a whole number of at least 0."],
    ["1000", "1.5", "totalChunks must be a whole number of at least 0."],
    ["1000", "1e3", "totalChunks must be a whole number of at least 0."],
    ["1000", "NaN", "totalChunks must be a whole number of at least 0."],
    ["1000", "", "totalChunks must be a whole number of at least 0."],
  ])("of %s bytes in %s chunks is 400 with a message [API-56]", async (totalSize, totalChunks, message) => {
    const person = await signUp();
    const response = await person.post("/api/chunked-upload/init", { ...INIT, totalSize, totalChunks });
    expect([response.status, await response.json()]).toMatchObject([400, { field: "totalChunks", message }]);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
  });

  it.each([
    ["0", "0"],
    ["0", "1"],
    ["1000", "1"],
    ["10485760", "2"],
    ["10485760", "160"],
  ])("of %s bytes in %s chunks is accepted", async (totalSize, totalChunks) => {
    const person = await signUp();
    const response = await person.post("/api/chunked-upload/init", { ...INIT, totalSize, totalChunks });
    expect(response.status).toBe(200);
  });

  it("answers 403 above the plan's file size and 413 above every plan's, and reserves no quota", async () => {
    const person = await signUp();
    const tooMuch = [
      { totalSize: String(501 * 1024 * KIB), totalChunks: "2004", status: 403, body: { planLimitExceeded: true } },
      { totalSize: String(51 * 1024 ** 3), totalChunks: "208896", status: 413, body: { code: "FILE_TOO_LARGE" } },
      { expiration: "7d", status: 403, body: { planLimitExceeded: true } },
    ];
    for (const { status, body, ...fault } of tooMuch) {
      const response = await person.post("/api/chunked-upload/init", { ...INIT, ...fault });
      expect([response.status, await response.json()]).toMatchObject([status, body]);
    }
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
  });

  it("is rejected without an account", async () => {
    const response = await new Client().post("/api/chunked-upload/init", INIT);
    expect([response.status, await response.json()]).toMatchObject([401, { requiresAuth: true }]);
  });
});

describe("a chunk", () => {
  it("above the upload's chunk size is 413 with the maximum size [API-57, CHK-21]", async () => {
    const person = await signUp();
    const { uploadId } = await init(person, 2 * CHUNK);
    const response = await put(person, uploadId, 0, patternBytes(CHUNK + 1));
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { error: "CHUNK_TOO_LARGE", message: "The chunk is larger than this upload allows.", maxChunkSize: CHUNK },
    ]);
    const far = await put(person, uploadId, 0, new Uint8Array(MAX_CHUNK_BYTES + 17 * KIB));
    expect([far.status, await far.json()]).toMatchObject([
      413,
      { code: "CHUNK_TOO_LARGE", error: "CHUNK_TOO_LARGE", maxChunkSize: MAX_CHUNK_BYTES },
    ]);
  });

  it.each([
    ["a byte short in the middle", 0, CHUNK - 1],
    ["empty", 0, 0],
    ["a byte short at the end", 1, 9],
    ["longer than what the file has left", 1, 11],
    ["as large as the others, but the last", 1, CHUNK],
    ["the one after the last", 2, 10],
    ["far outside", 999_999, CHUNK],
  ])("that is %s is 400 and is not stored", async (_what, index, length) => {
    const person = await signUp();
    const bytes = patternBytes(CHUNK + 10);
    const upload = await init(person, bytes.byteLength);
    const response = await put(person, upload.uploadId, index, patternBytes(length, 2));
    expect([response.status, await response.json()]).toMatchObject([400, { code: "BAD_REQUEST" }]);
    await putAll(person, upload, bytes);
    expect((await finalize(person, upload.uploadId)).status).toBe(200);
    await expectFile(upload.downloadId, bytes);
  });

  it.each(["-1", "1.5", "one", ""])("with %j for an index is 400", async (index) => {
    const person = await signUp();
    const { uploadId } = await init(person, 5);
    expect((await put(person, uploadId, index, patternBytes(5))).status).toBe(400);
  });

  it("must be a form with Content-Length", async () => {
    const person = await signUp();
    const { uploadId } = await init(person, 5);
    const path = "/api/chunked-upload/chunk";
    expect((await person.post(path, { uploadId, chunkIndex: "0" })).status).toBe(400);
    const noChunk = new FormData();
    noChunk.set("uploadId", uploadId);
    noChunk.set("chunkIndex", "0");
    noChunk.set("totalChunks", "1");
    expect((await person.postForm(path, noChunk)).status).toBe(400);
    noChunk.set("chunk", "text, not a file");
    expect((await person.postForm(path, noChunk)).status).toBe(400);
  });

  it("of an empty file is rejected", async () => {
    const person = await signUp();
    const { uploadId } = await init(person, 0);
    expect((await put(person, uploadId, 0, new Uint8Array(1))).status).toBe(400);
    expect((await finalize(person, uploadId)).status).toBe(200);
  });
});

describe("finalizing", () => {
  it("lists the missing chunks, which can then be sent [CHK-14]", async () => {
    const person = await signUp();
    const bytes = patternBytes(4 * CHUNK + 3);
    const { uploadId, downloadId } = await init(person, bytes.byteLength);
    const chunks = chunksOf(bytes, CHUNK);
    const send = (index: number) => put(person, uploadId, index, chunks[index] ?? expect.unreachable());
    for (const index of [0, 2]) await send(index);
    const early = await finalize(person, uploadId);
    expect([early.status, await early.json()]).toMatchObject([422, { code: "UPLOAD_INCOMPLETE", missing: [1, 3, 4] }]);
    for (const index of [4, 1]) await send(index);
    expect(await (await finalize(person, uploadId)).json()).toMatchObject({ missing: [3] });
    await send(3);
    expect((await finalize(person, uploadId)).status).toBe(200);
    await expectFile(downloadId, bytes);
  });

  it("lists at most a hundred missing chunks", async () => {
    const person = await signUp();
    const { uploadId } = await init(person, 300 * 1024 * KIB, { maxChunkSize: CHUNK });
    const { missing } = await (await finalize(person, uploadId)).json<{ missing: number[] }>();
    expect(missing).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });
});

describe("a chunked upload's parts", () => {
  it("are made only from its chunks: a forged receipt has no effect", async () => {
    const person = await signUp();
    const bytes = patternBytes(5);
    const { uploadId, downloadId } = await init(person, 5);
    expect((await put(person, uploadId, 0, bytes)).status).toBe(200);
    await person.complete(downloadId, [{ part: 1, etag: "made-up" }]);
    expect((await finalize(person, uploadId)).status).toBe(200);
    await expectFile(downloadId, bytes);
  });
});

describe("another account's chunked upload", () => {
  it("is 404 for an account, 401 for a visitor, and is not changed", async () => {
    const owner = await signUp();
    const bytes = patternBytes(5);
    const { uploadId, downloadId } = await init(owner, 5);
    const other = await signUp();
    const unknown = crypto.randomUUID();
    expect((await put(other, uploadId, 0, patternBytes(5, 2))).status).toBe(404);
    expect((await finalize(other, uploadId)).status).toBe(404);
    expect((await put(owner, unknown, 0, bytes)).status).toBe(404);
    expect((await finalize(owner, unknown)).status).toBe(404);
    expect((await put(new Client(), uploadId, 0, bytes)).status).toBe(401);
    expect((await finalize(new Client(), uploadId)).status).toBe(401);
    expect((await put(owner, uploadId, 0, bytes)).status).toBe(200);
    expect((await finalize(owner, uploadId)).status).toBe(200);
    await expectFile(downloadId, bytes);
  });
});

describe("a cancelled chunked upload", () => {
  it("releases its quota, rejects chunks, and leaves nothing in storage", async () => {
    const person = await signUp();
    const bytes = patternBytes(CHUNK + 1);
    const { uploadId, downloadId } = await init(person, bytes.byteLength);
    await put(person, uploadId, 0, bytes.subarray(0, CHUNK));
    expect(await monthlyUsage(person.email)).toEqual({ bytes: bytes.byteLength, transfers: 1 });
    expect((await person.post("/api/direct-upload/cancel", { downloadId })).status).toBe(200);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
    const late = await put(person, uploadId, 1, bytes.subarray(CHUNK));
    expect([late.status, await late.json()]).toMatchObject([409, { code: "UPLOAD_CLOSED" }]);
    expect((await finalize(person, uploadId)).status).toBe(409);
    expect(await rowOf("select status from files where id = ?", uploadId)).toEqual({ status: "cancelled" });
    expect((await env.BUCKET.list({ prefix: `files/${uploadId}` })).objects).toEqual([]);
    expect((await new Client().fetch(`/api/files/download/${downloadId}`)).status).toBe(404);
  });

  it("is not reopened by a chunk that was being stored", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "professional");
    const { uploadId } = await init(person, 256 * MIB + 1);
    const bytes = new Uint8Array([1]);
    const chunk = { index: 32, bytes: bytes.buffer, sha256: await sha256Of(bytes) };
    const { late, phase } = await runInDurableObject(stubOf(uploadId), async (session, { storage }) => {
      const sent = session.putChunk(chunk);
      const cancelled = session.cancel();
      const late = await sent;
      const phase = new UploadStore(storage).find()?.phase;
      await cancelled;
      return { late, phase };
    });
    expect({ late, phase }).toEqual({ late: { ok: false, code: "UPLOAD_CLOSED" }, phase: "cancelled" });
  });
});
