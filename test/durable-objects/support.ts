import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { isMultipart, partLength, planParts } from "#domain/parts.ts";
import { MIB } from "#domain/units.ts";
import type { CompletedPart } from "#domain/wire.ts";
import type { UploadRecord } from "#durable-objects/upload/state.ts";
import { UploadStore } from "#durable-objects/upload/store.ts";
import type { UploadSession } from "#durable-objects/upload/upload-session.ts";
import { incomingKey, objectKey } from "#worker/storage/keys.ts";
import { signUp, storePart, type Client } from "../support/worker.ts";

/** In parts: three, the last of one byte. In segments: nine of one part each, the last of one byte. */
export const TRANSPORTS = [
  { transport: "in one PUT", sizeBytes: 1000 },
  { transport: "in parts", sizeBytes: 16 * MIB + 1 },
  { transport: "in segments", sizeBytes: 64 * MIB + 1 },
] as const;
export const IN_ONE_PUT = TRANSPORTS[0].sizeBytes;
export const IN_PARTS = TRANSPORTS[1].sizeBytes;
export const IN_SEGMENTS = TRANSPORTS[2].sizeBytes;

export interface Upload {
  owner: Client;
  id: string;
  downloadId: string;
  sizeBytes: number;
  stub: DurableObjectStub<UploadSession>;
}

/** Starts an upload with a new account. */
export async function startUpload(sizeBytes: number, more: Record<string, unknown> = {}): Promise<Upload> {
  return startUploadOf(await signUp(), sizeBytes, more);
}

export async function startUploadOf(
  owner: Client,
  sizeBytes: number,
  more: Record<string, unknown> = {},
): Promise<Upload> {
  const { uploadId: id, downloadId } = await owner.startUpload(sizeBytes, more);
  return { owner, id, downloadId, sizeBytes, stub: env.UPLOADS.get(env.UPLOADS.idFromName(id)) };
}

export async function evict({ stub }: Upload): Promise<void> {
  // Loads the object first: evicting one that is not in memory fails.
  await runInDurableObject(stub, () => undefined);
  await evictDurableObject(stub);
}

export function recordOf({ stub }: Upload): Promise<UploadRecord | null> {
  return runInDurableObject(stub, (_, { storage }) => new UploadStore(storage).find());
}

/** Simulates a crash or passed time: changes the stored record and evicts the object. */
export async function changeRecord(upload: Upload, change: Partial<UploadRecord>): Promise<void> {
  await runInDurableObject(upload.stub, (_, { storage }) => {
    const store = new UploadStore(storage);
    const record = store.find();
    if (!record) throw new Error("the upload has no record");
    store.save({ ...record, ...change });
  });
  await evict(upload);
}

export function storedParts({ stub }: Upload): Promise<number[]> {
  return runInDurableObject(stub, (_, { storage }) => new UploadStore(storage).partNumbers());
}

export function alarmAt({ stub }: Upload): Promise<number | null> {
  return runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
}

/** Each part is filled with its number, so that a wrong order is detected. */
export function partBytes({ sizeBytes }: Upload, part: number): Uint8Array {
  return new Uint8Array(partLength(sizeBytes, part)).fill(part);
}

export async function storeUpload(upload: Upload): Promise<R2MultipartUpload> {
  const record = await recordOf(upload);
  if (!record?.r2UploadId) throw new Error("not an upload in parts of one object");
  return env.BUCKET.resumeMultipartUpload(objectKey(upload.id), record.r2UploadId);
}

export function sendPart(upload: Upload, part: number, body = partBytes(upload, part)): Promise<CompletedPart> {
  return storePart(upload.id, part, body);
}

/** @returns the receipts, in order; none for a single PUT */
export async function sendAll(upload: Upload): Promise<CompletedPart[]> {
  if (!isMultipart(upload.sizeBytes)) {
    await env.BUCKET.put(incomingKey(upload.id), partBytes(upload, 1));
    return [];
  }
  const { partCount } = planParts(upload.sizeBytes);
  return Promise.all(Array.from({ length: partCount }, (_, index) => sendPart(upload, index + 1)));
}

export interface Month {
  bytes: number;
  transfers: number;
}

export async function monthOf({ id }: Upload): Promise<Month | null> {
  return env.DB.prepare(
    `select monthly_upload_total as bytes, monthly_transfer_count as transfers
     from users where id = (select user_id from files where id = ?)`,
  )
    .bind(id)
    .first<Month>();
}

export interface Row {
  status: string;
  expiresAt: number | null;
  uploadedAt: number | null;
  sha256: string | null;
}

export async function rowOf({ downloadId }: Upload): Promise<Row> {
  const { results } = await env.DB.prepare(
    `select status, expires_at as expiresAt, uploaded_at as uploadedAt, sha256 from files where download_id = ?`,
  )
    .bind(downloadId)
    .all<Row>();
  expect(results).toHaveLength(1);
  return results[0] ?? expect.unreachable();
}

export async function storedKeys({ id }: Upload): Promise<string[]> {
  const lists = await Promise.all([objectKey(id), incomingKey(id)].map((prefix) => env.BUCKET.list({ prefix })));
  return lists.flatMap(({ objects }) => objects.map(({ key }) => key));
}

export async function expectReady(upload: Upload): Promise<void> {
  // The incoming copy is deleted after the answer.
  const segments = Array.from({ length: 9 }, (_, segment) => `files/${upload.id}/0000${segment}`);
  const keys = upload.sizeBytes === IN_SEGMENTS ? segments : [`files/${upload.id}`];
  await expect.poll(() => storedKeys(upload)).toEqual(keys);
  expect(await rowOf(upload)).toMatchObject({ status: "ready" });
  expect(await monthOf(upload)).toEqual({ bytes: upload.sizeBytes, transfers: 1 });
  expect(await recordOf(upload)).toMatchObject({ phase: "ready" });
  const download = await upload.owner.fetch(`/api/files/download/${upload.downloadId}/content`);
  expect(download.status).toBe(200);
  expect(await sha256(await download.arrayBuffer())).toBe(await sha256(wholeFile(upload)));
}

export async function expectEnded(upload: Upload, status: "failed" | "cancelled"): Promise<void> {
  expect(await rowOf(upload)).toMatchObject({ status });
  expect(await monthOf(upload)).toEqual({ bytes: 0, transfers: 0 });
  expect(await storedKeys(upload)).toEqual([]);
}

export function wholeFile(upload: Upload): Uint8Array {
  const whole = new Uint8Array(upload.sizeBytes);
  const { partCount, partSizeBytes } = planParts(upload.sizeBytes);
  for (let part = 1; part <= partCount; part += 1) whole.set(partBytes(upload, part), (part - 1) * partSizeBytes);
  return whole;
}

export async function sha256(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
