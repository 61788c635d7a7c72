import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { toBase64url } from "#domain/bytes-as-text.ts";
import { writeFragment } from "#domain/seal/fragment.ts";
import { deriveLinkKeys, wrapSecret } from "#domain/seal/keys.ts";
import { DAY_MS } from "#domain/units.ts";
import type { FileReport, Paged } from "#domain/wire.ts";
import { openReportedKey } from "#worker/links/reported-link.ts";
import { servicesFor } from "#worker/services.ts";
import { resealSecrets } from "#worker/sweep/reseal.ts";
import { applyRetention } from "#worker/sweep/retention.ts";
import { usedOf } from "../support/limited-links.ts";
import { mailTo } from "../support/mails.ts";
import { Recipient } from "../support/recipient.ts";
import {
  accessHashOf,
  openSeal,
  openStream,
  requireOk,
  sendSealed,
  unlockSealed,
  unlockWith,
} from "../support/sealed-uploads.ts";
import { answerOf, Client, logInAdmin, rowOf, runSql, sendFile, signUp } from "../support/worker.ts";

const JSON_TYPE = { "content-type": "application/json" };
const PASSWORD = "the link's own password";

async function reportSealed() {
  const owner = await signUp();
  const sent = await sendSealed(owner, { isLocked: true });
  const { downloadId, sealer } = sent;
  const recipient = new Recipient();
  await unlockSealed(recipient, downloadId, sealer);
  const sharedKey = {
    fragment: writeFragment({ linkSecret: sealer.linkSecret, hasPassword: true }),
    password: PASSWORD,
  };
  const report = { reason: "malware", message: "Look inside.", sharedKey };
  await requireOk(recipient.post(`/api/files/download/${downloadId}/report`, report));
  const { id } = await rowOf<{ id: string }>("select id from file_reports where file_id = ?", sent.uploadId);
  return { ...sent, owner, sharedKey, reportId: id };
}

const storedKeyOf = async (reportId: string) =>
  (await rowOf<{ key: string | null }>("select shared_key as key from file_reports where id = ?", reportId)).key;

const storeKey = (reportId: string, key: string | null) =>
  runSql("update file_reports set shared_key = ? where id = ?", key, reportId);

const logOf = async (reportId: string) =>
  (
    await rowOf<{ n: number }>(
      "select count(*) as n from admin_audit_logs where action = 'report.reveal-key' and target = ?",
      reportId,
    )
  ).n;

/** With every cookie, as a browser keeps them. */
async function adminsBrowser(): Promise<Recipient> {
  const browser = new Recipient();
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = env;
  await requireOk(browser.post("/api/admin/login", { username, password }));
  return browser;
}

const reveal = (client: Client | Recipient, reportId: string) =>
  client.post(`/api/admin/reports/${reportId}/shared-key`, {});

