import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { partRange } from "#domain/parts.ts";
import { MIB } from "#domain/units.ts";
import type { CompletedPart, StartUploadAnswer, UnfinishedUpload } from "#domain/wire.ts";
import {
  putIncoming,
  runSql,
  Client,
  contentPath,
  monthlyUsage,
  patternBytes,
  rowOf,
  sha256Of,
  signUp,
  storePart,
} from "../support/worker.ts";

const SIZE = 16 * MIB + 1;
const FINGERPRINT = "a1".repeat(32);
const FILE = { filename: "film.mp4", fileType: "video/mp4", lastModified: 1_700_000_000_000, fingerprint: FINGERPRINT };

function start(person: Client, more: Record<string, unknown> = {}, size = SIZE): Promise<StartUploadAnswer> {
  return person.startUpload(size, { ...FILE, ...more });
}

/** Sends parts to storage and their receipts with a call, like a browser without a socket. */
async function send(person: Client, upload: StartUploadAnswer, bytes: Uint8Array, parts: number[]): Promise<void> {
  const receipts: CompletedPart[] = [];
  for (const part of parts) {
    const { start, end } = partRange(bytes.byteLength, part);
    receipts.push(await storePart(upload.uploadId, part, bytes.subarray(start, end)));
  }
  const response = await person.post("/api/direct-upload/sign-parts", {
    downloadId: upload.downloadId,
    parts: [],
    receipts,
  });
  expect(response.status).toBe(200);
}

async function unfinishedOf(person: Client): Promise<UnfinishedUpload[]> {
  const response = await person.fetch("/api/direct-upload/unfinished");
  expect(response.status).toBe(200);
  return response.json();
}

function partsOf({ urls }: StartUploadAnswer): number[] {
  return urls.map(({ part }) => part);
}

