import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { toBase64url } from "#domain/bytes-as-text.ts";
import { KIB, MIB } from "#domain/units.ts";
import { servicesFor } from "#worker/services.ts";
import { moveLists } from "#worker/sweep/lists.ts";
import { faultyEnv, LOST_ANSWER, LOST_REQUEST, strike } from "../support/faults.ts";
import { Recipient } from "../support/recipient.ts";
import { sendSealedTransfer, startSealed } from "../support/sealed-transfers.ts";
import {
  manifestBody,
  manifestOf,
  newSeal,
  openSeal,
  putManifest,
  requireOk,
  sealAtStart,
  sendSealed,
  sealedBytes,
  SEALED_FILE,
  SECRET_FILE,
  unlockSealed,
} from "../support/sealed-uploads.ts";
import { countManifestsInD1, putManifestInD1, storedManifest } from "../support/stored-manifests.ts";
import { clientFrom } from "../support/worker-with-env.ts";
import { answerOf, putIncoming, rowOf, runSql, sendFile, signUp, type Client } from "../support/worker.ts";

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
    expect((await storedManifest(uploadId))?.body.length).toBe(1_398_102);
    expect(await countManifestsInD1(uploadId)).toBe(0);
  });

  it("is read and replaced when a former release wrote it to D1", async () => {
    const owner = await signUp();
    const sent = await sendSealedTransfer(owner, [SECRET_FILE]);
    await putManifestInD1(sent.uploadId);
    const opened = await unlockSealed(new Recipient(), sent.downloadId, sent.sealer);
    expect((await openSeal(sent.sealer, opened)).manifest.files[0]?.name).toBe(SECRET_FILE.name);
    expect(await countManifestsInD1(sent.uploadId)).toBe(0);

    await putManifestInD1(sent.uploadId);
    const renamed = manifestOf([{ ...SECRET_FILE, name: "renamed.pdf" }], true);
    expect((await putManifest(owner, sent.uploadId, sent.sealer, 2, renamed)).status).toBe(200);
    expect(await countManifestsInD1(sent.uploadId)).toBe(0);
    expect(await storedManifest(sent.uploadId)).toMatchObject({ revision: 2, final: true });
  });

  it("goes on from its revision when a restored row has an older one", async () => {
    const owner = await signUp();
    const { sealer, uploadId } = await sendSealed(owner);
    await runSql("update files set manifest_revision = 0 where id = ?", uploadId);
    expect((await putManifest(owner, uploadId, sealer, 2, manifestOf([SECRET_FILE], true))).status).toBe(200);
    expect(await rowOf("select manifest_revision as revision from files where id = ?", uploadId)).toEqual({
      revision: 2,
    });
  });

  it("is moved by the cron when a former release wrote it to D1", async () => {
    const owner = await signUp();
    const sent = await sendSealed(owner);
    await putManifestInD1(sent.uploadId);
    await moveLists(servicesFor(env));
    expect(await countManifestsInD1(sent.uploadId)).toBe(0);
    expect(await storedManifest(sent.uploadId)).toMatchObject({ revision: 1, final: true });
  });

  it.each([
    { lost: "request", fault: LOST_REQUEST, revision: 0 },
    { lost: "answer", fault: LOST_ANSWER, revision: 1 },
  ])("is what the row says after the database has lost each $lost", async ({ fault, revision }) => {
    vi.spyOn(console, "error").mockReturnValue();
    const owner = await signUp();
    const { sealer, uploadId } = await startSmall(owner);
    const { fate } = strike(100, fault, (sql) => sql.includes('set "manifest_revision"'));
    const faulty = clientFrom(
      "192.0.2.1",
      faultyEnv(env, fate, () => null),
      owner.cookie,
    );
    const put = (client: Client) => putManifest(client, uploadId, sealer, 1, manifestOf([SECRET_FILE], true));
    expect((await put(faulty)).status).toBe(503);
    const read = () => env.UPLOADS.get(env.UPLOADS.idFromName(uploadId)).readManifest(uploadId);
    expect(await read()).toMatchObject({ revision });
    expect(await rowOf("select manifest_revision as revision from files where id = ?", uploadId)).toEqual({ revision });
    expect((await put(owner)).status).toBe(revision === 0 ? 200 : 409);
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
