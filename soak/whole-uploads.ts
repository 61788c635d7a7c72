import type { ProxyUploadAnswer, StartUploadAnswer } from "#domain/wire.ts";
import type { Client } from "./client.ts";
import type { FinishedFile, SoakFile } from "./soaked-upload.ts";

const CONTENT_TYPE = "application/octet-stream";

/** Sends a small file with one presigned PUT. @throws HttpError */
export async function sendInOnePut(client: Client, { name, bytes }: SoakFile): Promise<FinishedFile> {
  const start = await client.post<StartUploadAnswer>("/api/direct-upload/presigned-url", {
    filename: name,
    fileType: CONTENT_TYPE,
    fileSize: bytes.byteLength,
    expiration: "3d",
  });
  await client.putToStore(start.presignedUrl, bytes, CONTENT_TYPE);
  await client.post("/api/direct-upload/complete", { downloadId: start.downloadId, receipts: [] });
  return start;
}

/** Sends a file as an HTML form through the Worker. @throws HttpError */
export async function sendAsForm(client: Client, { name, bytes }: SoakFile): Promise<{ downloadId: string }> {
  const form = new FormData();
  form.set("file", new File([bytes], name, { type: CONTENT_TYPE }));
  form.set("expiration", "3d");
  return client.postForm<ProxyUploadAnswer>("/api/direct-upload/proxy-upload", form);
}
