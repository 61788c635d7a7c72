import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { KIB, MIB } from "#domain/units.ts";
import type { DownloadInfo, StartUploadAnswer } from "#domain/wire.ts";
import { findFileById } from "#worker/db/files.ts";
import { canBeFollowed, followedFile, FollowingReader } from "#worker/downloads/follow-upload.ts";
import { servicesFor } from "#worker/services.ts";
import { RECORD_BYTES } from "#domain/seal/sizes.ts";
import { finalize, init, put, stubOf } from "../support/chunked.ts";
import { Reading } from "../support/reading.ts";
import { Recipient } from "../support/recipient.ts";
import { create, newProgram, send as append, startTus, tusOf } from "../support/tus.ts";
import {
  manifestOf,
  markOfBytes,
  newSeal,
  openStream,
  putManifest,
  requireOk,
  SEALED_FILE,
  sealAtStart,
  sealedBytes,
  unlockSealed,
} from "../support/sealed-uploads.ts";
import {
  answerOf,
  Client,
  contentPath,
  logInAdmin,
  patternBytes,
  rowOf,
  signUp,
  storePart,
} from "../support/worker.ts";

/** Nine parts, the last of 100 KiB: each one is a segment. */
const SIZE = 64 * MIB + 100 * KIB;
const PART = 8 * MIB;
const TAIL = 64 * KIB;
const BYTES = patternBytes(SIZE);
const visitor = new Client();

interface Followed extends StartUploadAnswer {
  owner: Client & { email: string };
}

async function start(more: Record<string, unknown> = {}): Promise<Followed> {
  const owner = await signUp();
  return { ...(await owner.startUpload(SIZE, { filename: "film.mp4", fileType: "video/mp4", ...more })), owner };
}

/** Sends parts and reports them. */
async function send({ uploadId, downloadId, owner }: Followed, ...parts: number[]): Promise<void> {
  const receipts = [];
  for (const part of parts) receipts.push(await storePart(uploadId, part, BYTES.slice((part - 1) * PART, part * PART)));
  const response = await owner.post("/api/direct-upload/sign-parts", { downloadId, parts: [], receipts });
  expect(response.status).toBe(200);
}

const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9];

async function complete({ owner, downloadId }: Followed): Promise<void> {
  expect((await owner.complete(downloadId)).status).toBe(200);
}

function follow(
  { downloadId }: Pick<Followed, "downloadId">,
  range?: string,
  reader: Client | Recipient = visitor,
  more: Record<string, string> = {},
) {
  const headers: Record<string, string> = { ...more, ...(range !== undefined && { range }) };
  return reader.fetch(`${contentPath(downloadId)}?follow=1`, { headers });
}

/** Kills the upload's object in the middle of what it does. */
async function kill(uploadId: string): Promise<void> {
  const killing = runInDurableObject(stubOf(uploadId), (_, state) => state.abort("killed by the test"));
  await expect(killing).rejects.toThrow("killed by the test");
}

function expectBytes(bytes: Uint8Array, from: number, to: number): void {
  expect(bytes.byteLength).toBe(to - from);
  // An assertion on each byte would take seconds.
  expect(bytes.every((byte, at) => byte === BYTES[from + at])).toBe(true);
}

