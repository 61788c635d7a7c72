// @module-tag long
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { MIB } from "#domain/units.ts";
import type { StartUploadAnswer } from "#domain/wire.ts";
import { contentPath, patternBytes, signUp } from "#test/support/worker.ts";
import { changeRecord, IN_PARTS, recordOf, sha256, startUploadOf, type Upload } from "./support.ts";

const FILE = { filename: "film.mp4", lastModified: 1_700_000_000_000, fingerprint: "a1".repeat(32) };
/** Not the part size that a new upload gets. */
const OTHER_PART_BYTES = 5 * MIB;

/** An upload of `IN_PARTS` bytes, as a release with another rule for parts would have started it. */
async function startedUnderAnotherRule(partSizeBytes: number | null): Promise<Upload> {
  const upload = await startUploadOf(await signUp(), IN_PARTS, FILE);
  const record = await recordOf(upload);
  if (!record) throw new Error("the upload has no record");
  const r2UploadId = partSizeBytes === null ? null : record.r2UploadId;
  await changeRecord(upload, { plan: { ...record.plan, partSizeBytes }, r2UploadId });
  return upload;
}

function resume({ owner }: Upload): Promise<StartUploadAnswer> {
  return owner.startUpload(IN_PARTS, FILE);
}

async function putPart({ owner, downloadId }: Upload, part: number, body: Uint8Array<ArrayBuffer>): Promise<number> {
  const headers = { "content-length": String(body.byteLength) };
  const path = `/api/direct-upload/parts/${downloadId}/${part}`;
  return (await owner.fetch(path, { method: "PUT", headers, body })).status;
}

async function signPart({ owner, downloadId }: Upload, part: number): Promise<number> {
  return (await owner.post("/api/direct-upload/sign-parts", { downloadId, parts: [part] })).status;
}

async function expectDownload({ owner, downloadId }: Upload, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const download = await owner.fetch(contentPath(downloadId));
  expect(download.status).toBe(200);
  expect(await sha256(await download.arrayBuffer())).toBe(await sha256(bytes));
}

describe("an upload that was started under another rule for parts", () => {
  it("is resumed and completed with its own part size", async () => {
    const upload = await startedUnderAnotherRule(OTHER_PART_BYTES);
    const bytes = patternBytes(IN_PARTS);
    const partOf = (part: number) => bytes.slice((part - 1) * OTHER_PART_BYTES, part * OTHER_PART_BYTES);

    const resumed = await resume(upload);
    expect(resumed).toMatchObject({
      uploadId: upload.id,
      multipart: { partSizeBytes: OTHER_PART_BYTES, partCount: 4 },
    });
    expect(resumed.urls.map(({ part }) => part)).toEqual([1, 2, 3, 4]);
    expect([await signPart(upload, 4), await signPart(upload, 5)]).toEqual([200, 400]);
    expect(await putPart(upload, 1, bytes.slice(0, 8 * MIB))).toBe(413);
    for (const part of [1, 2, 3, 4]) expect(await putPart(upload, part, partOf(part))).toBe(200);
    expect((await upload.owner.complete(upload.downloadId)).status).toBe(200);
    await expectDownload(upload, bytes);
  });

  it("stays a single PUT where new files of its size go up in parts", async () => {
    const upload = await startedUnderAnotherRule(null);
    const bytes = patternBytes(IN_PARTS);

    const resumed = await resume(upload);
    expect(resumed).toMatchObject({ uploadId: upload.id, urls: [{ part: 1 }] });
    expect(resumed).not.toHaveProperty("multipart");
    expect(new URL(resumed.presignedUrl).pathname).toContain(`incoming/${upload.id}`);
    expect([await signPart(upload, 1), await signPart(upload, 2)]).toEqual([200, 400]);
    await env.BUCKET.put(`incoming/${upload.id}`, bytes);
    expect((await upload.owner.complete(upload.downloadId)).status).toBe(200);
    await expectDownload(upload, bytes);
  });
});
