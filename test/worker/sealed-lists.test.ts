import { describe, expect, it } from "vitest";
import { toBase64url } from "#domain/bytes-as-text.ts";
import { KIB, MIB } from "#domain/units.ts";
import { Recipient } from "../support/recipient.ts";
import { startSealed } from "../support/sealed-transfers.ts";
import {
  manifestBody,
  manifestOf,
  newSeal,
  openSeal,
  putManifest,
  requireOk,
  sealAtStart,
  sealedBytes,
  SEALED_FILE,
  SECRET_FILE,
  unlockSealed,
} from "../support/sealed-uploads.ts";
import { answerOf, putIncoming, rowOf, sendFile, signUp, type Client } from "../support/worker.ts";

describe("the list of files of a sealed upload", () => {
  async function startSmall(owner: Client) {
    const sealer = await newSeal();
    const seal = await sealAtStart(sealer, manifestOf([SECRET_FILE], false));
    const bytes = await sealedBytes(sealer, SECRET_FILE.bytes);
    const started = await owner.startUpload(bytes.length, { ...SEALED_FILE, seal });
    await putIncoming(started.uploadId, bytes);
    return { sealer, ...started };
  }

  it("takes exactly the next revision, and the same one again [SEAL-26]", async () => {
    const owner = await signUp();
    const { sealer, uploadId } = await startSmall(owner);
    const put = (body: unknown) => answerOf(owner.put(`/api/files/${uploadId}/manifest`, body));
    const first = await manifestBody(sealer, 1, manifestOf([SECRET_FILE], false));
    expect(await put({ ...first, revision: 2 })).toEqual([
      409,
      expect.objectContaining({ code: "MANIFEST_CONFLICT", revision: 0 }),
    ]);
    expect(await put(first)).toEqual([200, { revision: 1 }]);
    expect(await put(first)).toEqual([200, { revision: 1 }]);
    const other = await manifestBody(sealer, 1, manifestOf([SECRET_FILE], true));
    expect(await put(other)).toEqual([409, expect.objectContaining({ code: "MANIFEST_CONFLICT", revision: 1 })]);
  });

  it("holds 16 KiB and 2 KiB for each file, at most 1 MiB, and no byte more [SEAL-26]", async () => {
    const owner = await signUp();
    const put = async (id: string, bytes: number) => {
      const body = toBase64url(new Uint8Array(bytes));
      const [status, { field }] = await answerOf(
        owner.put(`/api/files/${id}/manifest`, { revision: 1, final: true, body }),
      );
      return [status, field];
    };
    const file = await startSmall(owner);
    expect(await put(file.uploadId, 18 * KIB + 1)).toEqual([400, "body"]);
    expect(await put(file.uploadId, 18 * KIB)).toEqual([200, undefined]);
    const { uploadId } = await startSealed(owner, [SECRET_FILE], { totals: { entries: 600, bytes: 43 } });
    expect(await put(uploadId, MIB + 1)).toEqual([400, "body"]);
    expect(await put(uploadId, MIB)).toEqual([200, undefined]);
    const { length } = await rowOf<{ length: number }>(
      "select length(body) as length from sealed_manifests where transfer_id = ?",
      uploadId,
    );
    expect(length).toBe(1_398_102);
  });

  it("lets one of three parallel changes through [SEAL-26]", async () => {
    const owner = await signUp();
    const { sealer, uploadId } = await startSmall(owner);
    const puts = ["one", "two", "three"].map((message) =>
      putManifest(owner, uploadId, sealer, 1, manifestOf([SECRET_FILE], true, { message })),
    );
    const statuses = (await Promise.all(puts)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409]);
  });

  it("has to be final before the upload completes, and stays so [SEAL-26]", async () => {
    const owner = await signUp();
    const { sealer, uploadId, downloadId } = await startSmall(owner);
    expect(await answerOf(owner.complete(downloadId))).toEqual([
      409,
      expect.objectContaining({ code: "MANIFEST_MISSING" }),
    ]);
    await requireOk(putManifest(owner, uploadId, sealer, 1, manifestOf([SECRET_FILE], true)));
    expect((await owner.complete(downloadId)).status).toBe(200);
    const renamed = manifestOf([{ ...SECRET_FILE, name: "renamed.pdf" }], true);
    expect((await putManifest(owner, uploadId, sealer, 2, renamed)).status).toBe(200);
    const opened = await unlockSealed(new Recipient(), downloadId, sealer);
    expect((await openSeal(sealer, opened)).manifest.files[0]?.name).toBe("renamed.pdf");
    const unfinished = putManifest(owner, uploadId, sealer, 3, manifestOf([SECRET_FILE], false));
    expect(await answerOf(unfinished)).toEqual([409, expect.objectContaining({ code: "UPLOAD_FINISHED" })]);
  });

  it("has the checksums, and nothing else that the server keeps has", async () => {
    const owner = await signUp();
    const { sealer, uploadId, downloadId } = await startSmall(owner);
    await requireOk(putManifest(owner, uploadId, sealer, 1, manifestOf([SECRET_FILE], true)));
    const complete = (more = {}) =>
      answerOf(owner.post("/api/direct-upload/complete", { downloadId, receipts: [], ...more }));
    const [status, { field }] = await complete({ sha256: "ab".repeat(32) });
    expect([status, field]).toEqual([400, "sha256"]);
    expect((await complete())[0]).toBe(200);
  });

  it("is its owner's alone, and not of a plain file", async () => {
    const owner = await signUp();
    const { sealer, uploadId } = await startSmall(owner);
    const stranger = await signUp();
    expect((await putManifest(stranger, uploadId, sealer, 1, manifestOf([SECRET_FILE], true))).status).toBe(404);
    const plain = await sendFile(owner, "a plain file");
    const [status, { code }] = await answerOf(
      putManifest(owner, plain.uploadId, sealer, 1, manifestOf([SECRET_FILE], true)),
    );
    expect([status, code]).toEqual([409, "NOT_SEALED"]);
  });
});
