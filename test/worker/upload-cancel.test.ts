import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { putIncoming, runSql, Client, monthlyUsage, rowOf, sendFile, signUp } from "../support/worker.ts";

function statusOf(downloadId: string): Promise<{ status: string; expiresAt: number | null; size: number }> {
  return rowOf("select status, expires_at as expiresAt, size from files where download_id = ?", downloadId);
}

describe("another account's upload", () => {
  it.each(["complete", "cancel", "sign-parts"])("answers 404 to %s and is not changed", async (call) => {
    const owner = await signUp();
    const { uploadId, downloadId } = await owner.startUpload(5);
    await putIncoming(uploadId, "hello");
    const response = await (await signUp()).post(`/api/direct-upload/${call}`, { downloadId, parts: [1] });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "FILE_NOT_FOUND" });
    expect((await owner.complete(downloadId)).status).toBe(200);
  });
});

describe("cancelling an upload", () => {
  const cancel = (person: Client, downloadId: string) => person.post("/api/direct-upload/cancel", { downloadId });

  it("releases the quota once, repeated or in parallel", async () => {
    const person = await signUp();
    const kept = await person.startUpload(100);
    const { uploadId, downloadId } = await person.startUpload(5);
    await putIncoming(uploadId, "hello");
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 105, transfers: 2 });
    const answers = await Promise.all([1, 2, 3, 4].map(() => cancel(person, downloadId)));
    answers.push(await cancel(person, downloadId));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 100, transfers: 1 });
    expect(await env.BUCKET.head(`incoming/${uploadId}`)).toBeNull();
    expect(await statusOf(downloadId)).toMatchObject({ status: "cancelled" });
    expect(await statusOf(kept.downloadId)).toMatchObject({ status: "uploading" });
    expect((await person.complete(downloadId)).status).toBe(409);
    expect((await new Client().fetch(`/api/files/download/${downloadId}`)).status).toBe(404);
  });

  it("does not release quota in a later billing month", async () => {
    const person = await signUp();
    const { downloadId } = await person.startUpload(5);
    await runSql(
      `update users set current_period_start = current_period_end, monthly_upload_total = 7, monthly_transfer_count = 1
       where email = ?`,
      person.email,
    );
    expect((await cancel(person, downloadId)).status).toBe(200);
    expect(await statusOf(downloadId)).toMatchObject({ status: "cancelled" });
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 7, transfers: 1 });
  });

  it("answers 409 for a finished file and keeps it", async () => {
    const person = await signUp();
    const { downloadId } = await sendFile(person, "hello");
    const response = await cancel(person, downloadId);
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: "UPLOAD_FINISHED" });
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 5, transfers: 1 });
  });
});
