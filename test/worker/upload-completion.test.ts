import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MIB } from "#domain/units.ts";
import type { CompleteUploadAnswer } from "#domain/wire.ts";
import {
  putIncoming,
  Client,
  contentPath,
  monthlyUsage,
  putOnPlan,
  rowOf,
  sendFile,
  sendParts,
  signUp,
  stopClockAt,
} from "../support/worker.ts";

function statusOf(downloadId: string): Promise<{ status: string; expiresAt: number | null; size: number }> {
  return rowOf("select status, expires_at as expiresAt, size from files where download_id = ?", downloadId);
}

describe("completing an upload", () => {
  it("answers the link and an expiry that counts from completion [DEC-6, DL-8]", async () => {
    const person = await signUp();
    const now = Date.now();
    stopClockAt(now);
    const { uploadId, downloadId, shareUrl } = await person.startUpload(5);
    await putIncoming(uploadId, "hello");
    stopClockAt(now + HOUR_MS);
    const response = await person.complete(downloadId);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      id: uploadId,
      downloadId,
      shareUrl,
      downloadUrl: `${env.APP_ORIGIN}${contentPath(downloadId)}`,
      filename: "a file.txt",
      size: 5,
      expiresAt: new Date(now + HOUR_MS + DAY_MS).toISOString(),
    });
    expect((await statusOf(downloadId)).expiresAt).toBe(now + HOUR_MS + DAY_MS);
  });

  it("gives the same answer when repeated, later and in parallel, and counts once [API-16]", async () => {
    const person = await signUp();
    const now = Date.now();
    stopClockAt(now);
    const { uploadId, downloadId } = await person.startUpload(5);
    await putIncoming(uploadId, "hello");
    const first = await person.complete(downloadId);
    const answer = await first.text();
    stopClockAt(now + HOUR_MS);
    const again = await Promise.all([1, 2, 3, 4].map(() => person.complete(downloadId)));
    expect(await Promise.all(again.map((response) => response.text()))).toEqual([answer, answer, answer, answer]);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 5, transfers: 1 });
  });

  it("joins a larger file's parts into the same file", async () => {
    const person = await signUp();
    const body = new Uint8Array(16 * MIB + 1).fill(7);
    body[8 * MIB - 1] = 1;
    body[8 * MIB] = 2;
    body[16 * MIB] = 3;
    const { uploadId, downloadId } = await person.startUpload(body.byteLength);
    const receipts = await sendParts(uploadId, body);
    const early = await person.complete(downloadId, receipts.slice(1));
    expect(early.status).toBe(422);
    expect(await early.json()).toMatchObject({ code: "UPLOAD_INCOMPLETE", missing: [1] });
    expect((await person.complete(downloadId, receipts)).status).toBe(200);
    const response = await new Client().fetch(contentPath(downloadId), { headers: { range: `bytes=${8 * MIB - 2}-` } });
    const arrived = new Uint8Array(await response.arrayBuffer());
    expect(arrived.byteLength).toBe(8 * MIB + 3);
    expect([...arrived.subarray(0, 4), ...arrived.subarray(-2)]).toEqual([7, 1, 2, 7, 7, 3]);
  });

  it("answers 422 before any byte has arrived, and works afterwards", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await person.startUpload(5);
    const early = await person.complete(downloadId);
    expect(early.status).toBe(422);
    expect(await early.json()).toMatchObject({ code: "UPLOAD_INCOMPLETE" });
    await putIncoming(uploadId, "hello");
    expect((await person.complete(downloadId)).status).toBe(200);
  });

  it.each(["hell", "hello!", ""])(
    "deletes %j where five bytes were announced, and answers 422 [VAL-29]",
    async (body) => {
      const person = await signUp();
      const { uploadId, downloadId } = await person.startUpload(5);
      await putIncoming(uploadId, body);
      const response = await person.complete(downloadId);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ code: "OBJECT_MISMATCH" });
      expect(await env.BUCKET.head(`incoming/${uploadId}`)).toBeNull();
      expect(await env.BUCKET.head(`files/${uploadId}`)).toBeNull();
      expect(await statusOf(downloadId)).toMatchObject({ status: "failed" });
      expect(await monthlyUsage(person.email)).toEqual({ bytes: 0, transfers: 0 });
      expect((await new Client().fetch(`/api/files/download/${downloadId}`)).status).toBe(404);
      await putIncoming(uploadId, "hello");
      expect((await person.complete(downloadId)).status).toBe(409);
    },
  );

  it("ignores fileData [API-16, ENT-16, VAL-28]", async () => {
    const person = await signUp();
    const victim = await sendFile(await signUp(), "not yours");
    const { uploadId, downloadId } = await person.startUpload(5);
    await putIncoming(uploadId, "hello");
    const fileData = {
      filename: "other.exe",
      originalFilename: "other.exe",
      downloadId: victim.downloadId,
      size: 1,
      mimeType: "text/html",
      s3Key: `files/${victim.uploadId}`,
      expiresAt: null,
      downloadCount: 99,
      userId: "somebody",
      planType: "ultimate",
    };
    const response = await person.post("/api/direct-upload/complete", { downloadId, fileData });
    expect(await response.json<CompleteUploadAnswer>()).toMatchObject({ downloadId, filename: "a file.txt", size: 5 });
    const row = await rowOf("select * from files where download_id = ?", downloadId);
    expect(row).toMatchObject({
      filename: "a file.txt",
      original_filename: "a file.txt",
      size: 5,
      mime_type: "text/plain",
      s3_key: `files/${uploadId}`,
      download_count: 0,
      expires_at: expect.any(Number) as number,
    });
    const download = await new Client().fetch(contentPath(downloadId));
    expect(download.headers.get("content-type")).toBe("text/plain");
    expect(await download.text()).toBe("hello");
  });

  it("does not change the file when the presigned URL is used again", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendFile(person, "hello");
    await putIncoming(uploadId, "HELLO");
    expect((await person.complete(downloadId)).status).toBe(200);
    expect(await (await new Client().fetch(contentPath(downloadId))).text()).toBe("hello");
  });
});

