import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { partRange } from "#domain/parts.ts";
import { MIB } from "#domain/units.ts";
import type { CompletedPart, StartUploadAnswer } from "#domain/wire.ts";
import { init, put, chunksOf } from "../support/chunked.ts";
import { batch, crc32Hex, join, putObject, sendBatch, startTransfer, textFile } from "../support/transfers.ts";
import { programOf } from "../support/v1.ts";
import { answerOf, Client, contentPath, patternBytes, rowOf, signUp, storePart } from "../support/worker.ts";

// The local store hashes in JavaScript, which takes seconds for 16 MiB on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const SIZE = 16 * MIB + 1;
const BYTES = patternBytes(SIZE);
const FILE = { filename: "film.mp4", lastModified: 1_700_000_000_000, fingerprint: "a1".repeat(32) };

function bytesOf(part: number): Uint8Array<ArrayBuffer> {
  const { start, end } = partRange(SIZE, part);
  return BYTES.slice(start, end);
}

async function store(uploadId: string, part: number, bytes = bytesOf(part)): Promise<CompletedPart> {
  return { ...(await storePart(uploadId, part, bytes)), crc32: crc32Hex(bytes) };
}

async function report({ downloadId }: StartUploadAnswer, person: Client, ...receipts: CompletedPart[]): Promise<void> {
  const response = await person.post("/api/direct-upload/sign-parts", { downloadId, parts: [], receipts });
  expect(response.status).toBe(200);
}

describe("the sums of parts", () => {
  it("come back with a resumed start, those of the bytes that storage has last", async () => {
    const person = await signUp();
    const first = await person.startUpload(SIZE, FILE);
    expect(first).not.toHaveProperty("sums");
    await report(first, person, await store(first.uploadId, 1, patternBytes(8 * MIB, 7)));
    await report(first, person, await store(first.uploadId, 1), await store(first.uploadId, 3));
    await evictDurableObject(env.UPLOADS.get(env.UPLOADS.idFromName(first.uploadId)));
    expect(await person.startUpload(SIZE, FILE)).toMatchObject({
      uploadId: first.uploadId,
      received: [1, 3],
      sums: [
        { part: 1, crc32: crc32Hex(bytesOf(1)) },
        { part: 3, crc32: crc32Hex(bytesOf(3)) },
      ],
    });
  });

  it("are left out for parts of a client that tells none, and forgotten when such a client sends a part again", async () => {
    const person = await signUp();
    const first = await person.startUpload(SIZE, FILE);
    const receipt = await store(first.uploadId, 1);
    const { crc32: _sum, ...without } = receipt;
    await report(first, person, receipt, { ...(await store(first.uploadId, 2)), crc32: undefined });
    await report(first, person, without);
    expect(await person.startUpload(SIZE, FILE)).toMatchObject({ received: [1, 2], sums: [{ part: 1 }] });
    await report(first, person, { part: 1, etag: (await store(first.uploadId, 1, patternBytes(8 * MIB, 7))).etag });
    const again = await person.startUpload(SIZE, FILE);
    expect(again.received).toEqual([1, 2]);
    expect(again).not.toHaveProperty("sums");
  });

  it("of a part through the Worker stand in its address", async () => {
    const person = await signUp();
    const first = await person.startUpload(SIZE, FILE);
    const send = (part: number, query: string) =>
      person.fetch(`/api/direct-upload/parts/${first.downloadId}/${part}${query}`, {
        method: "PUT",
        headers: { "content-length": String(bytesOf(part).byteLength) },
        body: bytesOf(part),
      });
    expect((await send(3, `?crc32=${crc32Hex(bytesOf(3))}`)).status).toBe(200);
    expect((await send(2, "")).status).toBe(200);
    expect((await send(1, "?crc32=xyz")).status).toBe(400);
    expect(await person.startUpload(SIZE, FILE)).toMatchObject({
      received: [2, 3],
      sums: [{ part: 3, crc32: crc32Hex(bytesOf(3)) }],
    });
  });

  it("of a program's upload come back by v1", async () => {
    const program = await programOf(await signUp());
    const body = { name: "film.mp4", size: SIZE, lastModified: FILE.lastModified, fingerprint: FILE.fingerprint };
    const first = await program.answer<{ id: string }>("/uploads", "POST", body);
    const receipts = [await store(first.id, 2)];
    await program.answer(`/uploads/${first.id}/parts`, "POST", { parts: [], receipts });
    expect(await program.answer("/uploads", "POST", body)).toMatchObject({
      id: first.id,
      received: [2],
      sums: [{ part: 2, crc32: crc32Hex(bytesOf(2)) }],
    });
  });

  it("of an upload in chunks are the server's, by part of 8 MiB", async () => {
    const person = await signUp();
    const upload = await init(person, SIZE, FILE);
    for (const [index, chunk] of chunksOf(BYTES, MIB).slice(0, 9).entries()) {
      expect((await put(person, upload.uploadId, index, chunk)).status).toBe(200);
    }
    expect(await init(person, SIZE, FILE)).toMatchObject({
      uploadId: upload.uploadId,
      nextChunk: 9,
      partSizeBytes: 8_388_608,
      sums: [{ part: 1, crc32: crc32Hex(bytesOf(1)) }],
    });
  });
});