describe("a report with a shared key", () => {
  it("shows administrators that there is one, and no name", async () => {
    const { reportId } = await reportSealed();
    const admin = await logInAdmin();
    const answer = await admin.fetch("/api/admin/reports?page=1");
    const { items } = await answer.json<Paged<FileReport>>();
    const report = items.find(({ id }) => id === reportId);
    expect(report).toMatchObject({ hasSharedKey: true, file: { filename: "sealed", guards: { sealed: true } } });
    expect(JSON.stringify(report)).not.toContain(PASSWORD);
  });

  it("is sealed in the database [SEAL-36]", async () => {
    const { reportId, sharedKey, uploadId } = await reportSealed();
    const row = JSON.stringify(await rowOf("select * from file_reports where file_id = ?", uploadId));
    for (const secret of [sharedKey.fragment, sharedKey.fragment.slice(4, 20), PASSWORD]) {
      expect(row).not.toContain(secret);
    }
    expect(await storedKeyOf(reportId)).toMatch(/^[\w-]{8}\.[\w-]{16}\.[\w-]+$/);
  });

  it("opens for its own report alone", async () => {
    const [one, other] = [await reportSealed(), await reportSealed()];
    await storeKey(other.reportId, await storedKeyOf(one.reportId));
    const admin = await adminsBrowser();
    expect((await reveal(admin, other.reportId)).status).toBe(404);
    expect((await admin.content(other.downloadId)).status).toBe(401);
  });

  it("that is stored in clear opens, and is sealed by the cron [SEAL-36]", async () => {
    const { reportId, sharedKey, downloadId, uploadId } = await reportSealed();
    const clear = await rowOf<{ json: string }>(
      "select json_object('fragment', ?, 'password', ?, 'seal', seal, 'accessHash', access_hash) as json from files where id = ?",
      sharedKey.fragment,
      PASSWORD,
      uploadId,
    );
    await storeKey(reportId, clear.json);
    const admin = await adminsBrowser();
    expect(await answerOf(reveal(admin, reportId))).toMatchObject([200, sharedKey]);
    expect((await admin.content(downloadId)).status).toBe(200);
    expect(await resealSecrets(servicesFor(env))).toBe(1);
    expect(await storedKeyOf(reportId)).not.toContain(sharedKey.fragment);
    expect(await resealSecrets(servicesFor(env))).toBe(0);
    expect(await answerOf(reveal(admin, reportId))).toMatchObject([200, sharedKey]);
    expect((await admin.content(downloadId)).status).toBe(200);
  });

  it("is sealed anew under a new data key", async () => {
    const { reportId, sharedKey } = await reportSealed();
    const renewed = { ...env, DATA_KEY: "another key for the secrets of this site", DATA_KEY_FORMER: env.DATA_KEY };
    expect(await resealSecrets(servicesFor(renewed))).toBeGreaterThan(0);
    const stored = await storedKeyOf(reportId);
    expect(await openReportedKey(servicesFor({ ...renewed, DATA_KEY_FORMER: "" }), reportId, stored)).toMatchObject(
      sharedKey,
    );
    expect(await openReportedKey(servicesFor(env), reportId, stored)).toBeNull();
    await storeKey(reportId, null);
  });

  it("is opened by administrators alone, and each look is in the admin log [SEAL-36]", async () => {
    const { reportId, sharedKey, downloadId } = await reportSealed();
    expect((await reveal(new Client(), reportId)).status).toBe(403);
    expect((await reveal(await signUp(), reportId)).status).toBe(403);
    expect(await logOf(reportId)).toBe(0);
    const admin = await adminsBrowser();
    const link = `${env.APP_ORIGIN}/download/${downloadId}#${sharedKey.fragment}`;
    expect(await answerOf(reveal(admin, reportId))).toEqual([200, { ...sharedKey, link }]);
    expect(await logOf(reportId)).toBe(1);
    await reveal(admin, reportId);
    expect(await logOf(reportId)).toBe(2);
    const { details } = await rowOf<{ details: string }>(
      "select details from admin_audit_logs where target = ?",
      reportId,
    );
    expect(details).toBe("");
  });

  it("opens the link as it was then, whatever its sender changes, and takes nobody's place [SEAL-36]", async () => {
    const { reportId, downloadId, uploadId, owner, sealer, seal } = await reportSealed();
    const keys = await deriveLinkKeys(sealer.linkSecret, new Uint8Array(), sealer.salt);
    const wrap = toBase64url(await wrapSecret(sealer.secret, keys));
    const guards = { wrap, accessHash: await accessHashOf({ link: keys }), kdf: null, maxDownloads: 1 };
    await requireOk(owner.patch(`/api/files/${uploadId}`, { guards }));

    const admin = await adminsBrowser();
    const address = `/api/files/download/${downloadId}`;
    expect((await unlockWith(admin, downloadId, sealer.link.access)).status).toBe(403);
    await requireOk(reveal(admin, reportId));
    expect(await (await admin.fetch(address)).json()).toMatchObject({
      guards: { password: true, maxDownloads: null },
      seal: { kdf: seal.kdf },
    });
    const opened = await unlockSealed(admin, downloadId, sealer);
    const { keys: contentKeys, manifest } = await openSeal(sealer, opened);
    expect(manifest.files[0]?.name).toBe("the merger.pdf");
    expect(await answerOf(admin.take(downloadId))).toEqual([201, { lease: null, left: null, until: null }]);
    const sealed = new Uint8Array(await (await admin.content(downloadId)).arrayBuffer());
    const plaintext = await openStream({ keys: contentKeys }, 0, 15, sealed);
    expect(new TextDecoder().decode(plaintext)).toBe("nobody may know");
    expect(await usedOf(downloadId)).toBe(0);
  });

  it("opens the link no longer without the administrator's session, or once it is settled", async () => {
    const { reportId, downloadId } = await reportSealed();
    const admin = await adminsBrowser();
    await requireOk(reveal(admin, reportId));
    expect((await admin.content(downloadId)).status).toBe(200);
    const cookie = `report_${downloadId}=${reportId}`;
    expect((await new Recipient().content(downloadId, { cookie })).status).toBe(401);
    const other = await reportSealed();
    expect((await admin.content(other.downloadId)).status).toBe(401);
    const settle = { method: "PUT", headers: JSON_TYPE, body: JSON.stringify({ outcome: "dismissed" }) };
    await requireOk(admin.fetch(`/api/admin/reports/${reportId}`, settle));
    expect((await admin.content(downloadId)).status).toBe(401);
  });

  it("loses the key when it is settled [SEAL-36]", async () => {
    const { reportId } = await reportSealed();
    const admin = await logInAdmin();
    await requireOk(admin.put(`/api/admin/reports/${reportId}`, { outcome: "dismissed" }));
    expect(await storedKeyOf(reportId)).toBeNull();
    expect([(await reveal(admin, reportId)).status, await logOf(reportId)]).toEqual([404, 0]);
  });

  it("loses the key when the transfer is taken down", async () => {
    const { reportId } = await reportSealed();
    const admin = await logInAdmin();
    await requireOk(admin.put(`/api/admin/reports/${reportId}`, { outcome: "taken-down", note: "It is malware." }));
    expect(await storedKeyOf(reportId)).toBeNull();
  });

  it("loses the key after 30 days, and stays open [SEAL-36]", async () => {
    const { reportId } = await reportSealed();
    await applyRetention(servicesFor(env), Date.now() + 29 * DAY_MS);
    expect(await storedKeyOf(reportId)).not.toBeNull();
    await applyRetention(servicesFor(env), Date.now() + 30 * DAY_MS);
    expect(await storedKeyOf(reportId)).toBeNull();
    const { settled } = await rowOf<{ settled: number | null }>(
      "select settled_at as settled from file_reports where id = ?",
      reportId,
    );
    expect(settled).toBeNull();
  });

  it("is refused for a plain link, and with what is no key", async () => {
    const { sharedKey, downloadId, sealer } = await reportSealed();
    const plain = await sendFile(await signUp(), "plain");
    const report = (recipient: Recipient, id: string, key: unknown) =>
      answerOf(recipient.post(`/api/files/download/${id}/report`, { reason: "other", sharedKey: key }));
    expect(await report(new Recipient(), plain.downloadId, sharedKey)).toEqual([
      409,
      expect.objectContaining({ code: "NOT_SEALED" }),
    ]);
    const recipient = new Recipient();
    await unlockSealed(recipient, downloadId, sealer);
    const [status, { field }] = await report(recipient, downloadId, { fragment: "1short" });
    expect([status, field]).toEqual([400, "sharedKey.fragment"]);
  });
});

it("a mail about a taken down sealed file names nothing that it does not know", async () => {
  const owner = await signUp();
  const { uploadId } = await sendSealed(owner);
  const admin = await logInAdmin();
  await requireOk(admin.post(`/api/admin/files/${uploadId}/take-down`, { reason: "It is malware." }));
  const { text } = await mailTo(owner.email);
  expect(text).toContain("Encrypted transfer");
});
