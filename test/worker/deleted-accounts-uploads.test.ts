import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sendObjects } from "#test/support/packed-transfers.ts";
import { createRequest, Sender } from "#test/support/requests.ts";
import { storedKeys } from "#test/support/storage-and-rows.ts";
import { finish, join, putObject, textFile } from "#test/support/transfers.ts";
import { putIncoming, Client, contentPath, patternBytes, rowOf, sendParts, signUp } from "#test/support/worker.ts";
import { removeAccount } from "#worker/admin/remove-account.ts";
import { beginUserDeletion } from "#worker/db/users.ts";
import { servicesFor } from "#worker/services.ts";

const services = servicesFor(env);

function sessionOf(uploadId: string) {
  return env.UPLOADS.get(env.UPLOADS.idFromName(uploadId));
}

/** Starts an upload and stores all of its bytes. @returns a function that completes it */
async function arrived(owner: Client, sizeBytes: number) {
  const upload = await owner.startUpload(sizeBytes);
  const bytes = patternBytes(sizeBytes);
  if (upload.multipart) return { ...upload, receipts: await sendParts(upload.uploadId, bytes) };
  await putIncoming(upload.uploadId, bytes);
  return { ...upload, receipts: [] };
}

/** A single PUT, and an upload in parts. */
const SIZES = [5, 17 * 1024 * 1024];

describe("an upload that completes while its owner's account is being deleted", () => {
  it.each(SIZES)("of %i bytes never becomes a file and leaves nothing", async (sizeBytes) => {
    const owner = await signUp();
    const { uploadId, downloadId, receipts } = await arrived(owner, sizeBytes);
    await beginUserDeletion(services.db, owner.id, Date.now());
    expect(await sessionOf(uploadId).complete(receipts)).toEqual({ ok: false, code: "UPLOAD_CLOSED" });
    const visitor = new Client();
    for (const path of [`/api/files/download/${downloadId}`, contentPath(downloadId)]) {
      expect((await visitor.fetch(path)).status).toBe(404);
    }
    const row = await rowOf("select status, uploaded_at, etag from files where id = ?", uploadId);
    expect(row).toEqual({ status: "cancelled", uploaded_at: null, etag: null });
    expect([...(await storedKeys(`files/${uploadId}`)), ...(await storedKeys(`incoming/${uploadId}`))]).toEqual([]);
    expect(await removeAccount(services, owner.id, Date.now())).toBe(true);
    expect(await rowOf("select count(*) as n from files where id = ?", uploadId)).toEqual({ n: 0 });
  });

  it.each(SIZES)("of %i bytes is cancelled by the deletion during its completion", async (sizeBytes) => {
    const owner = await signUp();
    const { uploadId, receipts } = await arrived(owner, sizeBytes);
    await beginUserDeletion(services.db, owner.id, Date.now());
    const [completed, removed] = await Promise.all([
      sessionOf(uploadId).complete(receipts),
      removeAccount(services, owner.id, Date.now()),
    ]);
    expect(completed).toMatchObject({ ok: false });
    expect(removed || (await removeAccount(services, owner.id, Date.now()))).toBe(true);
    expect([...(await storedKeys(`files/${uploadId}`)), ...(await storedKeys(`incoming/${uploadId}`))]).toEqual([]);
  });

  it("that completed before is deleted with the account", async () => {
    const owner = await signUp();
    const { uploadId, downloadId } = await arrived(owner, 5);
    expect(await sessionOf(uploadId).complete([])).toMatchObject({ ok: true });
    await beginUserDeletion(services.db, owner.id, Date.now());
    expect((await new Client().fetch(contentPath(downloadId))).status).toBe(410);
    expect(await removeAccount(services, owner.id, Date.now())).toBe(true);
    expect(await storedKeys(`files/${uploadId}`)).toEqual([]);
  });
});

describe("an unfinished transfer of an account that is being deleted", () => {
  const FILES = [textFile("first.txt"), textFile("second.txt")];

  it("can no longer be read once the deletion has begun", async () => {
    const owner = await signUp();
    const sent = await sendObjects(owner, FILES, [[0]]);
    const link = `/api/files/download/${sent.downloadId}`;
    const visitor = new Client();
    const statuses = () =>
      Promise.all(
        [link, `${link}/entries`, `${link}/entries/0/content`].map(async (path) => (await visitor.fetch(path)).status),
      );
    await expect.poll(statuses).toEqual([200, 200, 200]);
    await beginUserDeletion(services.db, owner.id, Date.now());
    expect(await statuses()).toEqual([410, 410, 410]);
  });

  it.each(["is being sent", "is waiting for its sender"])(
    "goes with it when a stranger sends it through a request, and it %s",
    async (what) => {
      const owner = await signUp();
      const sender = new Sender(await createRequest(owner));
      const sent = await sender.begin(FILES, { open: [{ object: 0, runs: [[0, 2]] }] });
      if (what === "is being sent") await putObject(sent, 0, join(FILES.map(({ bytes }) => bytes)));
      await beginUserDeletion(services.db, owner.id, Date.now());
      expect(await removeAccount(services, owner.id, Date.now())).toBe(true);
      expect(await rowOf("select count(*) as n from files where id = ?", sent.uploadId)).toEqual({ n: 0 });
      expect(await rowOf("select count(*) as n from users where id = ?", owner.id)).toEqual({ n: 0 });
      expect(await storedKeys(`files/${sent.uploadId}`)).toEqual([]);
      expect((await finish(sender, sent.downloadId)).status).toBeGreaterThanOrEqual(400);
    },
  );
});
