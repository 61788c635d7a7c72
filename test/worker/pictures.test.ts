import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import type { DownloadInfo, ListedEntries, ListedFile } from "#domain/wire.ts";
import { servicesFor } from "#worker/services.ts";
import { inspectWindow } from "#worker/sweep/reconciliation.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { faultyEnv, STORE_ERROR } from "../support/faults.ts";
import { sendLimited, usedOf } from "../support/limited-links.ts";
import { PICTURES } from "../support/pictures.ts";
import { Recipient } from "../support/recipient.ts";
import { createRequest, Sender } from "../support/requests.ts";
import { SECRET_FILE, sendSealed, unlockSealed } from "../support/sealed-uploads.ts";
import { sendPictures, storePictures } from "../support/sent-pictures.ts";
import { emptyStorageAndTables, storedKeys } from "../support/storage-and-rows.ts";
import { storedIn } from "../support/transfer-lists.ts";
import { batch, finish, join, putObject, sendTransfer, startTransfer, textFile } from "../support/transfers.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import {
  answerOf,
  Client,
  logInAdmin,
  monthlyUsage,
  putIncoming,
  rowOf,
  runSql,
  sendFile,
  signUp,
  stopClockAt,
} from "../support/worker.ts";

const { lossy, lossless, alpha, view, jpeg, large, animated, png } = PICTURES;
const FILES = [textFile("a.jpg", "first"), textFile("b.jpg", "second"), textFile("c.mp4", "last")];
const services = servicesFor(env);

const entry = (downloadId: string, n: number, kind: "tile" | "view") =>
  `/api/files/download/${downloadId}/entries/${n}/${kind}`;
const single = (downloadId: string, kind: "tile" | "view") => `/api/files/download/${downloadId}/${kind}`;

