// @module-tag long
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { RECORD_BYTES } from "#domain/seal/sizes.ts";
import { KIB } from "#domain/units.ts";
import type { ListedEntries, ListedEntry } from "#domain/wire.ts";
import {
  FILM,
  FILM_PART,
  FILM_PARTS,
  FILM_SIZE,
  openObject,
  sendParts,
  type FilmTransfer,
} from "../support/film-transfers.ts";
import { Reading } from "../support/reading.ts";
import { Recipient } from "../support/recipient.ts";
import { markReceipts, startSealed } from "../support/sealed-transfers.ts";
import { openStream, unlockSealed } from "../support/sealed-uploads.ts";
import { batch, finish, putObject, startTransfer, textFile } from "../support/transfers.ts";
import { answerOf, Client, rowOf, signUp } from "../support/worker.ts";

const TAIL = 64 * KIB;
const NOTE = textFile("note.txt");
const visitor = new Client();

interface Followed extends FilmTransfer {
  uploadId: string;
}

/** A film, which object 0 holds, and a note, which has no object yet. */
async function start(more: Record<string, unknown> = {}): Promise<Followed> {
  const owner = await signUp();
  const { uploadId, downloadId } = await startTransfer(owner, [FILM, NOTE], more);
  const transfer = { owner, uploadId, downloadId };
  await openObject(transfer, 0, 0);
  return transfer;
}

async function sendNote(transfer: FilmTransfer, object = 1): Promise<void> {
  const receipts = await putObject(await openObject(transfer, object, 1), object, NOTE.bytes);
  await batch(transfer.owner, transfer.downloadId, { receipts });
}

async function complete(transfer: FilmTransfer): Promise<void> {
  expect((await finish(transfer.owner, transfer.downloadId)).status).toBe(200);
}

const pathOf = ({ downloadId }: FilmTransfer, n = 0) => `/api/files/download/${downloadId}/entries/${n}/content`;

function follow(
  transfer: FilmTransfer,
  range?: string,
  reader: Client | Recipient = visitor,
  more: Record<string, string> = {},
) {
  return reader.fetch(`${pathOf(transfer)}?follow=1`, { headers: { ...more, ...(range !== undefined && { range }) } });
}

async function readingOf(transfer: FilmTransfer): Promise<Reading> {
  return new Reading(await follow(transfer), FILM_SIZE);
}

function expectBytes(bytes: Uint8Array, from: number, to: number): void {
  expect(bytes.byteLength).toBe(to - from);
  // An assertion on each byte would take seconds.
  expect(bytes.every((byte, at) => byte === FILM.bytes[from + at])).toBe(true);
}

async function listed({ downloadId }: FilmTransfer, reader = visitor): Promise<ListedEntry[]> {
  const response = await reader.fetch(`/api/files/download/${downloadId}/entries`);
  return (await response.json<ListedEntries>()).entries;
}

async function headOf(transfer: FilmTransfer, query = "") {
  const { status, headers } = await visitor.fetch(`${pathOf(transfer)}${query}`, { method: "HEAD" });
  const names = ["content-length", "content-type", "accept-ranges", "etag", "last-modified"];
  return [status, ...names.map((name) => headers.get(name))];
}

