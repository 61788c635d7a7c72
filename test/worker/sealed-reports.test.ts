import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { writeFragment } from "#domain/seal/fragment.ts";
import { DAY_MS } from "#domain/units.ts";
import type { FileReport, Paged } from "#domain/wire.ts";
import { servicesFor } from "#worker/services.ts";
import { applyRetention } from "#worker/sweep/retention.ts";
import { Recipient } from "../support/recipient.ts";
import { requireOk, sendSealed, unlockSealed } from "../support/sealed-uploads.ts";
import { answerOf, Client, logInAdmin, rowOf, sendFile, signUp } from "../support/worker.ts";

const PASSWORD = "the link's own password";

async function reportSealed() {
  const sent = await sendSealed(await signUp(), { isLocked: true });
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
  return { ...sent, sharedKey, reportId: id };
}

const storedKeyOf = async (reportId: string) =>
  (await rowOf<{ key: string | null }>("select shared_key as key from file_reports where id = ?", reportId)).key;

const logOf = async (reportId: string) =>
  (
    await rowOf<{ n: number }>(
      "select count(*) as n from admin_audit_logs where action = 'report.reveal-key' and target = ?",
      reportId,
    )
  ).n;

const reveal = (client: Client, reportId: string) => client.post(`/api/admin/reports/${reportId}/shared-key`, {});

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

  it("is opened by administrators alone, and each look is in the admin log", async () => {
    const { reportId, sharedKey, downloadId } = await reportSealed();
    expect((await reveal(new Client(), reportId)).status).toBe(403);
    expect((await reveal(await signUp(), reportId)).status).toBe(403);
    expect(await logOf(reportId)).toBe(0);
    const admin = await logInAdmin();
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

  it("loses the key when it is settled", async () => {
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

  it("loses the key after 30 days, and stays open", async () => {
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
  const { text } = await rowOf<{ text: string }>(
    'select text from local_mailbox where "to" = ? order by rowid desc limit 1',
    owner.email,
  );
  expect(text).toContain("Encrypted transfer");
});