async function bytesAt(path: string, reader: Client | Recipient = new Client()): Promise<Uint8Array> {
  const response = await reader.fetch(path);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function codeAt(path: string, reader: Client | Recipient = new Client()): Promise<[number, unknown]> {
  const [status, { code }] = await answerOf(reader.fetch(path));
  return [status, code];
}

async function listOf(downloadId: string, reader: Client | Recipient = new Client()) {
  const { entries } = await (await reader.fetch(`/api/files/download/${downloadId}/entries`)).json<ListedEntries>();
  return entries.map(({ picture }) => picture ?? null);
}

async function infoOf(downloadId: string, reader: Client | Recipient = new Client()): Promise<DownloadInfo> {
  return (await reader.fetch(`/api/files/download/${downloadId}`)).json();
}

const objectsOf = (id: string) => storedKeys(`files/${id}/p`);

async function objectOf(id: string, object = 0): Promise<Uint8Array> {
  const stored = await env.BUCKET.get(`files/${id}/p0000${object}`);
  return new Uint8Array((await stored?.arrayBuffer()) ?? []);
}

const firstOf = (id: string) =>
  rowOf<{ objects: number; bytes: number; first: string | null }>(
    "select picture_objects as objects, picture_bytes as bytes, first_pictures as first from files where id = ?",
    id,
  );

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("pictures of a transfer", () => {
  it("are stored in one object while it uploads, and shown to whoever has the link [PIC-1, PIC-3]", async () => {
    const owner = await signUp();
    const { downloadId, uploadId } = await startTransfer(owner, FILES);
    const stored = await storePictures(owner, downloadId, {
      "2.tile": jpeg,
      "2.seconds": "12.5",
      "0.view": view,
      "0.tile": lossy,
    });
    expect(stored).toEqual({ stored: 3, refused: [] });
    expect(await objectsOf(uploadId)).toEqual([`files/${uploadId}/p00000`]);
    expect(await listOf(downloadId)).toEqual([
      { width: 48, height: 32, view: true },
      null,
      { width: 24, height: 16, seconds: 12.5 },
    ]);
    expect((await infoOf(downloadId)).transfer).toMatchObject({ pictures: 2 });
    expect(await bytesAt(entry(downloadId, 0, "tile"))).toEqual(lossy);
    expect(await bytesAt(entry(downloadId, 0, "view"))).toEqual(view);
    expect(await bytesAt(entry(downloadId, 2, "tile"))).toEqual(jpeg);
    expect(await codeAt(entry(downloadId, 2, "view"))).toEqual([404, "PICTURE_NOT_FOUND"]);
    expect(await codeAt(entry(downloadId, 1, "tile"))).toEqual([404, "PICTURE_NOT_FOUND"]);
    expect(await codeAt(single(downloadId, "tile"))).toEqual([404, "PICTURE_NOT_FOUND"]);
  });

  it("are served as images alone, and asked for once an hour at most [PIC-4]", async () => {
    const owner = await signUp();
    const { downloadId, uploadId } = await sendTransfer(owner, FILES);
    await storePictures(owner, downloadId, { "0.tile": lossy, "1.tile": jpeg });
    const webp = await new Client().fetch(entry(downloadId, 0, "tile"));
    expect(Object.fromEntries(webp.headers)).toMatchObject({
      "content-type": "image/webp",
      "content-length": "80",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "cache-control": "private, max-age=3600, no-transform",
    });
    const jpegResponse = await new Client().fetch(entry(downloadId, 1, "tile"), { method: "HEAD" });
    expect([jpegResponse.headers.get("content-type"), await jpegResponse.text()]).toEqual(["image/jpeg", ""]);
    const again = await new Client().fetch(entry(downloadId, 0, "tile"), {
      headers: { "if-none-match": webp.headers.get("etag") ?? "" },
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const now = Date.now();
    stopClockAt(now);
    await runSql("update files set expires_at = ? where id = ?", now + 90_500, uploadId);
    const last = await new Client().fetch(entry(downloadId, 0, "tile"));
    expect(last.headers.get("cache-control")).toBe("private, max-age=90, no-transform");
  });

  it("go on to arrive for an hour after it is ready [PIC-5]", async () => {
    const now = Date.now();
    stopClockAt(now);
    const owner = await signUp();
    const { downloadId, uploadId } = await sendTransfer(owner, FILES);
    stopClockAt(now + HOUR_MS - MINUTE_MS);
    expect(await storePictures(owner, downloadId, { "0.tile": lossy })).toEqual({ stored: 1, refused: [] });
    stopClockAt(now + HOUR_MS + MINUTE_MS);
    const [status, { code }] = await answerOf(sendPictures(owner, downloadId, { "1.tile": lossy }));
    expect([status, code]).toEqual([409, "UPLOAD_FINISHED"]);
    const session = env.TRANSFERS.get(env.TRANSFERS.idFromName(uploadId));
    await runDurableObjectAlarm(session);
    expect((await storedIn(uploadId)).sort()).toEqual(["list", "pages", "pictures", "pictures"]);
    expect(await bytesAt(entry(downloadId, 0, "tile"))).toEqual(lossy);
    expect(await listOf(downloadId)).toEqual([{ width: 48, height: 32 }, null, null]);
  });

  it("are told in the owner's list, and to programs [PIC-6]", async () => {
    const owner = await signUp();
    const files = [...FILES, textFile("d.jpg"), textFile("e.jpg"), textFile("f.jpg")];
    const { downloadId, uploadId } = await sendTransfer(owner, files);
    await storePictures(owner, downloadId, { "5.tile": lossy, "3.tile": lossless, "1.tile": alpha, "1.view": view });
    await storePictures(owner, downloadId, { "4.tile": jpeg, "2.tile": jpeg });
    const [listed] = await (await owner.fetch("/api/files")).json<ListedFile[]>();
    expect(listed?.pictures).toEqual([
      [1, 40, 30],
      [2, 24, 16],
      [3, 32, 48],
      [4, 24, 16],
    ]);
    expect(await firstOf(uploadId)).toEqual({
      objects: 2,
      bytes: 80 + 38 + 116 + 120 + 271 + 271,
      first: "[[1,40,30,160,90],[2,24,16],[3,32,48],[4,24,16]]",
    });
    await runSql("update files set expires_at = 1 where id = ?", uploadId);
    const [expired] = await (await owner.fetch("/api/files")).json<ListedFile[]>();
    expect(expired).not.toHaveProperty("pictures");
  });

  it("may be sent again: the last one counts [PIC-3]", async () => {
    const owner = await signUp();
    const { downloadId } = await sendTransfer(owner, FILES);
    await storePictures(owner, downloadId, { "0.tile": lossy });
    const before = (await new Client().fetch(entry(downloadId, 0, "tile"))).headers.get("etag");
    await storePictures(owner, downloadId, { "0.tile": jpeg });
    const after = await new Client().fetch(entry(downloadId, 0, "tile"));
    expect(new Uint8Array(await after.arrayBuffer())).toEqual(jpeg);
    expect(after.headers.get("etag")).not.toBe(before);
    expect(await listOf(downloadId)).toEqual([{ width: 24, height: 16 }, null, null]);
  });
});

describe("a form", () => {
  it("stores what is right, and refuses the others one by one [PIC-2]", async () => {
    const owner = await signUp();
    const { downloadId, uploadId } = await startTransfer(owner, FILES);
    const answer = await storePictures(owner, downloadId, {
      "0.tile": lossy,
      "1.tile": png,
      "1.view": view,
      "2.tile": large,
      "2.view": new Uint8Array(),
      "0.view": new Uint8Array(400 * 1024 + 1),
      "7.tile": lossy,
    });
    expect(answer.stored).toBe(1);
    expect(answer.refused.toSorted((a, b) => a.n - b.n || a.kind.localeCompare(b.kind))).toEqual([
      { n: 0, kind: "view", reason: "bytes" },
      { n: 1, kind: "tile", reason: "type" },
      { n: 1, kind: "view", reason: "tile" },
      { n: 2, kind: "tile", reason: "dimensions" },
      { n: 2, kind: "view", reason: "bytes" },
      { n: 7, kind: "tile", reason: "entry" },
    ]);
    // Zeros replace the pictures that the session refused.
    expect(await objectOf(uploadId)).toEqual(new Uint8Array([...lossy, ...new Uint8Array(view.length + lossy.length)]));
    expect(await codeAt(entry(downloadId, 1, "view"))).toEqual([404, "PICTURE_NOT_FOUND"]);
  });

  it.each([
    ["an animation", { "0.tile": animated }, "type"],
    ["a duration that is no plain number", { "0.tile": lossy, "0.seconds": "1e3" }, "seconds"],
    ["a duration of more than a day", { "0.tile": lossy, "0.seconds": "100001" }, "seconds"],
    ["encrypted facts of a plain link", { "0.tile": lossy, "0.about": "AAAA" }, "about"],
  ])("with nothing but %s stores no object [PIC-2]", async (_, fields, reason) => {
    const owner = await signUp();
    const { downloadId, uploadId } = await startTransfer(owner, FILES);
    const answer = await storePictures(owner, downloadId, fields);
    expect(answer).toEqual({ stored: 0, refused: [{ n: 0, kind: "tile", reason }] });
    expect(await objectsOf(uploadId)).toEqual([]);
    expect(await firstOf(uploadId)).toEqual({ objects: 0, bytes: 0, first: null });
  });

  it("whose pictures the session refuses leaves no object [PIC-2]", async () => {
    const owner = await signUp();
    const { downloadId, uploadId } = await startTransfer(owner, FILES);
    const answer = await storePictures(owner, downloadId, { "0.view": view, "9.tile": lossy });
    expect(answer.stored).toBe(0);
    expect(await objectsOf(uploadId)).toEqual([]);
  });

  it("holds 2,000 tiles of a link at most [PIC-7]", async () => {
    const owner = await signUp();
    const { downloadId, uploadId } = await startTransfer(owner, FILES);
    await storePictures(owner, downloadId, { "0.tile": lossy });
    await runInDurableObject(env.TRANSFERS.get(env.TRANSFERS.idFromName(uploadId)), (_, { storage }) => {
      for (let n = 10; n < 2009; n += 1) {
        storage.sql.exec(`insert into pictures values (?, 'tile', 0, 0, 1, 'image/webp', 1, 1, null, null, 0)`, n);
      }
    });
    const answer = await storePictures(owner, downloadId, { "0.tile": jpeg, "0.view": view, "1.tile": jpeg });
    expect(answer).toEqual({ stored: 2, refused: [{ n: 1, kind: "tile", reason: "full" }] });
  });

  it.each([
    ["a field with another name", { "0.picture": lossy }, 400, "BAD_REQUEST"],
    ["a number that no file has", { "20000.tile": lossy }, 400, "BAD_REQUEST"],
    ["a text in the place of a picture", { "0.tile": "text" }, 400, "BAD_REQUEST"],
    ["a file in the place of a text", { "0.tile": lossy, "0.seconds": lossy }, 400, "BAD_REQUEST"],
  ])("with %s is refused as a whole [PIC-2]", async (_, fields, status, code) => {
    const owner = await signUp();
    const { downloadId } = await startTransfer(owner, FILES);
    expect(await answerOf(sendPictures(owner, downloadId, fields))).toEqual([
      status,
      expect.objectContaining({ code }),
    ]);
  });

  it("needs a length of at most 4 MiB, and has to be a form [PIC-2]", async () => {
    const owner = await signUp();
    const { downloadId } = await startTransfer(owner, FILES);
    const path = `/api/pictures/${downloadId}`;
    const post = (headers: Record<string, string>, body: string) =>
      answerOf(owner.fetch(path, { method: "POST", headers, body }));
    const type = "multipart/form-data; boundary=x";
    const tooLong = String(4 * 1024 ** 2 + 1);
    expect(await post({ "content-type": type, "content-length": tooLong }, "")).toMatchObject([413, {}]);
    expect(await post({ "content-type": type, "content-length": "4" }, "form")).toMatchObject([400, {}]);
    expect(await post({ "content-type": "application/json", "content-length": "2" }, "{}")).toMatchObject([415, {}]);
    expect((await owner.fetch(path, { method: "POST" })).status).toBe(411);
  });

  it("is accepted from the upload's sender alone [PIC-1]", async () => {
    const owner = await signUp();
    const { downloadId } = await startTransfer(owner, FILES);
    expect((await sendPictures(await signUp(), downloadId, { "0.tile": lossy })).status).toBe(404);
    expect((await sendPictures(new Client(), downloadId, { "0.tile": lossy })).status).toBe(401);
    const stranger = new Sender(await createRequest(owner));
    const sent = await stranger.send(FILES);
    expect(await storePictures(stranger, sent.downloadId, { "0.tile": lossy })).toEqual({ stored: 1, refused: [] });
    const received = await (await owner.fetch("/api/received")).json<{ items: { pictures?: unknown }[] }>();
    expect(received.items[0]?.pictures).toEqual([[0, 48, 32]]);
    expect(await codeAt(entry(sent.downloadId, 0, "tile"))).toEqual([404, "FILE_NOT_FOUND"]);
    expect(await bytesAt(entry(sent.downloadId, 0, "tile"), owner)).toEqual(lossy);
  });
});

describe("the month", () => {
  it("holds the bytes of pictures, and gets those of a cancelled upload back [PIC-8]", async () => {
    const owner = await signUp();
    const { downloadId } = await startTransfer(owner, FILES);
    const before = await monthlyUsage(owner.email);
    await storePictures(owner, downloadId, { "0.tile": lossy, "0.view": view });
    await storePictures(owner, downloadId, { "1.tile": jpeg });
    expect(await monthlyUsage(owner.email)).toEqual({ ...before, bytes: before.bytes + 80 + 120 + 271 });
    expect((await owner.post("/api/direct-upload/cancel", { downloadId })).status).toBe(200);
    expect(await monthlyUsage(owner.email)).toEqual({ bytes: 0, transfers: 0 });
  });

  it("without room refuses them, and the upload goes on [PIC-8]", async () => {
    const owner = await signUp();
    const started = await startTransfer(owner, FILES, { open: [{ object: 0, runs: [[0, 3]] }] });
    await runSql("update users set monthly_upload_total = ? where id = ?", 5 * 1024 ** 3, owner.id);
    const [status, { code }] = await answerOf(sendPictures(owner, started.downloadId, { "0.tile": lossy }));
    expect([status, code]).toEqual([403, "PLAN_LIMIT_EXCEEDED"]);
    expect(await objectsOf(started.uploadId)).toEqual([]);
    expect(await firstOf(started.uploadId)).toMatchObject({ objects: 0, bytes: 0 });
    const receipts = await putObject(started, 0, join(FILES.map(({ bytes }) => bytes)));
    expect((await finish(owner, started.downloadId, receipts)).status).toBe(200);
  });

  it("takes 4,000 forms of a link at most [PIC-7]", async () => {
    const owner = await signUp();
    const { downloadId, uploadId } = await startTransfer(owner, FILES);
    await runSql("update files set picture_objects = 4000 where id = ?", uploadId);
    const before = await monthlyUsage(owner.email);
    const [status, { code }] = await answerOf(sendPictures(owner, downloadId, { "0.tile": lossy }));
    expect([status, code]).toEqual([409, "PICTURES_FULL"]);
    expect(await monthlyUsage(owner.email)).toEqual(before);
  });
});

describe("the picture of a single file", () => {
  it("is stored, told and served under the link itself [PIC-1, PIC-3]", async () => {
    const owner = await signUp();
    const { downloadId, uploadId } = await owner.startUpload(5);
    expect(await storePictures(owner, downloadId, { "0.tile": lossy, "1.tile": lossy })).toEqual({
      stored: 1,
      refused: [{ n: 1, kind: "tile", reason: "entry" }],
    });
    expect(await infoOf(downloadId)).toMatchObject({ status: "uploading", picture: { width: 48, height: 32 } });
    await putIncoming(uploadId, "hello");
    await owner.complete(downloadId);
    await storePictures(owner, downloadId, { "0.view": view });
    expect(await infoOf(downloadId)).toMatchObject({
      status: "ready",
      picture: { width: 48, height: 32, view: true },
    });
    expect(await bytesAt(single(downloadId, "tile"))).toEqual(lossy);
    expect(await bytesAt(single(downloadId, "view"))).toEqual(view);
    expect(await codeAt(entry(downloadId, 0, "tile"))).toEqual([404, "PICTURE_NOT_FOUND"]);
    expect(await firstOf(uploadId)).toMatchObject({ first: "[[0,48,32,160,90]]" });
  });

  it("stays when the session has deleted the rest of the upload [PIC-5]", async () => {
    const now = Date.now();
    stopClockAt(now);
    const owner = await signUp();
    const { downloadId, uploadId } = await sendFile(owner, "hello");
    await storePictures(owner, downloadId, { "0.tile": lossy });
    stopClockAt(now + 2 * HOUR_MS);
    const session = env.UPLOADS.get(env.UPLOADS.idFromName(uploadId));
    await runDurableObjectAlarm(session);
    expect(await runInDurableObject(session, (_, { storage }) => [...storage.kv.list()].map(([key]) => key))).toEqual([
      "pictures",
    ]);
    expect(await bytesAt(single(downloadId, "tile"))).toEqual(lossy);
  });
});

describe("access to pictures", () => {
  it("needs the password, and nothing is kept without a question [PIC-9]", async () => {
    const owner = await signUp();
    const { downloadId } = await sendFile(owner, "hello", { guards: { password: "a password" } });
    await storePictures(owner, downloadId, { "0.tile": lossy });
    const recipient = new Recipient();
    expect(await codeAt(single(downloadId, "tile"), recipient)).toEqual([401, "LINK_LOCKED"]);
    await recipient.unlock(downloadId, "a password");
    const response = await recipient.fetch(single(downloadId, "tile"));
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "private, no-cache, no-transform"]);
  });

  it("needs a lease of a limited link, and counts and prolongs nothing [PIC-9]", async () => {
    const { owner, downloadId } = await sendLimited(1);
    await storePictures(owner, downloadId, { "0.tile": lossy });
    const recipient = new Recipient();
    expect(await codeAt(single(downloadId, "tile"), recipient)).toEqual([409, "LEASE_NEEDED"]);
    const begins = `${single(downloadId, "tile")}?take=${"A".repeat(22)}.${"A".repeat(43)}`;
    expect(await codeAt(begins, recipient)).toEqual([409, "LEASE_NEEDED"]);
    const taken = await (await recipient.take(downloadId)).json<{ lease: string }>();
    expect(await bytesAt(single(downloadId, "tile"), recipient)).toEqual(lossy);
    expect(await usedOf(downloadId)).toBe(0);
    const program = `${single(downloadId, "tile")}?take=${taken.lease}`;
    expect(await codeAt(program)).toEqual([409, "LEASE_NEEDED"]);
    expect(await bytesAt(single(downloadId, "tile"), owner)).toEqual(lossy);
    stopClockAt(Date.now() + DAY_MS);
    expect(await codeAt(single(downloadId, "tile"), recipient)).toEqual([409, "LEASE_NEEDED"]);
  });

  it("to a sealed link's needs its key, and shows ciphertext alone [PIC-10]", async () => {
    const owner = await signUp();
    const { downloadId, uploadId, sealer } = await sendSealed(owner);
    const ciphertext = new Uint8Array(29).fill(7);
    const about = "A".repeat(80);
    expect(
      await storePictures(owner, downloadId, { "0.tile": ciphertext, "0.about": about, "0.view": ciphertext }),
    ).toEqual({ stored: 2, refused: [] });
    const recipient = new Recipient();
    expect(await codeAt(single(downloadId, "tile"), recipient)).toEqual([401, "LINK_LOCKED"]);
    await unlockSealed(recipient, downloadId, sealer);
    expect((await infoOf(downloadId, recipient)).picture).toEqual({ about, view: true });
    const response = await recipient.fetch(single(downloadId, "view"));
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(ciphertext);
    expect(await firstOf(uploadId)).toMatchObject({ first: null });
  });

  it.each([
    [{ "0.tile": new Uint8Array(29) }, "about"],
    [{ "0.tile": new Uint8Array(29), "0.about": "A".repeat(129) }, "about"],
    [{ "0.tile": new Uint8Array(29), "0.about": "A", "0.seconds": "1" }, "seconds"],
    [{ "0.tile": new Uint8Array(28), "0.about": "A" }, "bytes"],
    [{ "0.tile": new Uint8Array(48 * 1024 + 29), "0.about": "A" }, "bytes"],
  ])("of a sealed link: a wrong picture is refused, case %# [PIC-10]", async (fields, reason) => {
    const owner = await signUp();
    const { downloadId } = await sendSealed(owner, { file: SECRET_FILE });
    expect(await storePictures(owner, downloadId, fields)).toEqual({
      stored: 0,
      refused: [{ n: 0, kind: "tile", reason }],
    });
  });

  it("ends with the link [PIC-9]", async () => {
    const owner = await signUp();
    const { downloadId, uploadId } = await sendTransfer(owner, FILES);
    await storePictures(owner, downloadId, { "0.tile": lossy });
    await runSql("update files set expires_at = ? where id = ?", Date.now() - 1, uploadId);
    expect(await codeAt(entry(downloadId, 0, "tile"))).toEqual([410, "FILE_EXPIRED"]);
    const [status] = await answerOf(sendPictures(owner, downloadId, { "1.tile": lossy }));
    expect(status).toBe(409);
  });
});

describe("pictures go with their files", () => {
  it("removal of a ready transfer's file replaces its pictures by zeros, also former ones [PIC-11]", async () => {
    const owner = await signUp();
    const { downloadId, uploadId } = await sendTransfer(owner, FILES);
    await storePictures(owner, downloadId, { "0.tile": lossy, "1.tile": lossless });
    await storePictures(owner, downloadId, { "0.tile": jpeg });
    await storePictures(owner, downloadId, { "0.view": view, "1.view": view });
    expect((await owner.delete(`/api/files/${uploadId}/entries/0`)).status).toBe(200);
    expect(await objectOf(uploadId, 0)).toEqual(new Uint8Array([...new Uint8Array(lossy.length), ...lossless]));
    expect(await objectsOf(uploadId)).toEqual([`files/${uploadId}/p00000`, `files/${uploadId}/p00002`]);
    expect(await objectOf(uploadId, 2)).toEqual(new Uint8Array([...new Uint8Array(view.length), ...view]));
    expect(await codeAt(entry(downloadId, 0, "tile"))).toEqual([404, "PICTURE_NOT_FOUND"]);
    expect(await listOf(downloadId, owner)).toEqual([null, { width: 32, height: 48, view: true }, null]);
    expect(await firstOf(uploadId)).toMatchObject({ first: "[[1,32,48,160,90]]" });
    const answer = await storePictures(owner, downloadId, { "0.tile": lossy });
    expect(answer).toEqual({ stored: 0, refused: [{ n: 0, kind: "tile", reason: "entry" }] });
  });

  it("removal from an unfinished transfer does so, too [PIC-11]", async () => {
    const owner = await signUp();
    const { downloadId, uploadId } = await startTransfer(owner, FILES);
    await storePictures(owner, downloadId, { "0.tile": lossy, "1.tile": lossless });
    await batch(owner, downloadId, { remove: [0] });
    await expect.poll(() => objectOf(uploadId)).toEqual(new Uint8Array([...new Uint8Array(lossy.length), ...lossless]));
    expect(await codeAt(entry(downloadId, 0, "tile"))).toEqual([404, "PICTURE_NOT_FOUND"]);
    expect(await listOf(downloadId)).toEqual([{ width: 32, height: 48 }, null]);
  });

  it("a removal that storage did not finish is finished by the alarm [PIC-11]", async () => {
    const owner = await signUp();
    const { downloadId, uploadId } = await sendTransfer(owner, FILES);
    await storePictures(owner, downloadId, { "0.tile": lossy, "1.tile": lossless });
    const failing = clientFrom(
      "192.0.2.1",
      faultyEnv(
        env,
        () => null,
        (call) => (call === "put" ? STORE_ERROR : null),
      ),
      owner.cookie,
    );
    expect((await failing.delete(`/api/files/${uploadId}/entries/0`)).status).toBe(200);
    expect(await objectOf(uploadId)).toEqual(new Uint8Array([...lossy, ...lossless]));
    expect(await codeAt(entry(downloadId, 0, "tile"))).toEqual([404, "PICTURE_NOT_FOUND"]);
    await runDurableObjectAlarm(env.TRANSFERS.get(env.TRANSFERS.idFromName(uploadId)));
    expect(await objectOf(uploadId)).toEqual(new Uint8Array([...new Uint8Array(lossy.length), ...lossless]));
  });

  it.each(["a file", "a transfer"])(
    "deletion of %s deletes all objects, also one of a call that broke off [PIC-12]",
    async (kind) => {
      const owner = await signUp();
      const { downloadId, uploadId } =
        kind === "a file" ? await sendFile(owner, "hello") : await sendTransfer(owner, FILES);
      await storePictures(owner, downloadId, { "0.tile": lossy });
      await runSql("update files set picture_objects = 2 where id = ?", uploadId);
      await env.BUCKET.put(`files/${uploadId}/p00001`, "left");
      expect((await owner.delete(`/api/files/${uploadId}`)).status).toBe(200);
      expect(await storedKeys(`files/${uploadId}`)).toEqual([]);
      if (kind === "a transfer") expect(await storedIn(uploadId)).toEqual([]);
      expect((await sendPictures(owner, downloadId, { "0.tile": lossy })).status).toBe(404);
      expect(await storedKeys(`files/${uploadId}`)).toEqual([]);
    },
  );

  it.each(["a file", "a transfer"])("cancelling %s deletes them [PIC-12]", async (kind) => {
    const owner = await signUp();
    const { downloadId, uploadId } = kind === "a file" ? await owner.startUpload(5) : await startTransfer(owner, FILES);
    await storePictures(owner, downloadId, { "0.tile": lossy });
    await owner.post("/api/direct-upload/cancel", { downloadId });
    expect(await storedKeys(`files/${uploadId}`)).toEqual([]);
    const [status, { code }] = await answerOf(sendPictures(owner, downloadId, { "0.tile": lossy }));
    expect([status, code]).toEqual([409, "UPLOAD_CLOSED"]);
  });

  it("take-down and expiry delete them [PIC-12]", async () => {
    const owner = await signUp();
    const admin = await logInAdmin();
    const [taken, expired] = [await sendTransfer(owner, FILES), await sendFile(owner, "hello")];
    for (const { downloadId } of [taken, expired]) await storePictures(owner, downloadId, { "0.tile": lossy });
    await admin.post(`/api/admin/files/${taken.uploadId}/take-down`, { reason: "It is harmful." });
    expect(await codeAt(entry(taken.downloadId, 0, "tile"))).toEqual([410, "FILE_EXPIRED"]);
    await runSql("update files set expires_at = 1 where id = ?", expired.uploadId);
    await sweep(services, () => Date.now());
    expect(await storedKeys(`files/${taken.uploadId}`)).toEqual([]);
    expect(await storedKeys(`files/${expired.uploadId}`)).toEqual([]);
  });

  it("the reconciliation knows them, in windows of any size, and finds those of nobody [PIC-13]", async () => {
    await emptyStorageAndTables();
    const owner = await signUp();
    const [file, transfer] = [await sendFile(owner, "hello"), await sendTransfer(owner, FILES)];
    for (const { downloadId } of [file, transfer]) await storePictures(owner, downloadId, { "0.tile": lossy });
    await runSql("update files set expires_at = null");
    const later = Date.now() + 2 * DAY_MS;
    const findingsIn = async (windowSize: number) => {
      const found: string[] = [];
      for (let after: string | null = ""; after !== null;) {
        const window: Awaited<ReturnType<typeof inspectWindow>> = await inspectWindow(
          services,
          after,
          later,
          windowSize,
        );
        found.push(...window.findings.map(({ kind, s3Key }) => `${kind} ${s3Key}`));
        after = window.next;
      }
      return found.sort();
    };
    for (const size of [1000, 3, 2, 1]) expect(await findingsIn(size)).toEqual([]);
    await env.BUCKET.put(`files/${file.uploadId}/p00001`, "left");
    await env.BUCKET.put("files/nobody/p00000", "left");
    const orphans = [`orphan files/${file.uploadId}/p00001`, "orphan files/nobody/p00000"].sort();
    for (const size of [1000, 1]) expect(await findingsIn(size)).toEqual(orphans);
  });
});
