import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { planParts } from "#domain/parts.ts";
import { limitFor } from "#domain/plans.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import { KIB, MIB } from "#domain/units.ts";
import type { InitChunkedAnswer, StartUploadAnswer, UnfinishedUpload } from "#domain/wire.ts";
import { UploadStore } from "#durable-objects/upload/store.ts";
import { finalize, init, stubOf } from "../support/chunked.ts";
import { Recipient } from "../support/recipient.ts";
import {
  manifestOf,
  markOfBytes,
  newSeal,
  openSeal,
  openStream,
  putManifest,
  requireOk,
  sealAtStart,
  sealedBytes,
  SEALED_FILE,
  SECRET_FILE,
  sendSealed,
  unlockSealed,
  type PlainFile,
} from "../support/sealed-uploads.ts";
import { answerOf, patternBytes, rowOf, sendParts, sha256Of, signUp, type Client } from "../support/worker.ts";

const FINGERPRINT = "c3".repeat(32);

/** More than one part: 16 MiB and one record. */
const LARGE: PlainFile = { name: "film.mp4", type: "video/mp4", bytes: patternBytes(16 * MIB + 100 * KIB) };

async function startLarge(owner: Client) {
  const sealer = await newSeal();
  const seal = await sealAtStart(sealer, manifestOf([LARGE], false));
  const bytes = await sealedBytes(sealer, LARGE.bytes);
  const more = { ...SEALED_FILE, seal, fingerprint: FINGERPRINT };
  return { sealer, bytes, more, started: await owner.startUpload(bytes.length, more) };
}

async function readBack(downloadId: string, sealer: Parameters<typeof unlockSealed>[2]) {
  const recipient = new Recipient();
  const answer = await unlockSealed(recipient, downloadId, sealer);
  const { keys, manifest } = await openSeal(sealer, answer);
  const sealed = new Uint8Array(await (await recipient.content(downloadId)).arrayBuffer());
  const [file] = manifest.files;
  return { answer, manifest, plaintext: await openStream({ keys }, 0, file?.size ?? 0, sealed) };
}

describe("a sealed file", () => {
  it("is opened by whoever has its whole link, and is stored under a name that tells nothing", async () => {
    const owner = await signUp();
    const { downloadId, sealer } = await sendSealed(owner);
    const { answer, manifest, plaintext } = await readBack(downloadId, sealer);
    expect(manifest.files).toMatchObject([{ name: "the merger.pdf", type: "application/pdf", size: 15 }]);
    expect(new TextDecoder().decode(plaintext)).toBe("nobody may know");
    expect(answer).toMatchObject({
      v: 1,
      revision: 1,
      final: true,
      info: { filename: "sealed", size: 43, mimeType: "application/octet-stream", seal: { revision: 1, final: true } },
    });
    expect(answer.info).not.toHaveProperty("sha256");
    const [listed] = await (await owner.fetch("/api/files")).json<unknown[]>();
    expect((await (await owner.fetch("/api/files?q=seal")).json<{ total: number }>()).total).toBe(0);
    expect(listed).toMatchObject({
      filename: "sealed",
      seal: { revision: 1 },
      guards: { sealed: true, password: false },
    });
  });

  it("is served as bytes without a type, with ranges", async () => {
    const { downloadId, sealer } = await sendSealed(await signUp());
    const recipient = new Recipient();
    await unlockSealed(recipient, downloadId, sealer);
    const part = await recipient.content(downloadId, { range: "bytes=0-11" });
    expect([part.status, part.headers.get("content-type"), (await part.arrayBuffer()).byteLength]).toEqual([
      206,
      "application/octet-stream",
      12,
    ]);
    expect(part.headers.get("content-disposition")).toContain('filename="sealed"');
  });

  it("may be as large as the plan's files before it is sealed", async () => {
    const owner = await signUp();
    const limit = limitFor("free").fileSizeBytes;
    const seal = await sealAtStart(await newSeal(), manifestOf([SECRET_FILE], false));
    const start = (fileSize: number) =>
      answerOf(owner.post("/api/direct-upload/presigned-url", { ...SEALED_FILE, seal, fileSize, expiration: "1d" }));
    expect((await start(sealedSize(limit + 1)))[1]).toMatchObject({ code: "PLAN_LIMIT_EXCEEDED" });
    expect((await start(sealedSize(limit)))[0]).toBe(200);
  });
});

