import { expect, type Page } from "@playwright/test";
import type { ProtectionAtStart, StartUploadAnswer } from "#domain/wire.ts";
import { query } from "./database.ts";

interface SharedFile {
  name: string;
  type: string;
  body: Uint8Array<ArrayBuffer> | string;
  guards?: ProtectionAtStart;
}

/** @returns the download ID */
export async function uploadByApi(page: Page, file: SharedFile): Promise<string> {
  const { downloadId, finish } = await startUploadByApi(page, file);
  await finish();
  return downloadId;
}

/** The file is stored but the upload is unfinished until `finish` is called. */
export async function startUploadByApi(
  { request }: Page,
  { name, type, body, guards }: SharedFile,
): Promise<{ downloadId: string; finish: () => Promise<void> }> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const startResponse = await request.post("/api/direct-upload/presigned-url", {
    data: { filename: name, fileType: type, fileSize: bytes.length, expiration: "1d", guards },
  });
  if (!startResponse.ok())
    throw new Error(`the start answered ${startResponse.status()}: ${await startResponse.text()}`);
  const { presignedUrl, downloadId, fileData } = (await startResponse.json()) as StartUploadAnswer;
  const headers = { "content-type": fileData.contentType };
  const putResponse = await fetch(presignedUrl, { method: "PUT", headers, body: bytes });
  if (!putResponse.ok) throw new Error(`the store answered ${putResponse.status}`);
  const finish = async () => {
    const completeResponse = await request.post("/api/direct-upload/complete", { data: { downloadId } });
    if (!completeResponse.ok())
      throw new Error(`complete answered ${completeResponse.status()}: ${await completeResponse.text()}`);
  };
  return { downloadId, finish };
}

export async function downloadCount(downloadId: string): Promise<number> {
  const [row] = await query(`select download_count as n from files where download_id = '${downloadId}'`);
  return Number(row?.n);
}

/** Waits until the downloads before are counted: makes one more. The local queue hands messages over in their order. */
export async function downloadsCounted(page: Page): Promise<void> {
  const last = await uploadByApi(page, { name: "last.txt", type: "text/plain", body: "last" });
  expect((await page.request.get(`/api/files/download/${last}/content`)).status()).toBe(200);
  await expect.poll(() => downloadCount(last)).toBe(1);
}