describe("an upload whose parts are not those of the file that its sender has read", () => {
  async function sendWith(part2: Uint8Array<ArrayBuffer>) {
    const person = await signUp();
    const upload = await person.startUpload(SIZE, FILE);
    const { uploadId, downloadId } = upload;
    const receipts = [await store(uploadId, 1), await store(uploadId, 2, part2), await store(uploadId, 3)];
    const complete = (crc32: string) =>
      answerOf(person.post("/api/direct-upload/complete", { downloadId, receipts, crc32 }));
    return { person, downloadId, uploadId, complete };
  }

  it("fails, keeps nothing and gives its month back", async () => {
    const { person, downloadId, uploadId, complete } = await sendWith(patternBytes(8 * MIB, 7));
    const message = "This file has changed since its upload began, so what arrived was deleted. Send it again.";
    expect(await complete(crc32Hex(BYTES))).toMatchObject([409, { code: "FILE_CHANGED", message }]);
    expect((await new Client().fetch(`/api/files/download/${downloadId}`)).status).toBe(404);
    expect((await new Client().fetch(contentPath(downloadId))).status).toBe(404);
    expect(await env.BUCKET.head(`files/${uploadId}`)).toBeNull();
    expect(await rowOf("select monthly_upload_total as bytes from users where id = ?", person.id)).toEqual({
      bytes: 0,
    });
    expect((await person.startUpload(SIZE, FILE)).uploadId).not.toBe(uploadId);
  });

  it("is ready when they are, or when no sum is told", async () => {
    const right = await sendWith(bytesOf(2));
    expect((await right.complete(crc32Hex(BYTES)))[0]).toBe(200);
    const person = await signUp();
    const { uploadId, downloadId } = await person.startUpload(SIZE, FILE);
    // An older program tells the sum of no part.
    const receipts = await Promise.all([1, 2, 3].map((part) => storePart(uploadId, part, bytesOf(part))));
    const told = { downloadId, receipts, crc32: "0badcafe" };
    expect((await person.post("/api/direct-upload/complete", told)).status).toBe(200);
  });
});