describe("a file that is still being uploaded", () => {
  it("is downloaded whole by somebody who begins early, and counted once [FOL-15]", async () => {
    const upload = await start();
    await send(upload, 1);
    const response = await follow(upload);
    expect([response.status, response.headers.get("content-length")]).toEqual([200, String(SIZE)]);
    const reading = new Reading(response, SIZE);
    await reading.to(PART - TAIL);
    await send(upload, 2, 3);
    await reading.to(3 * PART - TAIL);
    await send(upload, 4, 5, 6, 7, 8, 9);
    await reading.to(SIZE - TAIL);
    await complete(upload);
    await reading.end();
    expectBytes(reading.bytes, 0, SIZE);
    await expect
      .poll(() => rowOf("select download_count as n from files where id = ?", upload.uploadId))
      .toEqual({ n: 1 });
  });

  it("names its address until it is ready, and is 409 without it [FOL-16]", async () => {
    const upload = await start();
    const path = `/api/files/download/${upload.downloadId}`;
    const info = async () => (await visitor.fetch(path)).json<DownloadInfo>();
    expect(await info()).toMatchObject({
      status: "uploading",
      downloadUrl: null,
      followUrl: `/api/files/download/${upload.downloadId}/content?follow=1`,
    });
    const [status, link] = await answerOf(visitor.fetch(`/api/v1/links/${upload.downloadId}`));
    expect([status, link["followUrl"]]).toEqual([200, `/api/files/download/${upload.downloadId}/content?follow=1`]);
    const early = await visitor.fetch(contentPath(upload.downloadId));
    expect([early.status, early.headers.get("retry-after")]).toEqual([409, "5"]);
    await send(upload, ...ALL);
    await complete(upload);
    expect(await info()).toMatchObject({ status: "ready" });
    expect(await info()).not.toHaveProperty("followUrl");
  });

  it("has the same length, ETag and date before and after the end [FOL-16]", { tags: ["long"] }, async () => {
    const upload = await start();
    const head = async (query: string) => {
      const { status, headers } = await visitor.fetch(`${contentPath(upload.downloadId)}${query}`, { method: "HEAD" });
      const names = ["content-length", "content-type", "accept-ranges", "etag", "last-modified"];
      return [status, ...names.map((name) => headers.get(name))];
    };
    const before = await head("?follow=1");
    expect(before.slice(0, 4)).toEqual([200, String(SIZE), "video/mp4", "bytes"]);
    expect(before[4]).toMatch(/^"[0-9a-f]{32}"$/);
    await send(upload, ...ALL);
    await complete(upload);
    expect(await head("?follow=1")).toEqual(before);
    expect(await head("")).toEqual(before);
  });

  it(
    "gives every range the sender's bytes, before, across and after the end [FOL-15]",
    { tags: ["long"] },
    async () => {
      const upload = await start();
      await send(upload, 1, 2);
      const stored = await follow(upload, `bytes=${PART - 10}-${PART + 9}`);
      expect([stored.status, stored.headers.get("content-range")]).toEqual([
        206,
        `bytes ${PART - 10}-${PART + 9}/${SIZE}`,
      ]);
      expectBytes(new Uint8Array(await stored.arrayBuffer()), PART - 10, PART + 10);
      const [ahead, across, last] = await Promise.all([
        follow(upload, `bytes=${4 * PART - 5}-${4 * PART + 4}`),
        follow(upload, `bytes=${2 * PART - 3}-`),
        follow(upload, "bytes=-70000"),
      ]);
      expect([ahead.status, across.status, last.status]).toEqual([206, 206, 206]);
      const reading = ahead.arrayBuffer();
      await send(upload, 3, 4, 5);
      expectBytes(new Uint8Array(await reading), 4 * PART - 5, 4 * PART + 5);
      const rest = [across.arrayBuffer(), last.arrayBuffer()];
      await send(upload, 6, 7, 8, 9);
      await complete(upload);
      const [acrossBytes = new ArrayBuffer(), lastBytes = new ArrayBuffer()] = await Promise.all(rest);
      expectBytes(new Uint8Array(acrossBytes), 2 * PART - 3, SIZE);
      expectBytes(new Uint8Array(lastBytes), SIZE - 70_000, SIZE);
      expectBytes(new Uint8Array(await (await follow(upload, "bytes=100-199")).arrayBuffer()), 100, 200);
    },
  );

  it("resumes with the ETag of the start, and begins anew with another [FOL-16]", { tags: ["long"] }, async () => {
    const upload = await start();
    await send(upload, 1);
    const etag =
      (await visitor.fetch(`${contentPath(upload.downloadId)}?follow=1`, { method: "HEAD" })).headers.get("etag") ?? "";
    const statusWith = async (ifRange: string) => {
      const response = await follow(upload, "bytes=10-19", visitor, { "if-range": ifRange });
      await response.body?.cancel();
      return response.status;
    };
    expect([await statusWith(etag), await statusWith('"another"')]).toEqual([206, 200]);
    await send(upload, 2, 3, 4, 5, 6, 7, 8, 9);
    await complete(upload);
    expect([await statusWith(etag), await statusWith('"another"')]).toEqual([206, 200]);
  });

  it("keeps its last 64 KiB until the upload is complete [FOL-15]", async () => {
    const upload = await start();
    await send(upload, ...ALL);
    const reading = new Reading(await follow(upload), SIZE);
    await reading.to(SIZE - TAIL);
    expect(reading.bytes.byteLength).toBe(SIZE - TAIL);
    const before = new Reading(await follow(upload, `bytes=${SIZE - TAIL - 10}-${SIZE - TAIL - 1}`), SIZE);
    await before.end();
    expectBytes(before.bytes, SIZE - TAIL - 10, SIZE - TAIL);
    const held = await follow(upload, "bytes=-1");
    expect(held.status).toBe(206);
    await complete(upload);
    expectBytes(new Uint8Array(await held.arrayBuffer()), SIZE - 1, SIZE);
    await reading.end();
    expectBytes(reading.bytes, 0, SIZE);
  });

  it.each([
    [
      "is cancelled",
      (upload: Followed) => upload.owner.post("/api/direct-upload/cancel", { downloadId: upload.downloadId }),
    ],
    [
      "is deleted by its owner",
      (upload: Followed) => upload.owner.fetch(`/api/files/${upload.uploadId}`, { method: "DELETE" }),
    ],
    [
      "is taken down",
      async (upload: Followed) =>
        (await logInAdmin()).post(`/api/admin/files/${upload.uploadId}/take-down`, { reason: "Malware." }),
    ],
  ])("that %s cuts whoever follows, and counts nothing [FOL-17]", async (_how, end) => {
    const upload = await start();
    await send(upload, 1);
    const reading = new Reading(await follow(upload), SIZE);
    await reading.to(PART - TAIL);
    const response = await end(upload);
    expect(response.status).toBeLessThan(300);
    await expect(reading.end()).rejects.toThrow();
    expect((await follow(upload)).status).toBe(404);
    expect(await rowOf("select download_count as n from files where id = ?", upload.uploadId)).toEqual({ n: 0 });
  });

  it("tells whoever followed it that its file has changed [FOL-8, FOL-17]", async () => {
    const upload = await start();
    await send(upload, 1);
    const reading = new Reading(await follow(upload), SIZE);
    await reading.to(PART - TAIL);
    const receipt = { ...(await storePart(upload.uploadId, 2, BYTES.slice(PART, 2 * PART))), crc32: "0000002a" };
    const report = (crc32: string) =>
      upload.owner.post("/api/direct-upload/sign-parts", {
        downloadId: upload.downloadId,
        parts: [],
        receipts: [{ ...receipt, crc32 }],
      });
    expect((await report("0000002a")).status).toBe(200);
    await reading.to(2 * PART - TAIL);
    expect((await report("0000002b")).status).toBe(409);
    // Both while only the upload's object knows of the end, and when its row does.
    const gone = { code: "FILE_NOT_FOUND", reason: "FILE_CHANGED" };
    expect(await answerOf(follow(upload))).toMatchObject([404, gone]);
    await expect(reading.end()).rejects.toThrow();
    await expect
      .poll(() => rowOf("select status from files where id = ?", upload.uploadId))
      .toEqual({ status: "failed" });
    expect(await answerOf(follow(upload))).toMatchObject([404, gone]);
    expect(await answerOf(visitor.fetch(`/api/v1/links/${upload.downloadId}`))).toMatchObject([404, gone]);
  });

  it("needs its password, and a new one cuts nobody [FOL-18]", { tags: ["long"] }, async () => {
    const upload = await start({ guards: { password: "a good one" } });
    await send(upload, 1);
    expect((await follow(upload)).status).toBe(401);
    const reader = new Recipient();
    expect((await reader.unlock(upload.downloadId, "a good one")).status).toBe(200);
    const reading = new Reading(await follow(upload, undefined, reader), SIZE);
    await reading.to(PART - TAIL);
    expect(
      (await upload.owner.patch(`/api/files/${upload.uploadId}`, { guards: { password: "another one" } })).status,
    ).toBe(200);
    await send(upload, 2, 3, 4, 5, 6, 7, 8, 9);
    await complete(upload);
    await reading.end();
    expectBytes(reading.bytes, 0, SIZE);
  });

  it("takes one of its downloads, and counts it at the end [FOL-18]", async () => {
    const upload = await start({ guards: { maxDownloads: 1 } });
    await send(upload, 1);
    const reader = new Recipient();
    expect((await follow(upload, undefined, reader)).status).toBe(409);
    expect((await reader.take(upload.downloadId)).status).toBe(201);
    const reading = new Reading(await follow(upload, undefined, reader), SIZE);
    await reading.to(PART - TAIL);
    expect((await new Recipient().take(upload.downloadId)).status).toBe(409);
    await send(upload, 2, 3, 4, 5, 6, 7, 8, 9);
    await complete(upload);
    await reading.end();
    expectBytes(reading.bytes, 0, SIZE);
    await expect
      .poll(() => rowOf("select download_count as n, downloads_used as used from files where id = ?", upload.uploadId))
      .toEqual({ n: 1, used: 1 });
  });

  it("is taken with the form of its page, whose scripts have not come yet [FOL-18]", async () => {
    const upload = await start({ guards: { maxDownloads: 1 } });
    await send(upload, 1);
    const reader = new Recipient();
    const page = await (await reader.fetch(`/download/${upload.downloadId}`)).text();
    const [, action = ""] = /formaction="([^"]+)"/i.exec(page) ?? [];
    expect(action).toBe(`/api/files/download/${upload.downloadId}/take?follow=1`);
    const taken = await reader.submit(action);
    const address = new URL(taken.headers.get("location") ?? "", "http://localhost");
    expect([taken.status, address.pathname, address.searchParams.get("follow")]).toEqual([
      303,
      contentPath(upload.downloadId),
      "1",
    ]);
    const response = await new Recipient().fetch(address.pathname + address.search);
    const reading = new Reading(response, SIZE);
    await reading.to(PART - TAIL);
    expectBytes(reading.bytes, 0, PART - TAIL);
    expect(response.status).toBe(200);
  });

  it("shows a film before it has arrived, and no picture [FOL-19]", async () => {
    const preview = async ({ downloadId }: Followed) =>
      visitor.fetch(`/api/files/download/${downloadId}/preview?follow=1`, { headers: { range: "bytes=0-99" } });
    const film = await start();
    await send(film, 1);
    const response = await preview(film);
    expect([response.status, response.headers.get("content-type")]).toEqual([206, "video/mp4"]);
    expectBytes(new Uint8Array(await response.arrayBuffer()), 0, 100);
    const picture = await start({ filename: "a.jpg", fileType: "image/jpeg" });
    await send(picture, 1);
    expect((await preview(picture)).status).toBe(409);
  });

  it(
    "answers who comes before its first byte with 409 and when to come again [FOL-16]",
    { timeout: 40_000, tags: ["long"] },
    async () => {
      const upload = await start();
      const response = await follow(upload);
      expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
        409,
        "5",
        expect.objectContaining({ code: "UPLOAD_UNFINISHED" }),
      ]);
    },
  );

  it(
    "gives a few bytes while the sender pauses, and goes on when the sender does [FOL-20]",
    { timeout: 60_000, tags: ["long"] },
    async () => {
      const upload = await start();
      await send(upload, 1);
      const reading = new Reading(await follow(upload), SIZE);
      await reading.to(PART - TAIL + 512);
      expect(reading.bytes.byteLength).toBe(PART - TAIL + 512);
      await reading.to(PART - TAIL + 1024);
      await send(upload, 2, 3, 4, 5, 6, 7, 8, 9);
      await complete(upload);
      await reading.end();
      expectBytes(reading.bytes, 0, SIZE);
    },
  );
});

