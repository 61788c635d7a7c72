import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DAY_MS } from "#domain/units.ts";
import { removeAccount } from "#worker/accounts/deletion.ts";
import { beginUserDeletion } from "#worker/db/users.ts";
import { servicesFor } from "#worker/services.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { sendSealedTransfer, startSealed } from "../support/sealed-transfers.ts";
import { requireOk, SECRET_FILE, sendSealed, type PlainFile } from "../support/sealed-uploads.ts";
import { storedKeys } from "../support/storage-and-rows.ts";
import { logInAdmin, rowOf, signUp, type Client } from "../support/worker.ts";

const services = servicesFor(env);
const FILES: PlainFile[] = [SECRET_FILE, { ...SECRET_FILE, name: "more.pdf" }];

const manifestsOf = async (id: string) =>
  (await rowOf<{ n: number }>("select count(*) as n from sealed_manifests where transfer_id = ?", id)).n;

async function expectNothingOf(id: string): Promise<void> {
  expect([await manifestsOf(id), await storedKeys(`files/${id}`)]).toEqual([0, []]);
}

describe.each([
  ["file", (owner: Client) => sendSealed(owner)],
  ["transfer", (owner: Client) => sendSealedTransfer(owner, FILES)],
])("the encrypted list of a sealed %s goes with its bytes", (_kind, send) => {
  it("when its owner deletes it", async () => {
    const owner = await signUp();
    const { uploadId } = await send(owner);
    expect(await manifestsOf(uploadId)).toBe(1);
    await requireOk(owner.delete(`/api/files/${uploadId}`));
    await expectNothingOf(uploadId);
  });

  it("when it has expired", async () => {
    const { uploadId } = await send(await signUp());
    await sweep(services, () => Date.now() + 10 * DAY_MS);
    await expectNothingOf(uploadId);
  });

  it("when an administrator takes it down", async () => {
    const { uploadId } = await send(await signUp());
    const admin = await logInAdmin();
    await requireOk(admin.post(`/api/admin/files/${uploadId}/take-down`, { reason: "It is malware." }));
    await expectNothingOf(uploadId);
  });

  it("when its owner's account is deleted", async () => {
    const owner = await signUp();
    const { uploadId } = await send(owner);
    await beginUserDeletion(services.db, owner.id, Date.now());
    expect(await removeAccount(services, owner.id, Date.now())).toBe(true);
    await expectNothingOf(uploadId);
  });
});

it("the encrypted list of a cancelled upload is deleted", async () => {
  const owner = await signUp();
  const { uploadId, downloadId } = await startSealed(owner, FILES);
  expect(await manifestsOf(uploadId)).toBe(1);
  await requireOk(owner.post("/api/direct-upload/cancel", { downloadId }));
  expect(await manifestsOf(uploadId)).toBe(0);
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
