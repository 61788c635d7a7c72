import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { partRange } from "#domain/parts.ts";
import { MIB } from "#domain/units.ts";
import type { CompletedPart, SignPartsAnswer } from "#domain/wire.ts";
import { Client, contentPath, monthlyUsage, patternBytes, sha256Of, signUp, storePart } from "#test/support/worker.ts";

const IN_PARTS = 16 * MIB + 1;

function putPart(
  person: Client,
  downloadId: string,
  part: number | string,
  body: Uint8Array<ArrayBuffer>,
  length: number | null = body.byteLength,
): Promise<Response> {
  const headers = new Headers(length === null ? {} : { "content-length": String(length) });
  return person.fetch(`/api/direct-upload/parts/${downloadId}/${part}`, { method: "PUT", headers, body });
}

function partOf(bytes: Uint8Array<ArrayBuffer>, part: number): Uint8Array<ArrayBuffer> {
  const { start, end } = partRange(bytes.byteLength, part);
  return bytes.slice(start, end);
}

async function receivedOf(person: Client, downloadId: string): Promise<number[]> {
  const response = await person.post("/api/direct-upload/sign-parts", { downloadId, parts: [] });
  return (await response.json<SignPartsAnswer>()).received;
}

async function expectFile(downloadId: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const response = await new Client().fetch(contentPath(downloadId));
  expect(response.status).toBe(200);
  expect(await sha256Of(await response.arrayBuffer())).toBe(await sha256Of(bytes));
}

describe("a part through the Worker", () => {
  it.each([0, 1, 5000])("is a whole file of %i bytes [VAL-13]", async (size) => {
    const person = await signUp();
    const bytes = patternBytes(size);
    const { uploadId, downloadId } = await person.startUpload(size);
    const response = await putPart(person, downloadId, 1, bytes);
    expect(response.status).toBe(200);
    const receipt = await response.json<CompletedPart>();
    const etag = (await env.BUCKET.head(`incoming/${uploadId}`))?.etag;
    expect(receipt).toEqual({ part: 1, etag, downloadId, originalName: "a file.txt" });
    expect(response.headers.get("etag")).toBe(`"${receipt.etag}"`);
    expect((await person.complete(downloadId, [receipt])).status).toBe(200);
    await expectFile(downloadId, bytes);
    expect(await monthlyUsage(person.email)).toEqual({ bytes: size, transfers: 1 });
  });

  it("has its receipt stored before the answer, so that completing needs none", async () => {
    const person = await signUp();
    const bytes = patternBytes(IN_PARTS);
    const { downloadId } = await person.startUpload(IN_PARTS);
    for (const [part, received] of [
      [3, [3]],
      [1, [1, 3]],
      [2, [1, 2, 3]],
    ] as const) {
      expect((await putPart(person, downloadId, part, partOf(bytes, part))).status).toBe(200);
      expect(await receivedOf(person, downloadId)).toEqual(received);
    }
    expect((await person.complete(downloadId)).status).toBe(200);
    await expectFile(downloadId, bytes);
  });

  it("is joined with direct parts, and replaces a wrong one [DIR-7, HOLD-1]", async () => {
    const person = await signUp();
    const bytes = patternBytes(IN_PARTS);
    const { uploadId, downloadId } = await person.startUpload(IN_PARTS);
    const receipts = [
      await storePart(uploadId, 1, partOf(bytes, 1)),
      await storePart(uploadId, 2, patternBytes(8 * MIB, 2)),
    ];
    await person.post("/api/direct-upload/sign-parts", { downloadId, parts: [], receipts });
    for (const part of [2, 3]) expect((await putPart(person, downloadId, part, partOf(bytes, part))).status).toBe(200);
    expect((await person.complete(downloadId)).status).toBe(200);
    await expectFile(downloadId, bytes);
  });
});

describe("a part through the Worker is rejected", () => {
  it.each([
    ["a byte too long", 3, 2, 413],
    ["a byte too short", 1, 8 * MIB - 1, 400],
    ["empty", 3, 0, 400],
    ["part 0", 0, 1, 400],
    ["the part after the last", 4, 1, 400],
    ["no number", "one", 1, 400],
    ["half a part", 1.5, 1, 400],
  ])("when it is %s, and is not stored", async (_what, part, length, status) => {
    const person = await signUp();
    const { downloadId } = await person.startUpload(IN_PARTS);
    expect((await putPart(person, downloadId, part, new Uint8Array(length))).status).toBe(status);
    expect(await receivedOf(person, downloadId)).toEqual([]);
  });

  it.each([
    [4, 400],
    [6, 413],
  ])("when a file of 5 bytes has a body of %i, and is not stored", async (length, status) => {
    const person = await signUp();
    const { uploadId, downloadId } = await person.startUpload(5);
    expect((await putPart(person, downloadId, 1, new Uint8Array(length))).status).toBe(status);
    expect((await putPart(person, downloadId, 2, new Uint8Array(5))).status).toBe(400);
    expect(await env.BUCKET.head(`incoming/${uploadId}`)).toBeNull();
  });

  it("without Content-Length", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await person.startUpload(5);
    const response = await person.fetch(`/api/direct-upload/parts/${downloadId}/1`, {
      method: "PUT",
      body: new Blob([patternBytes(5)]).stream().pipeThrough(new TransformStream()),
    });
    expect([response.status, await response.json()]).toMatchObject([411, { code: "LENGTH_REQUIRED" }]);
    expect(await env.BUCKET.head(`incoming/${uploadId}`)).toBeNull();
  });

  it.each([5, IN_PARTS])("after a file of %i bytes is finished or cancelled", async (size) => {
    const person = await signUp();
    const cancelled = await person.startUpload(size);
    await person.post("/api/direct-upload/cancel", { downloadId: cancelled.downloadId });
    const late = await putPart(person, cancelled.downloadId, 1, partOf(patternBytes(size), 1));
    expect([late.status, await late.json()]).toMatchObject([409, { code: "UPLOAD_CLOSED" }]);

    const finished = await person.startUpload(size);
    const bytes = patternBytes(size);
    for (const part of size === 5 ? [1] : [1, 2, 3]) {
      await putPart(person, finished.downloadId, part, partOf(bytes, part));
    }
    expect((await person.complete(finished.downloadId)).status).toBe(200);
    const again = await putPart(person, finished.downloadId, 1, partOf(patternBytes(size, 2), 1));
    expect([again.status, await again.json()]).toMatchObject([409, { code: "UPLOAD_FINISHED" }]);
    await expectFile(finished.downloadId, bytes);
  });

  it("from another account with 404, and from a visitor with 401", async () => {
    const owner = await signUp();
    const { uploadId, downloadId } = await owner.startUpload(5);
    expect((await putPart(await signUp(), downloadId, 1, patternBytes(5))).status).toBe(404);
    expect((await putPart(new Client(), downloadId, 1, patternBytes(5))).status).toBe(401);
    expect((await putPart(owner, "A".repeat(22), 1, patternBytes(5))).status).toBe(404);
    expect((await putPart(owner, "no-id", 1, patternBytes(5))).status).toBe(400);
    expect(await env.BUCKET.head(`incoming/${uploadId}`)).toBeNull();
  });
});