it("a sealed file whose stored part gets another mark ends, and nobody has bytes of two files [FOL-8]", async () => {
  const owner = await signUp();
  const sealer = await newSeal();
  const sealed = await sealedBytes(sealer, BYTES);
  const seal = await sealAtStart(sealer, manifestOf([{ name: "a", type: "video/mp4", bytes: BYTES }], false));
  const { uploadId, downloadId } = await owner.startUpload(sealed.length, { ...SEALED_FILE, seal });
  const records = sealed.subarray(0, PART);
  const receipt = { ...(await storePart(uploadId, 1, records)), mark: await markOfBytes(sealer, 0, 1, records) };
  const report = (mark: string) =>
    answerOf(owner.post("/api/direct-upload/sign-parts", { downloadId, parts: [], receipts: [{ ...receipt, mark }] }));
  expect((await report(receipt.mark))[0]).toBe(200);
  expect((await report(receipt.mark))[0]).toBe(200);
  const other = await markOfBytes(sealer, 0, 1, sealed.subarray(PART, 2 * PART));
  expect(await report(other)).toMatchObject([409, { code: "FILE_CHANGED" }]);
  expect(await answerOf(owner.complete(downloadId))).toMatchObject([409, { code: "FILE_CHANGED" }]);
});

it("a stretch of a response that goes on keeps bytes for a pause behind it [FOL-20]", async () => {
  const upload = await start();
  await send(upload, 1);
  const services = servicesFor(env);
  const row = await findFileById(services.db, upload.uploadId);
  if (!row || !canBeFollowed(row)) return expect.unreachable();
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const reading = new Reading(new Response(readable), SIZE);
  const sending = (await new FollowingReader(services, followedFile(services, row)).open({ offset: 0, length: PART }))(
    writable,
    {
      preventClose: true,
    },
  );
  await reading.to(PART - TAIL);
  expect(reading.bytes.byteLength).toBe(PART - TAIL);
  await send(upload, 2);
  await reading.to(PART);
  await sending;
  expectBytes(reading.bytes, 0, PART);
});

