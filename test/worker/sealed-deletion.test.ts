import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { writeFragment } from "#domain/seal/fragment.ts";
import { DAY_MS, HOUR_MS } from "#domain/units.ts";
import { removeAccount } from "#worker/admin/remove-account.ts";
import { beginUserDeletion } from "#worker/db/users.ts";
import { servicesFor } from "#worker/services.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { Recipient } from "../support/recipient.ts";
import { sendSealedTransfer, startSealed } from "../support/sealed-transfers.ts";
import {
  openSeal,
  requireOk,
  SECRET_FILE,
  sendSealed,
  unlockSealed,
  type PlainFile,
  type Sealer,
} from "../support/sealed-uploads.ts";
import { countManifestsInD1, putManifestInD1, storedManifest } from "../support/stored-manifests.ts";
import { storedKeys } from "../support/storage-and-rows.ts";
import { logInAdmin, rowOf, signUp, type Client } from "../support/worker.ts";

const services = servicesFor(env);

function sessionStub(id: string, isTransfer: boolean): DurableObjectStub {
  return isTransfer ? env.TRANSFERS.get(env.TRANSFERS.idFromName(id)) : env.UPLOADS.get(env.UPLOADS.idFromName(id));
}

const FILES: PlainFile[] = [SECRET_FILE, { ...SECRET_FILE, name: "more.pdf" }];

const manifestsOf = async (id: string) =>
  ((await storedManifest(id)) === null ? 0 : 1) + (await countManifestsInD1(id));

const reportedKeysOf = async (reportId: string) =>
  (
    await rowOf<{ n: number }>(
      "select count(*) as n from file_reports where id = ? and shared_key is not null",
      reportId,
    )
  ).n;

/** A recipient reports the link with its key. */
async function reported<Sent extends { uploadId: string; downloadId: string; sealer: Sealer }>(sent: Sent) {
  const recipient = new Recipient();
  await unlockSealed(recipient, sent.downloadId, sent.sealer);
  const fragment = writeFragment({ linkSecret: sent.sealer.linkSecret, hasPassword: false });
  const report = { reason: "malware", sharedKey: { fragment } };
  await requireOk(recipient.post(`/api/files/download/${sent.downloadId}/report`, report));
  const { id: reportId } = await rowOf<{ id: string }>("select id from file_reports where file_id = ?", sent.uploadId);
  expect([await manifestsOf(sent.uploadId), await reportedKeysOf(reportId)]).toEqual([1, 1]);
  return { ...sent, reportId };
}

async function expectNothingOf({ uploadId, reportId }: { uploadId: string; reportId: string }): Promise<void> {
  const left = [await manifestsOf(uploadId), await reportedKeysOf(reportId), await storedKeys(`files/${uploadId}`)];
  expect(left).toEqual([0, 0, []]);
}

describe.each([
  ["file", async (owner: Client) => reported(await sendSealed(owner))],
  ["transfer", async (owner: Client) => reported(await sendSealedTransfer(owner, FILES))],
  [
    "transfer of a former release",
    async (owner: Client) => {
      const sent = await reported(await sendSealedTransfer(owner, FILES));
      await putManifestInD1(sent.uploadId);
      return sent;
    },
  ],
])("the encrypted list and a reported key of a sealed %s go with its bytes", (_kind, send) => {
  it("when its owner deletes it [SEAL-37]", async () => {
    const owner = await signUp();
    const sent = await send(owner);
    await requireOk(owner.delete(`/api/files/${sent.uploadId}`));
    await expectNothingOf(sent);
  });

  it("when it has expired [SEAL-37]", async () => {
    const sent = await send(await signUp());
    await sweep(services, () => Date.now() + 10 * DAY_MS);
    await expectNothingOf(sent);
  });

  it("when an administrator takes it down [SEAL-37]", async () => {
    const sent = await send(await signUp());
    const admin = await logInAdmin();
    await requireOk(admin.post(`/api/admin/files/${sent.uploadId}/take-down`, { reason: "It is malware." }));
    await expectNothingOf(sent);
  });

  it("when an administrator deletes it [SEAL-37]", async () => {
    const sent = await send(await signUp());
    const admin = await logInAdmin();
    await requireOk(admin.delete(`/api/admin/files/${sent.uploadId}`));
    await expectNothingOf(sent);
  });

  it("when its owner's account is deleted [SEAL-37]", async () => {
    const owner = await signUp();
    const sent = await send(owner);
    await beginUserDeletion(services.db, owner.id, Date.now());
    expect(await removeAccount(services, owner.id, Date.now())).toBe(true);
    await expectNothingOf(sent);
  });
});

it("the encrypted list stays when all else of the session is deleted an hour after the end", async () => {
  for (const sent of [await sendSealed(await signUp()), await sendSealedTransfer(await signUp(), FILES)]) {
    const stub = sessionStub(sent.uploadId, "entries" in sent);
    await runInDurableObject(stub, (_, { storage }) => {
      const key = "entries" in sent ? "transfer" : "upload";
      const record = storage.kv.get<{ settledAt: number }>(key) ?? expect.unreachable();
      storage.kv.put(key, { ...record, settledAt: Date.now() - HOUR_MS });
    });
    await evictDurableObject(stub);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    const keys = await runInDurableObject(stub, (_, { storage }) => [...storage.kv.list()].map(([key]) => key));
    expect(keys.filter((key) => key !== "list")).toEqual(["manifest"]);
    const opened = await unlockSealed(new Recipient(), sent.downloadId, sent.sealer);
    expect((await openSeal(sent.sealer, opened)).manifest.final).toBe(true);
  }
});

it("the encrypted list and a reported key of a cancelled upload are deleted", async () => {
  const owner = await signUp();
  const sent = await reported(await startSealed(owner, FILES));
  await requireOk(owner.post("/api/direct-upload/cancel", { downloadId: sent.downloadId }));
  await expectNothingOf(sent);
});
