import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { writeFragment } from "#domain/seal/fragment.ts";
import { DAY_MS } from "#domain/units.ts";
import { removeAccount } from "#worker/admin/remove-account.ts";
import { beginUserDeletion } from "#worker/db/users.ts";
import { servicesFor } from "#worker/services.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { Recipient } from "../support/recipient.ts";
import { sendSealedTransfer, startSealed } from "../support/sealed-transfers.ts";
import {
  requireOk,
  SECRET_FILE,
  sendSealed,
  unlockSealed,
  type PlainFile,
  type Sealer,
} from "../support/sealed-uploads.ts";
import { storedKeys } from "../support/storage-and-rows.ts";
import { logInAdmin, rowOf, signUp, type Client } from "../support/worker.ts";

const services = servicesFor(env);
const FILES: PlainFile[] = [SECRET_FILE, { ...SECRET_FILE, name: "more.pdf" }];

const manifestsOf = async (id: string) =>
  (await rowOf<{ n: number }>("select count(*) as n from sealed_manifests where transfer_id = ?", id)).n;

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

it("the encrypted list and a reported key of a cancelled upload are deleted", async () => {
  const owner = await signUp();
  const sent = await reported(await startSealed(owner, FILES));
  await requireOk(owner.post("/api/direct-upload/cancel", { downloadId: sent.downloadId }));
  await expectNothingOf(sent);
});

it("a start that is over the quota leaves no encrypted list", async () => {
  const owner = await signUp();
  await startSealed(owner, FILES);
  const before = await rowOf<{ n: number }>("select count(*) as n from sealed_manifests");
  await expect(startSealed(owner, FILES, { totals: { entries: 2, bytes: 2 ** 40 } })).rejects.toThrow(
    "PLAN_LIMIT_EXCEEDED",
  );
  expect(await rowOf("select count(*) as n from sealed_manifests")).toEqual(before);
});