it("a sealed file is followed by whoever has its key, and ends after the final list [SEAL-39]", async () => {
  const owner = await signUp();
  const sealer = await newSeal();
  const file = { name: "film.mp4", type: "video/mp4", bytes: BYTES };
  const sealed = await sealedBytes(sealer, BYTES);
  const seal = await sealAtStart(sealer, manifestOf([file], false));
  const upload = { ...(await owner.startUpload(sealed.length, { ...SEALED_FILE, seal })), owner };
  const { uploadId, downloadId } = upload;
  const send = async (...parts: number[]) => {
    const receipts = [];
    for (const part of parts) {
      const records = sealed.subarray((part - 1) * PART, part * PART);
      const { etag } = await storePart(uploadId, part, records);
      receipts.push({ part, etag, mark: await markOfBytes(sealer, 0, part, records) });
    }
    await requireOk(owner.post("/api/direct-upload/sign-parts", { downloadId, parts: [], receipts }));
  };
  await send(1);
  expect((await follow(upload)).status).toBe(401);
  const reader = new Recipient();
  const { info } = await unlockSealed(reader, downloadId, sealer);
  expect(info.followUrl).toBe(`/api/files/download/${downloadId}/content?follow=1`);
  const early = await follow(upload, `bytes=0-${2 * RECORD_BYTES - 1}`, reader);
  expect(early.status).toBe(206);
  const records = new Uint8Array(await early.arrayBuffer());
  const opened = await openStream(sealer, 0, SIZE, records);
  expectBytes(opened, 0, opened.length);

  const reading = new Reading(await follow(upload, undefined, reader), sealed.length);
  await send(2, 3, 4, 5, 6, 7, 8, 9);
  expect((await owner.complete(downloadId)).status).toBe(409);
  await reading.to(sealed.length - TAIL);
  expect(reading.bytes.byteLength).toBe(sealed.length - TAIL);
  await requireOk(putManifest(owner, uploadId, sealer, 1, manifestOf([file], true)));
  await complete(upload);
  await reading.end();
  expectBytes(await openStream(sealer, 0, SIZE, reading.bytes), 0, SIZE);
  expect((await unlockSealed(reader, downloadId, sealer)).info).not.toHaveProperty("followUrl");
});

