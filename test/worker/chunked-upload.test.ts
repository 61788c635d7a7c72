import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { KIB, MIB } from "#domain/units.ts";
import type { ChunkAnswer, FinalizeChunkedAnswer, InitChunkedAnswer } from "#domain/wire.ts";
import { UploadStore } from "#durable-objects/upload-store.ts";
import { Client, contentPath, monthOf, patterned, putOnPlan, rowOf, sha256Of, signUp } from "../support/worker.ts";

// The local store hashes what it takes in JavaScript: 16 MiB last seconds on a machine that has other work.
vi.setConfig({ testTimeout: 30_000 });

const CHUNK = 256 * KIB;

async function init(person: Client, totalSize: number, more: Record<string, unknown> = {}): Promise<InitChunkedAnswer> {
  const sizes = { totalSize: String(totalSize), totalChunks: String(Math.ceil(totalSize / CHUNK)) };
  const body = { filename: "a file.txt", fileType: "text/plain", expiration: "1d", ...sizes, ...more };
  const response = await person.post("/api/chunked-upload/init", body);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

function put(person: Client, uploadId: string, index: number | string, chunk: Uint8Array): Promise<Response> {
  const form = new FormData();
  form.set("chunk", new Blob([chunk]), "blob");
  form.set("uploadId", uploadId);
  form.set("chunkIndex", String(index));
  form.set("totalChunks", "1");
  return person.postForm("/api/chunked-upload/chunk", form);
}

function chunksOf(bytes: Uint8Array, chunkSize: number): Uint8Array[] {
  const count = Math.ceil(bytes.byteLength / chunkSize);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * chunkSize, (index + 1) * chunkSize));
}

/** Sends every chunk, in the given order, and takes each one's acknowledgement. */
async function putAll(person: Client, upload: InitChunkedAnswer, bytes: Uint8Array, order?: number[]): Promise<void> {
  const chunks = chunksOf(bytes, upload.chunkSize);
  let count = 0;
  for (const index of order ?? chunks.keys()) {
    const response = await put(person, upload.uploadId, index, chunks[index] ?? expect.unreachable());
    expect([response.status, await response.json<ChunkAnswer>()]).toEqual([200, { receivedChunks: (count += 1) }]);
  }
}

function finalize(person: Client, uploadId: string): Promise<Response> {
  return person.post("/api/chunked-upload/finalize", { uploadId });
}

/** The link gives exactly those bytes, once, under the file's own key. */
async function expectFile(downloadId: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const response = await new Client().fetch(contentPath(downloadId));
  expect(response.status).toBe(200);
  const downloaded = await response.arrayBuffer();
  expect([downloaded.byteLength, await sha256Of(downloaded)]).toEqual([bytes.byteLength, await sha256Of(bytes)]);
}

function stubOf(uploadId: string) {
  return env.UPLOADS.get(env.UPLOADS.idFromName(uploadId));
}

/** The parts that storage has, as the upload's object knows them. */
function flushedParts(uploadId: string): Promise<number[]> {
  return runInDurableObject(stubOf(uploadId), (_, { storage }) => new UploadStore(storage).partNumbers());
}

