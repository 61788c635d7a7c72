// @module-tag long
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { KIB, MIB } from "#domain/units.ts";
import type { CompletedObjectPart } from "#domain/wire.ts";
import { numberedKey } from "#worker/storage/keys.ts";
import { FILM, FILM_PART, FILM_PARTS, FILM_SIZE, openObject, putPart, sendParts } from "../support/film-transfers.ts";
import { STORE_ERROR, strike } from "../support/faults.ts";
import { batch, crc32Hex, finish, putObject, sendBatch, textFile } from "../support/transfers.ts";
import { answerOf, rowOf } from "../support/worker.ts";
import {
  evict,
  expectEnded,
  keysOf,
  listOf,
  ownerWithFaults,
  phasesOf,
  recordOf,
  runAlarmTwice,
  start,
  textOf,
  waitForPhases,
  type Transfer,
} from "./transfer-support.ts";

const NOTE = textFile("note.txt");

/** A film, which object 0 holds, and a note, which object 1 holds. */
async function startFilm(): Promise<Transfer & { note(): Promise<CompletedObjectPart[]> }> {
  const transfer = await start([FILM, NOTE]);
  await openObject(transfer, 0, 0);
  const note = async () => {
    const opened = await openObject(transfer, 1, 1);
    return putObject(opened, 1, NOTE.bytes);
  };
  return { ...transfer, note };
}

const keysAt = ({ id }: Transfer, ...numbers: number[]) => numbers.map((number) => numberedKey(id, number));

/** How far the film can be read from its start. */
async function readableTo({ stub, id }: Transfer, object = 0): Promise<number | string> {
  using answer = await stub.follow({ fileId: id, n: 0, object }, "a test", 0, 0);
  return answer.ok ? answer.storedTo : answer.code;
}

async function bytesFrom({ id }: Transfer, object: number): Promise<Uint8Array> {
  const objects = await Promise.all(
    FILM_PARTS.map(async (_, segment) => (await env.BUCKET.get(numberedKey(id, object + segment)))?.bytes()),
  );
  const whole = new Uint8Array(FILM_SIZE);
  let at = 0;
  for (const bytes of objects) {
    if (bytes) whole.set(bytes, at);
    at += bytes?.byteLength ?? 0;
  }
  return whole.subarray(0, at);
}

const isWhole = (bytes: Uint8Array) =>
  bytes.byteLength === FILM_SIZE && bytes.every((byte, at) => byte === FILM.bytes[at]);

