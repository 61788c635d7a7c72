import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { markReceipts, startSealed } from "../support/sealed-transfers.ts";
import {
  manifestOf,
  newSeal,
  putManifest,
  requireOk,
  sealAtStart,
  sealedBytes,
  SEALED_FILE,
  SECRET_FILE,
} from "../support/sealed-uploads.ts";
import { finish, join, putObject } from "../support/transfers.ts";
import { putIncoming, rowOf, signUp, type Client } from "../support/worker.ts";

const statusOf = async (id: string) =>
  (await rowOf<{ status: string }>("select status from files where id = ?", id)).status;

/** All bytes are there, with a final list. */
async function sentFile(owner: Client) {
  const sealer = await newSeal();
  const seal = await sealAtStart(sealer, manifestOf([SECRET_FILE], false));
  const bytes = await sealedBytes(sealer, SECRET_FILE.bytes);
  const { uploadId, downloadId } = await owner.startUpload(bytes.length, { ...SEALED_FILE, seal });
  await putIncoming(uploadId, bytes);
  const session = env.UPLOADS.get(env.UPLOADS.idFromName(uploadId));
  // As a call that found the list final.
  const goOn = () => session.complete([]);
  return { sealer, uploadId, goOn, finish: () => owner.complete(downloadId) };
}

async function sentTransfer(owner: Client) {
  const started = await startSealed(owner, [SECRET_FILE]);
  const { sealer, uploadId, downloadId, entries } = started;
  const sent = await putObject(started, 0, join(entries.map(({ bytes }) => bytes)));
  const receipts = await markReceipts(sealer, sent, [0], entries);
  const session = env.TRANSFERS.get(env.TRANSFERS.idFromName(uploadId));
  return { sealer, uploadId, goOn: () => session.finish(receipts), finish: () => finish(owner, downloadId, receipts) };
}

describe.each([
  ["file", sentFile],
  ["transfer", sentTransfer],
])("a sealed %s whose final list is taken back while it completes", (_kind, send) => {
  it("stays open, and is ready with the next final one [SEAL-26]", async () => {
    const owner = await signUp();
    const { sealer, uploadId, goOn, finish } = await send(owner);
    const put = (revision: number, isFinal: boolean) =>
      requireOk(putManifest(owner, uploadId, sealer, revision, manifestOf([SECRET_FILE], isFinal)));
    await put(1, true);
    await put(2, false);
    expect(await goOn()).toEqual({ ok: false, code: "MANIFEST_MISSING" });
    expect(await statusOf(uploadId)).toBe("uploading");
    await put(3, true);
    expect((await finish()).status).toBe(200);
    expect(await statusOf(uploadId)).toBe("ready");
  });
});