describe("a chunked upload", () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7])("of %i bytes becomes that very file", async (size) => {
    const person = await signUp();
    const bytes = patterned(size);
    const upload = await init(person, size);
    expect(upload).toEqual({
      uploadId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      chunkSize: CHUNK,
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
    expect(await monthOf(person.email)).toEqual({ bytes: size, transfers: 1 });
  });

  it("above 16 MiB comes in chunks of 1 MiB, whose parts are in storage before the end", async () => {
    const person = await signUp();
    const bytes = patterned(16 * MIB + 5);
    const upload = await init(person, bytes.byteLength);
    expect(upload.chunkSize).toBe(MIB);
    await putAll(person, upload, bytes);
    expect(await flushedParts(upload.uploadId)).toEqual([1, 2, 3]);
    const again = await put(person, upload.uploadId, 3, bytes.subarray(3 * MIB, 4 * MIB));
    expect([again.status, await again.json()]).toEqual([200, { receivedChunks: 17 }]);
    const other = await put(person, upload.uploadId, 3, patterned(MIB, 2));
    expect([other.status, await other.json()]).toMatchObject([409, { code: "CHUNK_CONFLICT" }]);
    expect((await finalize(person, upload.uploadId)).status).toBe(200);
    await expectFile(upload.downloadId, bytes);
  });

  it("takes its chunks in any order, and many at once", async () => {
    const person = await signUp();
    const bytes = patterned(5 * CHUNK + 1);
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

  it("that is finalized twice, and at once, is one file and counts once", async () => {
    const person = await signUp();
    const bytes = patterned(CHUNK + 1);
    const upload = await init(person, bytes.byteLength);
    await putAll(person, upload, bytes);
    const responses = await Promise.all([1, 2, 3].map(() => finalize(person, upload.uploadId)));
    responses.push(await finalize(person, upload.uploadId));
    const answers = await Promise.all(responses.map((response) => response.json<FinalizeChunkedAnswer>()));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await monthOf(person.email)).toEqual({ bytes: bytes.byteLength, transfers: 1 });
    expect(await (await person.fetch("/api/files")).json()).toHaveLength(1);
    expect((await put(person, upload.uploadId, 0, bytes.subarray(0, CHUNK))).status).toBe(409);
    await expectFile(upload.downloadId, bytes);
  });

  it("kept for good has no expiresAt", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    const upload = await init(person, 3, { expiration: "never" });
    await putAll(person, upload, patterned(3));
    expect(await (await finalize(person, upload.uploadId)).json()).not.toHaveProperty("expiresAt");
    expect((await rowOf<{ at: null }>("select expires_at as at from files where id = ?", upload.uploadId)).at).toBeNull();
  });

  it("keeps to the chunk size that a browser says gets through", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "professional");
    const sizes = [
      { totalSize: 16 * MIB, maxChunkSize: undefined, chunkSize: CHUNK },
      { totalSize: 17 * MIB, maxChunkSize: 256 * KIB, chunkSize: CHUNK },
      { totalSize: 17 * MIB, maxChunkSize: MIB - 1, chunkSize: CHUNK },
      { totalSize: 17 * MIB, maxChunkSize: 1, chunkSize: CHUNK },
      { totalSize: 257 * MIB, maxChunkSize: undefined, chunkSize: 8 * MIB },
      { totalSize: 257 * MIB, maxChunkSize: 8 * MIB - 1, chunkSize: MIB },
    ];
    for (const { totalSize, maxChunkSize, chunkSize } of sizes) {
      expect(await init(person, totalSize, { maxChunkSize })).toMatchObject({ chunkSize });
    }
  });
});

describe("an acknowledged chunk", () => {
  it("survives eviction after each one, and a crash of everything before the end", async () => {
    const person = await signUp();
    const bytes = patterned(8 * MIB + 2 * MIB + 3);
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

  it("is harmless to send again; other bytes in its place are refused and change nothing", async () => {
    const person = await signUp();
    const bytes = patterned(2 * CHUNK);
    const upload = await init(person, bytes.byteLength);
    const first = bytes.subarray(0, CHUNK);
    for (let time = 1; time <= 3; time += 1) {
      expect(await (await put(person, upload.uploadId, 0, first)).json()).toEqual({ receivedChunks: 1 });
    }
    const other = await put(person, upload.uploadId, 0, patterned(CHUNK, 2));
    expect([other.status, await other.json()]).toMatchObject([409, { code: "CHUNK_CONFLICT" }]);
    await put(person, upload.uploadId, 1, bytes.subarray(CHUNK));
    expect((await finalize(person, upload.uploadId)).status).toBe(200);
    await expectFile(upload.downloadId, bytes);
  });

  it("that is a part of its own is either taken or refused, also when two differ at once", async () => {
    const person = await signUp();
    const upload = await init(person, 257 * MIB);
    const [one, two] = [patterned(8 * MIB), patterned(8 * MIB, 2)];
    const answers = await Promise.all([put(person, upload.uploadId, 0, one), put(person, upload.uploadId, 0, two)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await flushedParts(upload.uploadId)).toEqual([1]);
  });
});
