import type { Page } from "@playwright/test";
import type { StartUploadAnswer } from "#domain/wire.ts";
import { query } from "./database.ts";

interface SharedFile {
  name: string;
  type: string;
  body: Uint8Array<ArrayBuffer> | string;
}

/** Uploads a small file by the calls alone, as the person who is signed in on that page. @returns its download id */
export async function share({ request }: Page, { name, type, body }: SharedFile): Promise<string> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const started = await request.post("/api/direct-upload/presigned-url", {
    data: { filename: name, fileType: type, fileSize: bytes.length, expiration: "1d" },
  });
  if (!started.ok()) throw new Error(`the start answered ${started.status()}: ${await started.text()}`);
  const { presignedUrl, downloadId, fileData } = (await started.json()) as StartUploadAnswer;
  const headers = { "content-type": fileData.contentType };
  const put = await fetch(presignedUrl, { method: "PUT", headers, body: bytes });
  if (!put.ok) throw new Error(`the store answered ${put.status}`);
  const completed = await request.post("/api/direct-upload/complete", { data: { downloadId } });
  if (!completed.ok()) throw new Error(`complete answered ${completed.status()}: ${await completed.text()}`);
  return downloadId;
}

/** How many downloads a link has counted. */
export async function countOf(downloadId: string): Promise<number> {
  const [row] = await query(`select download_count as n from files where download_id = '${downloadId}'`);
  return Number(row?.n);
}