describe("the start of a sealed upload", () => {
  const refused = async (change: Record<string, unknown>) => {
    const owner = await signUp();
    const seal = await sealAtStart(await newSeal(), manifestOf([SECRET_FILE], false));
    const body = { ...SEALED_FILE, fileSize: 43, expiration: "1d", seal, ...change };
    const [status, { field }] = await answerOf(owner.post("/api/direct-upload/presigned-url", body));
    return [status, field];
  };

  it("is refused with a password, another name, or a size that no stream has [SEAL-25]", async () => {
    expect(await refused({ guards: { password: "a password" } })).toEqual([400, "guards.password"]);
    expect(await refused({ filename: "the merger.pdf" })).toEqual([400, "filename"]);
    expect(await refused({ fileType: "application/pdf" })).toEqual([400, "fileType"]);
    expect(await refused({ lastModified: 1_700_000_000_000 })).toEqual([400, "lastModified"]);
    expect(await refused({ fileSize: 27 })).toEqual([400, "seal"]);
    expect(await refused({ fileSize: 256 * KIB + 27 })).toEqual([400, "seal"]);
    expect(await refused({ guards: { maxDownloads: 2 } })).toEqual([200, undefined]);
  });

  it("resumes another one only with its fingerprint", async () => {
    const owner = await signUp();
    const seal = await sealAtStart(await newSeal(), manifestOf([SECRET_FILE], false));
    const start = async (more = {}) => (await owner.startUpload(43, { ...SEALED_FILE, seal, ...more })).downloadId;
    expect(await start()).not.toBe(await start());
    expect(await start({ fingerprint: FINGERPRINT })).toBe(await start({ fingerprint: FINGERPRINT }));
  });

  it("is refused with bytes of another length, and with a password hash that protects nothing", async () => {
    const seal = await sealAtStart(await newSeal(true), manifestOf([SECRET_FILE], false));
    expect(await refused({ seal: { ...seal, salt: "AAAA" } })).toEqual([400, "seal.salt"]);
    expect(await refused({ seal: { ...seal, wrap: seal.wrap.slice(1) } })).toEqual([400, "seal.wrap"]);
    expect(await refused({ seal: { ...seal, manifest: "no base64url" } })).toEqual([400, "seal.manifest"]);
    expect(await refused({ seal: { ...seal, kdf: { ...seal.kdf, mKiB: 1024 } } })).toEqual([400, "seal.kdf"]);
  });
});