describe("a file of a transfer from 64 MiB on", () => {
  it("is stored in segments as its parts arrive, and other files get the numbers behind it [FOL-22]", async () => {
    const transfer = await startFilm();
    await sendParts(transfer, [2, 9]);
    await expect.poll(() => keysOf(transfer)).toEqual(keysAt(transfer, 1, 8));
    expect(await readableTo(transfer)).toBe(0);
    await sendParts(transfer, [1]);
    await expect.poll(() => readableTo(transfer)).toBe(16 * MIB);
    const note = await transfer.note();
    await batch(transfer.owner, transfer.downloadId, { receipts: note });
    await waitForPhases(transfer, { 0: "open", 1: "stored" });
    expect(await textOf(transfer, 9)).toBe("text of note.txt");
    expect(await batch(transfer.owner, transfer.downloadId)).toMatchObject({
      stored: [[1, 1]],
      received: [
        {
          object: 0,
          parts: [
            [1, 2],
            [9, 1],
          ],
        },
      ],
    });
    await sendParts(transfer, [3, 4, 5, 6, 7, 8]);
    await waitForPhases(transfer, { 0: "stored", 1: "stored" });
    expect((await finish(transfer.owner, transfer.downloadId)).status).toBe(200);
    expect(await rowOf("select object_count as n from files where id = ?", transfer.id)).toEqual({ n: 10 });
    expect(await listOf(transfer)).toMatchObject([
      {
        object: 0,
        offset: 0,
        layout: [
          [8, FILM_PART],
          [1, 100 * KIB],
        ],
        crc32: Number.parseInt(crc32Hex(FILM.bytes), 16),
      },
      { object: 9, offset: 0 },
    ]);
    expect(isWhole(await bytesFrom(transfer, 0))).toBe(true);
  });

  it("has six segments at the start, and others when their URLs are asked for [FOL-22]", async () => {
    const transfer = await start([FILM, { ...FILM, path: "b.mp4" }, { ...FILM, path: "c.mp4" }]);
    const open = [0, 1, 2].map((object) => ({ object, runs: [[object, 1]] }));
    const { urls } = await batch(transfer.owner, transfer.downloadId, { open, sign: [] });
    expect(urls.map(({ object, part }) => [object, part])).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((part) => [0, part]),
      [1, 1],
      [2, 1],
    ]);
    const more = await batch(transfer.owner, transfer.downloadId, { sign: [{ object: 1, parts: [1, 9] }] });
    expect(more.urls.map(({ part, url }) => [part, new URL(url).pathname.slice(-6)])).toEqual([
      [1, "/00009"],
      [9, "/00017"],
    ]);
    expect(new URL(more.urls[1]?.url ?? "").searchParams.get("partNumber")).toBe("1");
  });

  it("keeps what is stored when the object is evicted, and when storage fails [FOL-23]", async () => {
    const transfer = await startFilm();
    const receipts = [await putPart(transfer, 0, 1), await putPart(transfer, 0, 2)];
    const { fate } = strike(100, STORE_ERROR, (call) => call === "complete");
    const answered = await sendBatch(ownerWithFaults(transfer, fate), transfer.downloadId, { receipts });
    expect(answered.status).toBe(200);
    await evict(transfer);
    expect(await readableTo(transfer)).toBe(0);
    await runAlarmTwice(transfer);
    expect(await readableTo(transfer)).toBe(16 * MIB);
    await sendParts(transfer, [3]);
    await expect.poll(() => readableTo(transfer)).toBe(24 * MIB);
    await evict(transfer);
    await sendParts(transfer, [4, 5, 6, 7, 8, 9]);
    await waitForPhases(transfer, { 0: "stored" });
    expect((await finish(transfer.owner, transfer.downloadId, await transfer.note())).status).toBe(200);
    expect(isWhole(await bytesFrom(transfer, 0))).toBe(true);
  });

  it("is stored by the alarm if a crash came between its last segment and itself [FOL-23]", async () => {
    const transfer = await startFilm();
    await sendParts(transfer, FILM_PARTS);
    await waitForPhases(transfer, { 0: "stored" });
    await runInDurableObject(transfer.stub, (_, { storage }) => {
      storage.sql.exec("update objects set phase = 'joining', sums = null");
      for (const part of FILM_PARTS)
        storage.sql.exec("insert into parts values (0, ?, 'etag', ?)", part, part === 9 ? 1 : 2);
    });
    await evict(transfer);
    await runAlarmTwice(transfer);
    expect(await phasesOf(transfer)).toEqual({ 0: "stored" });
  });

  it("sends only the parts of a segment again that storage lacks [FOL-23]", async () => {
    const transfer = await startFilm();
    await sendParts(transfer, [1, 2, 3]);
    await expect.poll(() => readableTo(transfer)).toBe(24 * MIB);
    const lie = { object: 0, part: 4, etag: "0".repeat(32), crc32: "00000000" };
    await batch(transfer.owner, transfer.downloadId, { receipts: [lie] });
    await expect
      .poll(async () => (await batch(transfer.owner, transfer.downloadId)).received)
      .toMatchObject([{ object: 0, parts: [[1, 3]] }]);
    await sendParts(transfer, [4, 5, 6, 7, 8, 9]);
    await waitForPhases(transfer, { 0: "stored" });
    expect(isWhole(await bytesFrom(transfer, 0))).toBe(true);
  });

  it("is sent anew in other objects after it was dropped, and nothing of the first try is left [FOL-24]", async () => {
    const transfer = await startFilm();
    const { owner, downloadId } = transfer;
    await sendParts(transfer, [1, 2]);
    await expect.poll(() => readableTo(transfer)).toBe(16 * MIB);
    await batch(owner, downloadId, { drop: [0] });
    await expect.poll(() => keysOf(transfer)).toEqual([]);
    expect(await readableTo(transfer)).toBe("UPLOAD_UNFINISHED");
    await openObject(transfer, 1, 0);
    await sendParts(transfer, [1], 1);
    await expect.poll(() => keysOf(transfer)).toEqual(keysAt(transfer, 9));
    expect([await readableTo(transfer), await readableTo(transfer, 9)]).toEqual(["UPLOAD_UNFINISHED", FILM_PART]);
    await sendParts(transfer, FILM_PARTS.slice(1), 1);
    await waitForPhases(transfer, { 0: "dropped", 1: "stored" });
    expect([await readableTo(transfer), await readableTo(transfer, 9)]).toEqual(["UPLOAD_UNFINISHED", FILM_SIZE]);
  });

  it("is asked for again when a part comes with other bytes after it can be read [FOL-24]", async () => {
    const transfer = await startFilm();
    const { owner, downloadId } = transfer;
    await sendParts(transfer, [1, 2]);
    await expect.poll(() => readableTo(transfer)).toBe(16 * MIB);
    const same = { object: 0, part: 1, etag: "f".repeat(32), crc32: crc32Hex(FILM.bytes.slice(0, FILM_PART)) };
    expect((await batch(owner, downloadId, { receipts: [same] })).again).toEqual([]);
    const other = { ...same, crc32: "00000001" };
    expect((await batch(owner, downloadId, { receipts: [other] })).again).toEqual([0]);
    await expect.poll(() => keysOf(transfer)).toEqual([]);
    expect(await readableTo(transfer)).toBe("UPLOAD_UNFINISHED");
  });

  it("gives no URL for a part of a stored segment, and takes it through the Worker without a change [FOL-24]", async () => {
    const transfer = await startFilm();
    const { owner, downloadId } = transfer;
    const receipt = await putPart(transfer, 0, 1);
    await batch(owner, downloadId, { receipts: [receipt] });
    await expect.poll(() => readableTo(transfer)).toBe(FILM_PART);
    expect((await batch(owner, downloadId, { sign: [{ object: 0, parts: [1] }] })).urls).toEqual([]);
    const put = await owner.fetch(`/api/transfers/${downloadId}/objects/0/1`, {
      method: "PUT",
      body: new Uint8Array(FILM_PART),
      headers: { "content-length": String(FILM_PART) },
    });
    expect([put.status, await put.json()]).toEqual([200, { object: 0, part: 1, etag: receipt.etag }]);
    expect(await readableTo(transfer)).toBe(FILM_PART);
  });

  it("that was removed before it was whole leaves no segment when the transfer is finished [FOL-24]", async () => {
    const transfer = await startFilm();
    const { owner, downloadId } = transfer;
    await sendParts(transfer, [1, 2]);
    await expect.poll(() => readableTo(transfer)).toBe(16 * MIB);
    await batch(owner, downloadId, { remove: [0] });
    expect(await readableTo(transfer)).toBe("FILE_EXPIRED");
    expect((await finish(owner, downloadId, await transfer.note())).status).toBe(200);
    await expect.poll(() => keysOf(transfer)).toEqual(keysAt(transfer, 9));
  });

  it("that was removed after it was stored is deleted with all of its segments [FOL-24]", async () => {
    const transfer = await startFilm();
    const { owner, downloadId } = transfer;
    await sendParts(transfer, FILM_PARTS);
    await waitForPhases(transfer, { 0: "stored" });
    await batch(owner, downloadId, { remove: [0] });
    await expect.poll(() => keysOf(transfer)).toEqual([]);
  });

  it("leaves nothing when its transfer is cancelled [FOL-24]", async () => {
    const transfer = await startFilm();
    await sendParts(transfer, [1, 2, 7]);
    await expect.poll(() => readableTo(transfer)).toBe(16 * MIB);
    await transfer.owner.post("/api/direct-upload/cancel", { downloadId: transfer.downloadId });
    await expectEnded(transfer, "cancelled");
    expect(await readableTo(transfer)).toBe("NO_UPLOAD");
  });

  it("is verified across its segments after the transfer is ready [FOL-22]", async () => {
    const transfer = await startFilm();
    const { owner, downloadId } = transfer;
    const receipts = [];
    for (const part of FILM_PARTS) receipts.push({ ...(await putPart(transfer, 0, part)), crc32: "00000002" });
    await batch(owner, downloadId, { receipts });
    await waitForPhases(transfer, { 0: "stored" });
    expect((await finish(owner, downloadId, await transfer.note())).status).toBe(200);
    await runDurableObjectAlarm(transfer.stub);
    expect(await listOf(transfer)).toMatchObject([
      { crc32: Number.parseInt(crc32Hex(FILM.bytes), 16), crcSource: "server" },
      { crcSource: "server" },
    ]);
    expect(await recordOf(transfer)).toMatchObject({ verification: null });
  });
});