describe("a file that is read while it comes", { tags: ["long"] }, () => {
  it("in chunks, through a kill, is the sender's file [FOL-21, FOL-15]", async () => {
    const owner = await signUp();
    const upload = await init(owner, SIZE);
    const putChunks = async (from: number, to: number) => {
      for (let index = from; index < to; index += 1)
        expect((await put(owner, upload.uploadId, index, BYTES.subarray(index * MIB, (index + 1) * MIB))).status).toBe(
          200,
        );
    };
    await putChunks(0, 12);
    const reading = new Reading(await follow(upload), SIZE);
    await reading.to(PART - TAIL);
    await kill(upload.uploadId);
    await putChunks(12, 65);
    await reading.to(SIZE - TAIL);
    expect((await finalize(owner, upload.uploadId)).status).toBe(200);
    await reading.end();
    expectBytes(reading.bytes, 0, SIZE);
  });

  it("by tus, through a kill, is the sender's file [FOL-21, FOL-15]", async () => {
    const tus = await startTus(SIZE, await newProgram());
    const info = await visitor.fetch(`/api/files/download/${tus.downloadId}`);
    expect(await info.json()).toMatchObject({
      status: "uploading",
      followUrl: `/api/files/download/${tus.downloadId}/content?follow=1`,
    });
    expect((await append(tus, 0, BYTES.subarray(0, 12 * MIB))).status).toBe(204);
    const reading = new Reading(await follow(tus), SIZE);
    await reading.to(PART - TAIL);
    await kill(tus.id);
    expect((await append(tus, 12 * MIB, BYTES.subarray(12 * MIB, 64 * MIB))).status).toBe(204);
    await reading.to(64 * MIB - TAIL);
    expect((await append(tus, 64 * MIB, BYTES.subarray(64 * MIB))).status).toBe(204);
    await reading.end();
    expectBytes(reading.bytes, 0, SIZE);
  });
});