describe("a large sealed file", () => {
  it("goes on with the marks of what is stored, and with the seal that it was started with [SEAL-21]", async () => {
    const owner = await signUp();
    const { sealer, bytes, more, started } = await startLarge(owner);
    const { partSizeBytes } = planParts(bytes.length);
    const receipts = (await sendParts(started.uploadId, bytes)).slice(0, 1);
    const mark = await markOfBytes(sealer, 0, 1, bytes.subarray(0, partSizeBytes));
    const report = (sent: unknown[]) =>
      owner.post("/api/direct-upload/sign-parts", { downloadId: started.downloadId, parts: [], receipts: sent });
    expect(await answerOf(report(receipts))).toEqual([400, expect.objectContaining({ code: "BAD_REQUEST" })]);
    expect((await report(receipts.map((receipt) => ({ ...receipt, mark })))).status).toBe(200);
    await evictDurableObject(env.UPLOADS.get(env.UPLOADS.idFromName(started.uploadId)));

    const other = await sealAtStart(await newSeal(), manifestOf([LARGE], false));
    const again: StartUploadAnswer = await owner.startUpload(bytes.length, { ...more, seal: other });
    expect([again.downloadId, again.received]).toEqual([started.downloadId, [1]]);
    expect(again.marks).toEqual([{ part: 1, mark }]);
    expect(again.seal).toEqual({ guard: "sealed", salt: more.seal.salt, revision: 0, final: false });
    const [unfinished] = await (await owner.fetch("/api/direct-upload/unfinished")).json<UnfinishedUpload[]>();
    expect(unfinished).toMatchObject({ filename: "sealed", seal: { salt: more.seal.salt }, guards: { sealed: true } });
    // Storage lacked a part: all are sent again.
    await runInDurableObject(stubOf(started.uploadId), (_, { storage }) => {
      new UploadStore(storage).deleteCompletedParts();
    });
    const afresh = await owner.startUpload(bytes.length, { ...more, seal: other });
    expect([afresh.received, afresh.marks]).toEqual([[], []]);
    // The same fingerprint without a seal is another file.
    const plain = await owner.startUpload(bytes.length, { ...SEALED_FILE, fingerprint: FINGERPRINT });
    expect(plain.downloadId).not.toBe(started.downloadId);
  });

  it("is opened as it was", async () => {
    const owner = await signUp();
    const { sealer, bytes, started } = await startLarge(owner);
    const { partSizeBytes } = planParts(bytes.length);
    const receipts = await Promise.all(
      (await sendParts(started.uploadId, bytes)).map(async ({ part, etag }) => {
        const records = bytes.subarray((part - 1) * partSizeBytes, part * partSizeBytes);
        return { part, etag, mark: await markOfBytes(sealer, 0, part, records) };
      }),
    );
    await requireOk(putManifest(owner, started.uploadId, sealer, 1, manifestOf([LARGE], true)));
    await requireOk(owner.complete(started.downloadId, receipts));
    const { plaintext } = await readBack(started.downloadId, sealer);
    // Vitest compares bytes one by one, for which these are too many.
    expect(await sha256Of(plaintext)).toBe(await sha256Of(LARGE.bytes));
  });

  it("comes in chunks with their marks, which are told to whoever goes on [SEAL-22]", async () => {
    const owner = await signUp();
    const sealer = await newSeal();
    const file: PlainFile = { name: "a.bin", type: "", bytes: patternBytes(300 * KIB) };
    const bytes = await sealedBytes(sealer, file.bytes);
    const more = {
      ...SEALED_FILE,
      seal: await sealAtStart(sealer, manifestOf([file], false)),
      fingerprint: FINGERPRINT,
    };
    const upload = await init(owner, bytes.length, more);
    const put = async (index: number, mark?: string) => {
      const form = new FormData();
      form.set("chunk", new Blob([bytes.subarray(index * upload.chunkSize, (index + 1) * upload.chunkSize)]), "blob");
      for (const [name, value] of Object.entries({ uploadId: upload.uploadId, chunkIndex: index, totalChunks: 2 }))
        form.set(name, String(value));
      if (mark !== undefined) form.set("mark", mark);
      return (await owner.postForm("/api/chunked-upload/chunk", form)).status;
    };
    const marks = await Promise.all(
      [0, 1].map((chunk) =>
        markOfBytes(sealer, 0, chunk + 1, bytes.subarray(chunk * upload.chunkSize, (chunk + 1) * upload.chunkSize)),
      ),
    );
    expect([await put(0), await put(0, marks[0])]).toEqual([400, 200]);
    await evictDurableObject(stubOf(upload.uploadId));
    const again: InitChunkedAnswer = await init(owner, bytes.length, more);
    expect([again.uploadId, again.nextChunk, again.marks]).toEqual([
      upload.uploadId,
      1,
      [{ chunk: 0, mark: marks[0] }],
    ]);
    expect(await put(1, marks[1])).toBe(200);
    expect((await answerOf(finalize(owner, upload.uploadId)))[1]).toMatchObject({ code: "MANIFEST_MISSING" });
    await requireOk(putManifest(owner, upload.uploadId, sealer, 1, manifestOf([file], true)));
    await requireOk(finalize(owner, upload.uploadId));
    await runDurableObjectAlarm(stubOf(upload.uploadId));
    const row = await rowOf("select sha256 from files where id = ?", upload.uploadId);
    expect(row).toEqual({ sha256: null });
    const { plaintext } = await readBack(upload.downloadId, sealer);
    expect(await sha256Of(plaintext)).toBe(await sha256Of(file.bytes));
  });
});