describe("a file's expiration", () => {
  it.each([
    { choice: "the default, up to 100 MB", sizeMib: 100, more: { expiration: "3d" }, hours: 72 },
    { choice: "the default, above 100 MB", sizeMib: 101, more: { expiration: "3d" }, hours: 2 },
    { choice: "the default, 250 MB", sizeMib: 250, more: { expiration: "3d" }, hours: 3 },
    { choice: "3 days, chosen", sizeMib: 250, more: { expiration: "3d", expirationChosen: true }, hours: 72 },
    { choice: "1 day, above 100 MB", sizeMib: 250, more: { expiration: "1d" }, hours: 24 },
  ])("$choice: $hours hours [DEC-8, UP-13, UP-15]", async ({ sizeMib, more, hours }) => {
    const now = Date.now();
    stopClockAt(now);
    const { expiresAt } = await (await signUp()).startUpload(sizeMib * MIB, more);
    expect(expiresAt).toBe(new Date(now + hours * HOUR_MS).toISOString());
  });

  it("the expiration never sets no expiresAt [DL-10]", async () => {
    const person = await signUp();
    await putOnPlan(person.email, "ultimate");
    const { uploadId, downloadId, expiresAt } = await person.startUpload(5, { expiration: "never" });
    await putIncoming(uploadId, "hello");
    const completed = await (await person.complete(downloadId)).json<CompleteUploadAnswer>();
    expect([expiresAt, completed.expiresAt]).toEqual([null, null]);
    expect((await statusOf(downloadId)).expiresAt).toBeNull();
    stopClockAt(Date.now() + 100 * 365 * DAY_MS);
    const info = await new Client().fetch(`/api/files/download/${downloadId}`);
    expect(info.status).toBe(200);
    expect(await info.json()).toMatchObject({ expiresAt: null });
  });
});
