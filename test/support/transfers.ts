import { env } from "cloudflare:workers";
import { crc32 } from "node:zlib";
import { planParts } from "#domain/parts.ts";
import type { StartTransferAnswer, TransferBatchAnswer, CompletedObjectPart } from "#domain/wire.ts";
import type { Client } from "./worker.ts";

export interface TransferFile {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
  modifiedMs: number;
}

export const MODIFIED_MS = Date.UTC(2026, 0, 31, 12);

/** A file with text, or an empty one. */
export function textFile(path: string, text = `text of ${path}`): TransferFile {
  return { path, bytes: new Uint8Array(new TextEncoder().encode(text)), modifiedMs: MODIFIED_MS };
}

/** As a browser announces it. */
export function announcementOf({ path, bytes, modifiedMs }: TransferFile): [string, number, number] {
  return [path, bytes.byteLength, modifiedMs];
}

export function totalsOf(files: TransferFile[]): { entries: number; bytes: number } {
  return { entries: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) };
}

export function startRequest(files: TransferFile[], more: Record<string, unknown> = {}): Record<string, unknown> {
  const entries = { from: 0, list: files.map(announcementOf) };
  return { expiration: "1d", totals: totalsOf(files), entries, ...more };
}

/** @throws Error when it is rejected */
export async function startTransfer(
  person: Client,
  files: TransferFile[],
  more: Record<string, unknown> = {},
): Promise<StartTransferAnswer> {
  const response = await person.post("/api/transfers", startRequest(files, more));
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

export function sendBatch(person: Client, downloadId: string, batch: Record<string, unknown>): Promise<Response> {
  return person.post(`/api/transfers/${downloadId}/batch`, batch);
}

/** @throws Error when it is rejected */
export async function batch(
  person: Client,
  downloadId: string,
  body: Record<string, unknown> = {},
): Promise<TransferBatchAnswer> {
  const response = await sendBatch(person, downloadId, body);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

export function crc32Hex(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}

export function join(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

/** PUTs the bytes to the signed URLs, as storage takes them. @returns the receipts */
export async function putObject(
  { urls }: Pick<TransferBatchAnswer, "urls">,
  object: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<CompletedObjectPart[]> {
  const { partSizeBytes } = planParts(bytes.byteLength);
  const receipts: CompletedObjectPart[] = [];
  for (const { part, url } of urls.filter((signed) => signed.object === object)) {
    const { pathname, searchParams } = new URL(url);
    const key = pathname.slice(pathname.indexOf("files/"));
    const body = bytes.slice((part - 1) * partSizeBytes, part * partSizeBytes);
    const upload = env.BUCKET.resumeMultipartUpload(key, searchParams.get("uploadId") ?? "");
    const { etag } = await upload.uploadPart(Number(searchParams.get("partNumber")), body);
    receipts.push({ object, part, etag, crc32: crc32Hex(body) });
  }
  return receipts;
}

export function finish(person: Client, downloadId: string, receipts: CompletedObjectPart[] = []): Promise<Response> {
  return person.post(`/api/transfers/${downloadId}/finish`, { receipts });
}

/** Sends the files in one pack and finishes. @throws Error when a call is rejected */
export async function sendTransfer(
  person: Client,
  files: TransferFile[],
  more: Record<string, unknown> = {},
): Promise<StartTransferAnswer> {
  const runs = files.flatMap(({ bytes }, n) => (bytes.byteLength > 0 ? [[n, 1]] : []));
  const open = runs.length > 0 ? [{ object: 0, runs }] : [];
  const started = await startTransfer(person, files, { open, ...more });
  const receipts = await putObject(started, 0, join(files.map(({ bytes }) => bytes)));
  const response = await finish(person, started.downloadId, receipts);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return started;
}
