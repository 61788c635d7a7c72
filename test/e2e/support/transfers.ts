import { crc32 } from "node:zlib";
import type { APIRequestContext } from "@playwright/test";
import { PART_CONTENT_TYPE } from "#domain/parts.ts";
import { MAX_ENTRIES_PER_BATCH } from "#domain/transfers/limits.ts";
import { toRunsInOrder } from "#domain/transfers/runs.ts";
import type { StartTransferAnswer, TransferBatchAnswer } from "#domain/wire.ts";
import { packEntries } from "#engine/transfer/object-planner.ts";

export interface SentFile {
  /** Ends in a slash for an empty folder, whose body is empty. */
  path: string;
  body: string | Uint8Array<ArrayBuffer>;
}

export interface StartedTransfer {
  downloadId: string;
  /** The row's id. */
  uploadId: string;
  /** Sends these files as a pack of their own. They are stored when this returns. */
  send(...numbers: number[]): Promise<void>;
  finish(): Promise<void>;
}

const MODIFIED_MS = Date.UTC(2026, 0, 31, 12);

/** Announces the files and sends none. @param more fields of the start, such as title and message */
export async function startTransferByApi(
  request: APIRequestContext,
  files: readonly SentFile[],
  more: Record<string, unknown> = {},
): Promise<StartedTransfer> {
  const bodies = files.map(bytesOf);
  const list = files.map(({ path }, n) => [path, bodies[n]?.byteLength ?? 0, MODIFIED_MS]);
  const totals = { entries: files.length, bytes: bodies.reduce((sum, { byteLength }) => sum + byteLength, 0) };
  const post = async <Answer>(path: string, data: unknown): Promise<Answer> => {
    const response = await request.post(path, { data });
    if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const start = { expiration: "1d", totals, entries: { from: 0, list: list.slice(0, MAX_ENTRIES_PER_BATCH) }, ...more };
  const { downloadId, uploadId } = await post<StartTransferAnswer>("/api/transfers", start);
  const path = `/api/transfers/${downloadId}`;
  const batch = (data: unknown) => post<TransferBatchAnswer>(`${path}/batch`, data);
  for (let from = MAX_ENTRIES_PER_BATCH; from < list.length; from += MAX_ENTRIES_PER_BATCH) {
    await batch({ entries: { from, list: list.slice(from, from + MAX_ENTRIES_PER_BATCH) } });
  }
  let object = -1;
  const send = async (...numbers: number[]) => {
    object += 1;
    const bytes = new Uint8Array(await new Blob(numbers.map((n) => bodies[n] ?? new Uint8Array())).arrayBuffer());
    const { urls } = await batch({ open: [{ object, runs: toRunsInOrder(numbers) }] });
    const headers = { "content-type": PART_CONTENT_TYPE };
    const put = await fetch(urls[0]?.url ?? "", { method: "PUT", headers, body: bytes });
    if (!put.ok) throw new Error(`storage answered ${put.status}`);
    const etag = (put.headers.get("etag") ?? "").replaceAll('"', "");
    const crc = crc32(bytes).toString(16).padStart(8, "0");
    const isStored = ({ stored }: TransferBatchAnswer) =>
      stored.some(([first, count]) => first <= (numbers[0] ?? 0) && (numbers[0] ?? 0) < first + count);
    let answer = await batch({ receipts: [{ object, part: 1, etag, crc32: crc }] });
    while (!isStored(answer)) answer = await batch({});
  };
  return {
    downloadId,
    uploadId,
    send,
    finish: async () => {
      await post(`${path}/finish`, {});
    },
  };
}

/** Sends all files, in packs. */
export async function uploadTransferByApi(
  request: APIRequestContext,
  files: readonly SentFile[],
  more: Record<string, unknown> = {},
): Promise<StartedTransfer> {
  const transfer = await startTransferByApi(request, files, more);
  const { packs } = packEntries(files.map((file, n) => ({ n, size: bytesOf(file).byteLength })));
  for (const numbers of packs) await transfer.send(...numbers);
  await transfer.finish();
  return transfer;
}

function bytesOf({ body }: SentFile): Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}