describe("a large file of a transfer that is still being uploaded", () => {
  it("is downloaded whole by somebody who begins early, and counted once [FOL-27]", async () => {
    const transfer = await start();
    await sendParts(transfer, [1]);
    const response = await follow(transfer);
    expect([response.status, response.headers.get("content-length")]).toEqual([200, String(FILM_SIZE)]);
    const reading = new Reading(response, FILM_SIZE);
    await reading.to(FILM_PART - TAIL);
    await sendParts(transfer, [2, 3]);
    await reading.to(3 * FILM_PART - TAIL);
    await sendParts(transfer, [4, 5, 6, 7, 8, 9]);
    // The file is served whole once it is stored, while the note has not come.
    await reading.end();
    expectBytes(reading.bytes, 0, FILM_SIZE);
    await expect
      .poll(async () => (await listed(transfer, transfer.owner)).map(({ downloads }) => downloads))
      .toEqual([1, 0]);
  });

  it("gives every range the sender's bytes, before, across and after the end [FOL-27]", async () => {
    const transfer = await start();
    await sendParts(transfer, [1, 2]);
    const stored = await follow(transfer, `bytes=${FILM_PART - 10}-${FILM_PART + 9}`);
    expect([stored.status, stored.headers.get("content-range")]).toEqual([
      206,
      `bytes ${FILM_PART - 10}-${FILM_PART + 9}/${FILM_SIZE}`,
    ]);
    expectBytes(new Uint8Array(await stored.arrayBuffer()), FILM_PART - 10, FILM_PART + 10);
    const [ahead, across, last] = await Promise.all([
      follow(transfer, `bytes=${4 * FILM_PART - 5}-${4 * FILM_PART + 4}`),
      follow(transfer, `bytes=${2 * FILM_PART - 3}-`),
      follow(transfer, "bytes=-70000"),
    ]);
    expect([ahead.status, across.status, last.status]).toEqual([206, 206, 206]);
    const reading = ahead.arrayBuffer();
    await sendParts(transfer, [3, 4, 5]);
    expectBytes(new Uint8Array(await reading), 4 * FILM_PART - 5, 4 * FILM_PART + 5);
    const rest = [across.arrayBuffer(), last.arrayBuffer()];
    await sendParts(transfer, [6, 7, 8, 9]);
    const [acrossBytes = new ArrayBuffer(), lastBytes = new ArrayBuffer()] = await Promise.all(rest);
    expectBytes(new Uint8Array(acrossBytes), 2 * FILM_PART - 3, FILM_SIZE);
    expectBytes(new Uint8Array(lastBytes), FILM_SIZE - 70_000, FILM_SIZE);
    await sendNote(transfer);
    await complete(transfer);
    expectBytes(new Uint8Array(await (await follow(transfer, "bytes=100-199")).arrayBuffer()), 100, 200);
    const across9 = `bytes=${8 * FILM_PART - 2}-${8 * FILM_PART + 1}`;
    const ready = await visitor.fetch(pathOf(transfer), { headers: { range: across9 } });
    expectBytes(new Uint8Array(await ready.arrayBuffer()), 8 * FILM_PART - 2, 8 * FILM_PART + 2);
  });

  it("keeps its last 64 KiB until it is stored, also where they are there before others [FOL-27]", async () => {
    const transfer = await start();
    await sendParts(
      transfer,
      FILM_PARTS.filter((part) => part !== 5),
    );
    const last = await follow(transfer, "bytes=-70000");
    expect(last.status).toBe(206);
    const end = new Reading(last, 70_000);
    await end.to(70_000 - TAIL);
    expect(end.bytes.byteLength).toBe(70_000 - TAIL);
    const reading = await readingOf(transfer);
    await reading.to(4 * FILM_PART - TAIL);
    await sendParts(transfer, [5]);
    await end.end();
    expectBytes(end.bytes, FILM_SIZE - 70_000, FILM_SIZE);
    await reading.end();
    expectBytes(reading.bytes, 0, FILM_SIZE);
  });

  it("names its address while it arrives, and has the same length, ETag and date when it is stored [FOL-28]", async () => {
    const owner = await signUp();
    const { uploadId, downloadId } = await startTransfer(owner, [FILM, NOTE]);
    const transfer = { owner, uploadId, downloadId };
    const states = async () => (await listed(transfer)).map(({ state, followUrl }) => [state, followUrl]);
    expect(await states()).toEqual([
      ["waiting", undefined],
      ["waiting", undefined],
    ]);
    const early = await follow(transfer);
    expect([early.status, early.headers.get("retry-after")]).toEqual([409, "5"]);
    await openObject(transfer, 0, 0);
    const followUrl = `${pathOf(transfer)}?follow=1`;
    expect(await states()).toEqual([
      ["arriving", followUrl],
      ["waiting", undefined],
    ]);
    const [, v1] = await answerOf(visitor.fetch(`/api/v1/links/${downloadId}/files`));
    expect(v1).toMatchObject({
      items: [
        { n: 0, state: "arriving", followUrl },
        { n: 1, state: "waiting" },
      ],
    });
    const [status] = await headOf(transfer);
    expect(status).toBe(409);
    const before = await headOf(transfer, "?follow=1");
    expect(before.slice(0, 5)).toEqual([200, String(FILM_SIZE), "video/mp4", "bytes", `"${downloadId}-0-0"`]);
    await sendParts(transfer, FILM_PARTS);
    await expect.poll(states).toEqual([
      ["stored", undefined],
      ["waiting", undefined],
    ]);
    expect([await headOf(transfer, "?follow=1"), await headOf(transfer)]).toEqual([before, before]);
    expect((await visitor.fetch(`/api/files/download/${downloadId}/content`)).status).toBe(409);
    await sendNote(transfer);
    await complete(transfer);
    expect([await headOf(transfer, "?follow=1"), await headOf(transfer)]).toEqual([before, before]);
    const zip = await visitor.fetch(`/api/files/download/${downloadId}/content`);
    expect(zip.status).toBe(200);
    const bytes = new Uint8Array(await zip.arrayBuffer());
    // The header of the first entry has 30 bytes, its name and an extra field.
    const dataStart = 30 + FILM.path.length + new DataView(bytes.buffer).getUint16(28, true);
    expectBytes(bytes.subarray(dataStart, dataStart + FILM_SIZE), 0, FILM_SIZE);
  });

  it("is seen while it arrives, and a small file is not read before it is stored [FOL-28]", async () => {
    const transfer = await start();
    await sendParts(transfer, [1]);
    const preview = await visitor.fetch(pathOf(transfer).replace("content", "preview?follow=1"), {
      headers: { range: "bytes=0-9", "sec-fetch-site": "same-origin" },
    });
    expect([preview.status, preview.headers.get("content-type")]).toEqual([206, "video/mp4"]);
    expectBytes(new Uint8Array(await preview.arrayBuffer()), 0, 10);
    await openObject(transfer, 1, 1);
    const note = await visitor.fetch(`${pathOf(transfer, 1)}?follow=1`);
    expect([note.status, note.headers.get("retry-after")]).toEqual([409, "5"]);
  });

  it("that is removed cuts whoever follows, and counts nothing [FOL-29]", async () => {
    const transfer = await start();
    await sendParts(transfer, [1]);
    const reading = await readingOf(transfer);
    await reading.to(FILM_PART - TAIL);
    const { owner, uploadId } = transfer;
    expect((await owner.fetch(`/api/files/${uploadId}/entries/0`, { method: "DELETE" })).status).toBe(200);
    await expect(reading.end()).rejects.toThrow();
    expect((await follow(transfer)).status).toBe(410);
    expect((await listed(transfer, owner)).map(({ downloads }) => downloads)).toEqual([0, 0]);
  });

  it("that is sent anew cuts whoever follows, and has another ETag [FOL-28, FOL-29]", async () => {
    const transfer = await start();
    const { owner, downloadId } = transfer;
    await sendParts(transfer, [1, 2]);
    const reading = await readingOf(transfer);
    await reading.to(2 * FILM_PART - TAIL);
    await batch(owner, downloadId, { drop: [0] });
    await expect(reading.end()).rejects.toThrow();
    expect((await follow(transfer)).status).toBe(409);
    await openObject(transfer, 1, 0);
    await sendParts(transfer, [1], 1);
    expect((await headOf(transfer, "?follow=1"))[4]).toBe(`"${downloadId}-0-9"`);
    const resumed = await follow(transfer, "bytes=100-", visitor, { "if-range": `"${downloadId}-0-0"` });
    expect(resumed.status).toBe(200);
    await resumed.body?.cancel();
  });

  it("of a transfer that is cancelled cuts whoever follows [FOL-29]", async () => {
    const transfer = await start();
    await sendParts(transfer, [1]);
    const reading = await readingOf(transfer);
    await reading.to(FILM_PART - TAIL);
    const { owner, downloadId, uploadId } = transfer;
    expect((await owner.post("/api/direct-upload/cancel", { downloadId })).status).toBe(200);
    await expect(reading.end()).rejects.toThrow();
    expect((await follow(transfer)).status).toBe(404);
    expect(await rowOf("select download_count as n from files where id = ?", uploadId)).toEqual({ n: 0 });
  });

  it("takes one of the link's downloads, and counts it at the end [FOL-18]", async () => {
    const transfer = await start({ guards: { maxDownloads: 1 } });
    await sendParts(transfer, [1]);
    const reader = new Recipient();
    expect((await follow(transfer, undefined, reader)).status).toBe(409);
    expect((await reader.take(transfer.downloadId)).status).toBe(201);
    const reading = new Reading(await follow(transfer, undefined, reader), FILM_SIZE);
    await reading.to(FILM_PART - TAIL);
    await sendParts(transfer, [2, 3, 4, 5, 6, 7, 8, 9]);
    await reading.end();
    expectBytes(reading.bytes, 0, FILM_SIZE);
    await expect
      .poll(() => rowOf("select downloads_used as used from files where id = ?", transfer.uploadId))
      .toEqual({ used: 1 });
  });

  it("is followed on when its transfer's object is reset, and when the transfer is finished [FOL-27]", async () => {
    const transfer = await start();
    await sendParts(transfer, [1]);
    const reading = await readingOf(transfer);
    await reading.to(FILM_PART - TAIL);
    const stub = env.TRANSFERS.get(env.TRANSFERS.idFromName(transfer.uploadId));
    await expect(runInDurableObject(stub, (_, state) => state.abort("reset"))).rejects.toThrow("reset");
    await sendNote(transfer);
    await sendParts(transfer, [2, 3, 4, 5, 6, 7, 8, 9]);
    await complete(transfer);
    await reading.end();
    expectBytes(reading.bytes, 0, FILM_SIZE);
  });
});

