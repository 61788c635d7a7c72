import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { KIB } from "#domain/units.ts";
import type { ChunkAnswer, InitChunkedAnswer } from "#domain/wire.ts";
import { UploadStore } from "#durable-objects/upload/store.ts";
import type { UploadSession } from "#durable-objects/upload/upload-session.ts";
import { Client, contentPath, sha256Of } from "./worker.ts";

export const CHUNK = 256 * KIB;

/** Starts a chunked upload. @throws Error when it is rejected */
export async function init(
  person: Client,
  totalSize: number,
  more: Record<string, unknown> = {},
): Promise<InitChunkedAnswer> {
  const sizes = { totalSize: String(totalSize), totalChunks: String(Math.ceil(totalSize / CHUNK)) };
  const body = { filename: "a file.txt", fileType: "text/plain", expiration: "1d", ...sizes, ...more };
  const response = await person.post("/api/chunked-upload/init", body);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

export function put(person: Client, uploadId: string, index: number | string, chunk: Uint8Array): Promise<Response> {
  const form = new FormData();
  form.set("chunk", new Blob([chunk]), "blob");
  form.set("uploadId", uploadId);
  form.set("chunkIndex", String(index));
  form.set("totalChunks", "1");
  return person.postForm("/api/chunked-upload/chunk", form);
}

export function chunksOf(bytes: Uint8Array, chunkSize: number): Uint8Array[] {
  const count = Math.ceil(bytes.byteLength / chunkSize);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * chunkSize, (index + 1) * chunkSize));
}

/** Sends all chunks in the given order and checks each answer. */
export async function putAll(
  person: Client,
  upload: InitChunkedAnswer,
  bytes: Uint8Array,
  order?: number[],
): Promise<void> {
  const chunks = chunksOf(bytes, upload.chunkSize);
  let count = 0;
  for (const index of order ?? chunks.keys()) {
    const response = await put(person, upload.uploadId, index, chunks[index] ?? expect.unreachable());
    expect([response.status, await response.json<ChunkAnswer>()]).toEqual([200, { receivedChunks: (count += 1) }]);
  }
}

export function finalize(person: Client, uploadId: string): Promise<Response> {
  return person.post("/api/chunked-upload/finalize", { uploadId });
}

export async function expectFile(downloadId: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const response = await new Client().fetch(contentPath(downloadId));
  expect(response.status).toBe(200);
  const downloaded = await response.arrayBuffer();
  expect([downloaded.byteLength, await sha256Of(downloaded)]).toEqual([bytes.byteLength, await sha256Of(bytes)]);
}

export function stubOf(uploadId: string): DurableObjectStub<UploadSession> {
  return env.UPLOADS.get(env.UPLOADS.idFromName(uploadId));
}

/** The part numbers that the Durable Object has recorded as stored. */
export function flushedParts(uploadId: string): Promise<number[]> {
  return runInDurableObject(stubOf(uploadId), (_, { storage }) => new UploadStore(storage).partNumbers());
}