describe("choosing the same file again", () => {
  it("resumes its upload with the same link, the stored parts and the first missing part", async () => {
    const person = await signUp();
    const bytes = patternBytes(SIZE);
    const first = await start(person);
    expect([first.received, partsOf(first)]).toEqual([[], [1, 2, 3]]);
    await send(person, first, bytes, [1, 3]);
    await evictDurableObject(env.UPLOADS.get(env.UPLOADS.idFromName(first.uploadId)));

    const again = await start(person);
    const { uploadId, downloadId, shareUrl, fileData, multipart } = first;
    expect(again).toMatchObject({ uploadId, downloadId, shareUrl, fileData, multipart });
    expect([again.received, partsOf(again)]).toEqual([[1, 3], [2]]);
    expect(again.presignedUrl).toBe(again.urls[0]?.url);
    expect(new URL(again.presignedUrl).searchParams.get("partNumber")).toBe("2");
    const signed = (url: string) => new URL(url).searchParams.get("uploadId");
    expect(signed(again.presignedUrl)).toBe(signed(first.presignedUrl));
    expect(await monthlyUsage(person.email)).toEqual({ bytes: SIZE, transfers: 1 });

    await send(person, again, bytes, [2]);
    expect(await start(person)).toMatchObject({ uploadId, received: [1, 2, 3], urls: [], presignedUrl: "" });
    expect((await person.complete(downloadId)).status).toBe(200);
    const download = await new Client().fetch(contentPath(downloadId));
    expect(await sha256Of(await download.arrayBuffer())).toBe(await sha256Of(bytes));
    expect(await monthlyUsage(person.email)).toEqual({ bytes: SIZE, transfers: 1 });
  });

  it("resumes a single PUT with a new presigned URL", async () => {
    const person = await signUp();
    const first = await start(person, {}, 5);
    const again = await start(person, {}, 5);
    expect(again).toMatchObject({ uploadId: first.uploadId, received: [] });
    expect(partsOf(again)).toEqual([1]);
    expect(again).not.toHaveProperty("multipart");
    expect(new URL(again.presignedUrl).pathname).toContain(`incoming/${first.uploadId}`);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 5, transfers: 1 });
  });

  it.each([
    ["another fingerprint", { fingerprint: "b2".repeat(32) }],
    ["no fingerprint", { fingerprint: null }],
    ["another date", { lastModified: FILE.lastModified + 1 }],
    ["no date", { lastModified: null }],
    ["another name", { filename: "Film.mp4" }],
  ])("starts a new upload when it has %s", async (_what, other) => {
    const person = await signUp();
    const first = await start(person);
    const second = await start(person, other);
    expect(second.uploadId).not.toBe(first.uploadId);
    expect(second.received).toEqual([]);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 2 * SIZE, transfers: 2 });
    expect((await start(person)).uploadId).toBe(first.uploadId);
  });

  it("starts a new upload for another size or another account", async () => {
    const [person, other] = [await signUp(), await signUp()];
    const first = await start(person);
    expect((await start(person, {}, SIZE + 1)).uploadId).not.toBe(first.uploadId);
    expect((await start(other)).uploadId).not.toBe(first.uploadId);
    expect(await monthlyUsage(other.email)).toEqual({ bytes: SIZE, transfers: 1 });
  });

  it("starts a new upload without a date and a fingerprint", async () => {
    const person = await signUp();
    const unknown = { lastModified: null, fingerprint: null };
    const [first, second] = [await start(person, unknown), await start(person, unknown)];
    expect(second.uploadId).not.toBe(first.uploadId);
  });

  it("uses the expiration that was chosen last", async () => {
    const person = await signUp();
    const bytes = patternBytes(5);
    const first = await start(person, { expiration: "1d" }, 5);
    const again = await start(person, { expiration: "6h", expirationChosen: true }, 5);
    expect(Date.parse(again.expiresAt ?? "")).toBeLessThan(Date.parse(first.expiresAt ?? ""));
    await putIncoming(first.uploadId, bytes);
    expect((await person.complete(first.downloadId)).status).toBe(200);
    const row = await rowOf<{ kept: number }>(
      "select expiration, expiration_chosen as chosen, expires_at - uploaded_at as kept from files where id = ?",
      first.uploadId,
    );
    expect(row).toEqual({ expiration: "6h", chosen: 1, kept: 6 * 3600 * 1000 });
  });

  it("rejects an expiration above the plan, and the upload keeps its own", async () => {
    const person = await signUp();
    const { uploadId } = await start(person);
    const body = { ...FILE, fileSize: SIZE, expiration: "7d" };
    expect((await person.post("/api/direct-upload/presigned-url", body)).status).toBe(403);
    expect(await rowOf("select expiration from files where id = ?", uploadId)).toEqual({ expiration: "1d" });
  });

  it.each(["cancelled", "finished"])("starts a new upload after the first is %s", async (end) => {
    const person = await signUp();
    const first = await start(person, {}, 5);
    await putIncoming(first.uploadId, patternBytes(5));
    if (end === "finished") await person.complete(first.downloadId);
    else await person.post("/api/direct-upload/cancel", { downloadId: first.downloadId });
    const second = await start(person, {}, 5);
    expect(second.uploadId).not.toBe(first.uploadId);
    const uploads = end === "finished" ? 2 : 1;
    expect(await monthlyUsage(person.email)).toEqual({ bytes: 5 * uploads, transfers: uploads });
  });

  it("resumes although the month's quota has no room for a second upload", async () => {
    const person = await signUp();
    const { uploadId } = await start(person);
    await runSql("update users set monthly_transfer_count = 20 where email = ?", person.email);
    expect((await start(person)).uploadId).toBe(uploadId);
  });
});

describe("the list of unfinished uploads", () => {
  it("shows an account's own uploads, newest first, with their progress", async () => {
    const [person, other] = [await signUp(), await signUp()];
    expect(await unfinishedOf(person)).toEqual([]);
    const older = await start(person, { expiration: "6h", expirationChosen: true });
    await send(person, older, patternBytes(SIZE), [1]);
    const newer = await start(person, { filename: "newer.txt" }, 5);
    await runSql("update files set created_at = created_at - 1000 where id = ?", older.uploadId);
    await start(other);
    expect(await unfinishedOf(person)).toEqual([
      expect.objectContaining({ uploadId: newer.uploadId, filename: "newer.txt", size: 5, progress: 0 }),
      {
        uploadId: older.uploadId,
        downloadId: older.downloadId,
        shareUrl: older.shareUrl,
        filename: FILE.filename,
        size: SIZE,
        expiration: "6h",
        expirationChosen: true,
        transport: "parts",
        startedAt: expect.any(String) as string,
        progress: 49,
      },
    ]);
  });

  it("excludes finished and cancelled uploads, and is 401 for visitors", async () => {
    const person = await signUp();
    const [finished, cancelled] = [await start(person, {}, 5), await start(person, {}, 6)];
    await putIncoming(finished.uploadId, patternBytes(5));
    await person.complete(finished.downloadId);
    await person.post("/api/direct-upload/cancel", { downloadId: cancelled.downloadId });
    expect(await unfinishedOf(person)).toEqual([]);
    expect((await new Client().fetch("/api/direct-upload/unfinished")).status).toBe(401);
  });
});