describe("a transfer that a release without segments has begun", () => {
  /** Makes object 0 one multipart upload, as earlier releases did, and removes the tables that they did not have. */
  async function makeOld(transfer: Transfer): Promise<string> {
    const key = numberedKey(transfer.id, 0);
    const { uploadId } = await env.BUCKET.createMultipartUpload(key);
    await runInDurableObject(transfer.stub, (_, { storage }) => {
      storage.sql.exec("drop table places");
      storage.sql.exec("drop table segments");
      storage.sql.exec("update objects set r2_upload_id = ? where object = 0", uploadId);
    });
    await evict(transfer);
    return uploadId;
  }

  it("goes on, is finished and is deleted, and its later large files are in segments [FOL-25]", async () => {
    const transfer = await start([FILM, { ...FILM, path: "second.mp4" }]);
    const { owner, downloadId } = transfer;
    await openObject(transfer, 0, 0);
    const r2UploadId = await makeOld(transfer);
    const signed = await batch(owner, downloadId, { sign: [{ object: 0, parts: FILM_PARTS }] });
    expect(new Set(signed.urls.map(({ url }) => new URL(url).searchParams.get("uploadId")))).toEqual(
      new Set([r2UploadId]),
    );
    await batch(owner, downloadId, { receipts: await putObject(signed, 0, FILM.bytes) });
    await waitForPhases(transfer, { 0: "stored" });
    expect(await keysOf(transfer)).toEqual(keysAt(transfer, 0));
    await openObject(transfer, 1, 1);
    await sendParts(transfer, FILM_PARTS, 1);
    await waitForPhases(transfer, { 0: "stored", 1: "stored" });
    expect((await finish(owner, downloadId)).status).toBe(200);
    expect((await listOf(transfer)).map(({ object, layout }) => [object, layout?.[0]])).toEqual([
      [0, undefined],
      [1, [8, FILM_PART]],
    ]);
    expect(await rowOf("select object_count as n from files where id = ?", transfer.id)).toEqual({ n: 10 });
    expect((await owner.fetch(`/api/files/${transfer.id}`, { method: "DELETE" })).status).toBe(200);
    await expect.poll(() => keysOf(transfer)).toEqual([]);
  });

  it("is cancelled with what it has sent [FOL-25]", async () => {
    const transfer = await start([FILM, NOTE], { open: [{ object: 0, runs: [[0, 1]] }] });
    await makeOld(transfer);
    await transfer.owner.post("/api/direct-upload/cancel", { downloadId: transfer.downloadId });
    await expectEnded(transfer, "cancelled");
    expect((await answerOf(finish(transfer.owner, transfer.downloadId)))[0]).toBe(409);
  });
});

it("a transfer without large files has no tables for segments [FOL-22]", async () => {
  const transfer = await start([NOTE], { open: [{ object: 0, runs: [[0, 1]] }] });
  await batch(transfer.owner, transfer.downloadId, { receipts: await transfer.sendPack(NOTE.bytes) });
  await waitForPhases(transfer, { 0: "stored" });
  const tables = await runInDurableObject(transfer.stub, (_, { storage }) =>
    storage.sql.exec("select name from sqlite_master where name in ('objects', 'places', 'segments')").toArray(),
  );
  expect(tables).toEqual([{ name: "objects" }]);
});
