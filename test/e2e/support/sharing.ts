import type { Page } from "@playwright/test";
import type { StartUploadAnswer } from "#domain/wire.ts";
import { query } from "./database.ts";

interface SharedFile {
  name: string;
  type: string;
  body: Uint8Array<ArrayBuffer> | string;
}

/** Uploads a small file by the calls alone, as the person who is signed in on that page. @returns its download id */
export async function share(page: Page, file: SharedFile): Promise<string> {
  const { downloadId, finish } = await beginSharing(page, file);
  await finish();
  return downloadId;
}

/** As `share`, up to the last call, which `finish` makes: the bytes are there, and the file is still on its way. */
export async function beginSharing(
  { request }: Page,
  { name, type, body }: SharedFile,
): Promise<{ downloadId: string; finish: () => Promise<void> }> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const started = await request.post("/api/direct-upload/presigned-url", {
    data: { filename: name, fileType: type, fileSize: bytes.length, expiration: "1d" },
  });
  if (!started.ok()) throw new Error(`the start answered ${started.status()}: ${await started.text()}`);
  const { presignedUrl, downloadId, fileData } = (await started.json()) as StartUploadAnswer;
  const headers = { "content-type": fileData.contentType };
  const put = await fetch(presignedUrl, { method: "PUT", headers, body: bytes });
  if (!put.ok) throw new Error(`the store answered ${put.status}`);
  const finish = async () => {
    const completed = await request.post("/api/direct-upload/complete", { data: { downloadId } });
    if (!completed.ok()) throw new Error(`complete answered ${completed.status()}: ${await completed.text()}`);
  };
  return { downloadId, finish };
}

/** How many downloads a link has counted. */
export async function countOf(downloadId: string): Promise<number> {
  const [row] = await query(`select download_count as n from files where download_id = '${downloadId}'`);
  return Number(row?.n);
}