it("a browser that goes to the bytes before there are any comes back to the link's page [FOL-10]", async () => {
  const { downloadId } = await (await signUp()).startUpload(1000);
  const response = await visitor.fetch(`${contentPath(downloadId)}?follow=1`, {
    headers: { "sec-fetch-mode": "navigate" },
    redirect: "manual",
  });
  expect([response.status, response.headers.get("location")]).toEqual([303, `/download/${downloadId}`]);
});

describe("a file that cannot be followed", () => {
  it("because its size was unknown at its start is 409 at once, and names no address [FOL-16]", async () => {
    const tus = await tusOf(create(await newProgram(), null));
    const response = await follow(tus);
    expect([response.status, response.headers.get("retry-after")]).toEqual([409, "5"]);
    expect(await (await visitor.fetch(`/api/files/download/${tus.downloadId}`)).json()).not.toHaveProperty("followUrl");
  });

  it.each([
    ["is below 64 MiB", 64 * MIB - 1],
    ["goes in one request", 1000],
  ])("because it %s is 409 at once, and names no address [FOL-16]", async (_why, size) => {
    const owner = await signUp();
    const { downloadId } = await owner.startUpload(size);
    const response = await visitor.fetch(`${contentPath(downloadId)}?follow=1`);
    expect([response.status, response.headers.get("retry-after")]).toEqual([409, "5"]);
    expect(await (await visitor.fetch(`/api/files/download/${downloadId}`)).json()).not.toHaveProperty("followUrl");
  });
});