describe("an unfinished transfer", () => {
  const FILES = [textFile("a.txt"), textFile("b.txt")];
  const fingerprint = "cd".repeat(32);

  it("tells its sender the sums of stored files and of objects on their way, and recipients none", async () => {
    const person = await signUp();
    const open = [
      { object: 0, runs: [[0, 1]] },
      { object: 1, runs: [[1, 1]] },
    ];
    const started = await startTransfer(person, FILES, { fingerprint, open });
    const { downloadId } = started;
    const [first, second] = FILES.map(({ bytes }) => bytes);
    await batch(person, downloadId, { receipts: await putObject(started, 0, first ?? join([])) });
    await expect.poll(async () => (await batch(person, downloadId)).stored).toEqual([[0, 1]]);
    const again = await startTransfer(person, FILES, { fingerprint });
    expect(again.received).toEqual([{ object: 1, runs: [[1, 1]], parts: [] }]);
    const listOf = async (reader: Client) =>
      (await reader.fetch(`/api/files/download/${downloadId}/entries`)).json<{ entries: { crc32?: string }[] }>();
    expect((await listOf(person)).entries.map(({ crc32 }) => crc32)).toEqual([crc32Hex(first ?? join([])), undefined]);
    expect((await listOf(new Client())).entries.map(({ crc32 }) => crc32)).toEqual([undefined, undefined]);
    expect(second).toBeDefined();
  });
});

describe("addresses that a batch asks for", () => {
  const FILES = [textFile("a.txt"), textFile("b.txt")];

  it.each([
    ["an object that was never opened", { object: 7, parts: [1] }, "There is no part 1 of object 7."],
    ["a part that the object has not", { object: 0, parts: [2] }, "There is no part 2 of object 0."],
  ])("are refused for %s", async (_what, asked, message) => {
    const person = await signUp();
    const { downloadId } = await startTransfer(person, FILES, { open: [{ object: 0, runs: [[0, 2]] }] });
    const answer = await answerOf(sendBatch(person, downloadId, { sign: [asked] }));
    expect(answer).toMatchObject([400, { code: "BAD_REQUEST", message }]);
  });

  it("come for each item, when one object is named twice", async () => {
    const person = await signUp();
    const large = { ...textFile("large.bin"), bytes: patternBytes(SIZE) };
    const { downloadId } = await startTransfer(person, [large], { open: [{ object: 0, runs: [[0, 1]] }] });
    const sign = [
      { object: 0, parts: [3] },
      { object: 0, parts: [1, 3] },
    ];
    const { urls } = await batch(person, downloadId, { sign });
    expect(urls.map(({ part }) => part).sort()).toEqual([1, 3]);
  });
});

describe("removed files of a pack", () => {
  const FILES = ["a", "b", "c"].map((path) => textFile(path, "0123456789"));

  it("count again once the pack is stored, since zeros stand in their places", async () => {
    const person = await signUp();
    const fingerprint = "ef".repeat(32);
    const started = await startTransfer(person, FILES, { fingerprint, open: [{ object: 0, runs: [[0, 3]] }] });
    const { downloadId } = started;
    const receipts = await putObject(started, 0, join(FILES.map(({ bytes }) => bytes)));
    await batch(person, downloadId, { remove: [1] });
    await batch(person, downloadId, { receipts });
    await expect
      .poll(async () => (await batch(person, downloadId)).stored)
      .toEqual([
        [0, 1],
        [2, 1],
      ]);
    expect(await startTransfer(person, FILES, { fingerprint })).toMatchObject({ announcedBytes: 30 });
  });

  it("are not stored where others have taken their room: the pack's other files are sent in another one", async () => {
    const person = await signUp();
    const started = await startTransfer(person, FILES, { open: [{ object: 0, runs: [[0, 3]] }] });
    const { downloadId } = started;
    const receipts = await putObject(started, 0, join(FILES.map(({ bytes }) => bytes)));
    const list = [["d", 10, 1_769_860_800_000]];
    await batch(person, downloadId, { remove: [1], entries: { from: 3, list } });
    expect(await batch(person, downloadId, { receipts })).toMatchObject({ stored: [], again: [0] });
    await expect.poll(() => env.BUCKET.head(`files/${started.uploadId}/00000`)).toBeNull();
    expect(
      await batch(person, downloadId, {
        open: [
          {
            object: 1,
            runs: [
              [0, 1],
              [2, 2],
            ],
          },
        ],
      }),
    ).toMatchObject({
      opened: [{ object: 1, partSizeBytes: 30 }],
    });
  });
});