it("a large file of a sealed transfer is followed by whoever has its key, until it is stored [SEAL-44]", async () => {
  const owner = await signUp();
  const film = { name: "film.mp4", type: "video/mp4", bytes: FILM.bytes };
  const note = { name: "note.txt", type: "text/plain", bytes: NOTE.bytes };
  const { sealer, entries, uploadId, downloadId } = await startSealed(owner, [film, note], {
    open: [{ object: 0, runs: [[0, 1]] }],
  });
  const transfer = { owner, uploadId, downloadId };
  const sealed = entries[0]?.bytes ?? expect.unreachable();
  const send = async (parts: number[]) => {
    const signed = await batch(owner, downloadId, { sign: [{ object: 0, parts }] });
    const receipts = await markReceipts(sealer, await putObject(signed, 0, sealed), [0], entries);
    await batch(owner, downloadId, { receipts });
  };
  await send([1]);
  expect((await follow(transfer)).status).toBe(401);
  const reader = new Recipient();
  await unlockSealed(reader, downloadId, sealer);
  const list = await reader.fetch(`/api/files/download/${downloadId}/entries`);
  expect(await list.json()).toMatchObject({ entries: [{ followUrl: `${pathOf(transfer)}?follow=1` }, { n: 1 }] });
  const early = await follow(transfer, `bytes=0-${2 * RECORD_BYTES - 1}`, reader);
  const opened = await openStream(sealer, 0, FILM_SIZE, new Uint8Array(await early.arrayBuffer()));
  expectBytes(opened, 0, opened.length);
  const reading = new Reading(await follow(transfer, undefined, reader), sealed.length);
  await send(FILM_PARTS.slice(1));
  await reading.end();
  expectBytes(await openStream(sealer, 0, FILM_SIZE, reading.bytes), 0, FILM_SIZE);
});
