import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "#domain/units.ts";
import type { CaseDetails, Paged, QueueCase } from "#domain/wire.ts";
import { openCase } from "#worker/db/cases.ts";
import { countAndWatch } from "#worker/moderation/new-accounts.ts";
import { removeAccount } from "#worker/admin/remove-account.ts";
import { beginUserDeletion } from "#worker/db/users.ts";
import { servicesFor } from "#worker/services.ts";
import { sweep } from "#worker/sweep/sweep.ts";
import { read } from "../support/admin.ts";
import { finishedDownload } from "../support/downloads.ts";
import { mailsTo, mailTo, subjectsTo } from "../support/mails.ts";
import { storedKeys } from "../support/storage-and-rows.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";
import { clientFrom, workerWith } from "../support/worker-with-env.ts";
import { answerOf, Client, contentPath, logInAdmin, rowOf, runSql, sendFile, signUp } from "../support/worker.ts";

const services = servicesFor(env);
type Person = Awaited<ReturnType<typeof signUp>>;

let admin: Client;
let owner: Person;
let downloadId: string;
let uploadId: string;

beforeAll(async () => {
  admin = await logInAdmin();
});

beforeEach(async () => {
  owner = await signUp();
  ({ downloadId, uploadId } = await sendFile(owner, "the owner's words", { filename: "words.txt" }));
});

let addresses = 0;
/** With the limits on calls. Each reporter has an address of their own. */
function report(body: Record<string, unknown>, more: Record<string, string> = {}): Promise<Response> {
  addresses += 1;
  const client = clientFrom(`198.51.${Math.floor(addresses / 250)}.${addresses % 250}`, { ...env, RATE_LIMITS: "on" });
  return client.fetch(`/api/files/download/${downloadId}/report`, {
    method: "POST",
    headers: { "content-type": "application/json", ...more },
    body: JSON.stringify(body),
  });
}

async function casesOf(person: Person, state = "open"): Promise<QueueCase[]> {
  const { items } = await read<Paged<QueueCase>>(admin, `/api/admin/cases?state=${state}`);
  return items.filter(({ account }) => account?.id === person.id);
}

const close = (id: string, body: Record<string, unknown>) => admin.post(`/api/admin/cases/${id}/close`, body);

async function onlyCase(): Promise<QueueCase> {
  const [found, ...others] = await casesOf(owner);
  expect(others).toEqual([]);
  if (!found) throw new Error("there is no case");
  return found;
}

describe("a report", () => {
  it("opens one case of its link, which a flood only counts up [QUE-1]", async () => {
    for (let n = 0; n < 30; n += 1)
      expect((await report({ reason: n === 29 ? "phishing" : "malware" })).status).toBe(201);
    expect(await onlyCase()).toMatchObject({
      kind: "report",
      count: 30,
      detail: { reason: "phishing" },
      file: { downloadId },
      account: { email: owner.email },
      actions: ["dismiss", "take-down", "suspend"],
      closed: null,
    });
  });

  it("gets a receipt in the reporter's language, three a day to an address, and its outcome [LAW-2]", async () => {
    const email = `reporter-${crypto.randomUUID()}@example.com`;
    for (let n = 0; n < 5; n += 1) await report({ reason: "privacy", email }, { "accept-language": "de" });
    expect(await subjectsTo(email)).toEqual(Array(3).fill("Deine Meldung ist angekommen"));
    const { text } = await mailTo(email, 3);
    expect(text).toContain(`${env.APP_ORIGIN}/download/${downloadId}`);
    expect(text).toContain("Private Bilder oder Daten");
    const { id } = await onlyCase();
    expect((await close(id, { action: "dismiss" })).status).toBe(200);
    expect((await subjectsTo(email)).slice(3)).toEqual(Array(5).fill("Über deine Meldung ist entschieden"));
    expect(
      await rowOf("select count(*) as n from file_reports where file_id = ? and outcome = 'dismissed'", uploadId),
    ).toEqual({
      n: 5,
    });
  });

  it("keeps the fields of a copyright notice, and refuses a notice without the declaration [LAW-1]", async () => {
    const notice = { work: "My song", holder: "Ada, the composer", goodFaith: true };
    expect(await answerOf(report({ reason: "copyright", notice: { ...notice, goodFaith: false } }))).toEqual([
      400,
      expect.objectContaining({ message: "A copyright notice needs this declaration." }),
    ]);
    expect((await report({ reason: "copyright", notice, email: "ada@example.com" })).status).toBe(201);
    const { id } = await onlyCase();
    const { reports } = await read<CaseDetails>(admin, `/api/admin/cases/${id}`);
    expect(reports).toMatchObject([{ reason: "copyright", notice, email: "ada@example.com" }]);
  });

  it("that is settled by its own call closes the case, and the owner may object to the takedown [QUE-4, LAW-3]", async () => {
    await report({ reason: "malware" });
    const { id } = await rowOf<{ id: string }>("select id from file_reports where file_id = ?", uploadId);
    await admin.put(`/api/admin/reports/${id}`, { outcome: "taken-down", note: "It holds malware.", ground: "law" });
    expect(await casesOf(owner)).toEqual([]);
    expect(await casesOf(owner, "closed")).toMatchObject([{ closed: { outcome: "taken-down" }, actions: [] }]);
    const { subject, text } = await mailTo(owner.email, (await mailsTo(owner.email)).length);
    expect(subject).toBe("words.txt was taken down from Mayfly");
    expect(text).toContain("“It holds malware.”");
    expect(text).toContain("We believe this to be unlawful.");
    const [, token = ""] = /\/objection\/([\w-]{43})/.exec(text) ?? [];
    expect((await new Client().post(`/api/objections/${token}`, { text: "It is my own program." })).status).toBe(200);
    const objection = await onlyCase();
    expect(objection).toMatchObject({ kind: "objection", actions: ["uphold", "restore"] });
    await close(objection.id, { action: "uphold", note: "We looked again." });
    expect((await mailTo(owner.email, (await mailsTo(owner.email)).length)).text).toContain("the decision stays");
  });

  it("that was dismissed may be objected to by its reporter, who can be right [LAW-3]", async () => {
    const email = `reporter-${crypto.randomUUID()}@example.com`;
    await report({ reason: "privacy", email });
    await close((await onlyCase()).id, { action: "dismiss" });
    const [, token = ""] = /\/objection\/([\w-]{43})/.exec((await mailTo(email, 2)).text) ?? [];
    expect((await new Client().post(`/api/objections/${token}`, { text: "It is me on the picture." })).status).toBe(
      200,
    );
    const objection = await onlyCase();
    expect(objection.actions).toEqual(["uphold", "take-down", "suspend"]);
    expect((await close(objection.id, { action: "restore" })).status).toBe(400);
    expect((await close(objection.id, { action: "take-down", note: "A private picture." })).status).toBe(200);
    expect((await new Client().fetch(contentPath(downloadId))).status).toBe(410);
    expect((await subjectsTo(email)).slice(-1)).toEqual(["We looked at it again"]);
  });

  it("leads to the suspension of its account, which ends the case and deletes nothing [QUE-2]", async () => {
    await report({ reason: "malware" });
    expect(await answerOf(close((await onlyCase()).id, { action: "suspend" }))).toEqual([
      400,
      expect.objectContaining({ message: "Please enter a reason for the takedown" }),
    ]);
    expect((await close((await onlyCase()).id, { action: "suspend", note: "Malware." })).status).toBe(200);
    expect(await casesOf(owner, "closed")).toMatchObject([{ closed: { outcome: "suspended" } }]);
    expect(await storedKeys(`files/${uploadId}`)).toEqual([`files/${uploadId}`]);
  });
});

describe("an objection", () => {
  it("from a stranger without the mail's link is nothing, in any form, and after six months [LAW-3]", async () => {
    const stranger = new Client();
    for (const token of ["x", "A".repeat(43), "%00", "..%2f..", "A".repeat(5000)]) {
      expect((await stranger.fetch(`/api/objections/${token}`)).status).toBe(404);
      expect((await stranger.post(`/api/objections/${token}`, { text: "Let me in." })).status).toBe(404);
    }
    await admin.post(`/api/admin/files/${uploadId}/take-down`, { reason: "Malware" });
    const { text } = await mailTo(owner.email, (await mailsTo(owner.email)).length);
    const [, token = ""] = /\/objection\/([\w-]{43})/.exec(text) ?? [];
    expect((await stranger.post(`/api/objections/${token}`, { text: "" })).status).toBe(400);
    await runSql("update statements set at = at - ? where file_id = ?", 185 * DAY_MS, uploadId);
    expect((await stranger.fetch(`/api/objections/${token}`)).status).toBe(404);
    expect((await stranger.fetch(`/objection/${token}`)).status).toBe(404);
  });
});

describe("a report of child abuse", () => {
  const closed = async () => {
    for (const client of [new Client(), owner, admin]) {
      const [status, { code }] = await answerOf(client.fetch(`/api/files/download/${downloadId}`));
      expect([status, code]).toEqual([410, "LINK_UNAVAILABLE"]);
      expect((await client.fetch(contentPath(downloadId))).status).toBe(410);
    }
  };

  it("closes the link to everybody, mails the administrator, and keeps the bytes from every deletion [LAW-4]", async () => {
    const before = (await mailsTo(env.CONTACT_EMAIL)).length;
    await report({ reason: "child-abuse" });
    await report({ reason: "child-abuse" }).catch(() => null);
    await closed();
    const mails = (await mailsTo(env.CONTACT_EMAIL)).slice(before);
    expect(mails.map(({ subject }) => subject)).toEqual(["A link of Mayfly was closed: child abuse was reported"]);
    const item = await onlyCase();
    expect(item.isKept).toBe(true);
    expect((await close(item.id, { action: "take-down", note: "Child abuse." })).status).toBe(200);
    const stored = () => storedKeys(`files/${uploadId}`);
    await owner.delete(`/api/files/${uploadId}`);
    await sweep(services, () => Date.now() + 400 * DAY_MS);
    await beginUserDeletion(services.db, owner.id, Date.now());
    expect(await removeAccount(services, owner.id, Date.now())).toBe(true);
    expect(await stored()).toEqual([`files/${uploadId}`]);
    expect(await rowOf("select user_id from files where id = ?", uploadId)).toEqual({ user_id: null });
    expect((await admin.delete(`/api/admin/files/${uploadId}`)).status).toBe(200);
    expect(await stored()).toEqual([]);
  });

  it("that was dismissed lets the link go on, and does not close it again [LAW-4]", async () => {
    await report({ reason: "child-abuse" });
    await closed();
    await close((await onlyCase()).id, { action: "dismiss" });
    expect(await (await new Client().fetch(contentPath(downloadId))).text()).toBe("the owner's words");
    await report({ reason: "child-abuse" });
    expect((await new Client().fetch(contentPath(downloadId))).status).toBe(200);
    expect(await onlyCase()).toMatchObject({ kind: "report", isKept: false });
  });

  it("keeps each file of a transfer, also from its owner's removal of one of them [LAW-4]", async () => {
    const files = [textFile("a.txt"), textFile("b.txt")];
    ({ downloadId, uploadId } = await sendTransfer(owner, files));
    const kept = await storedKeys(`files/${uploadId}`);
    expect(kept).not.toEqual([]);
    expect((await report({ reason: "child-abuse", entry: 0 })).status).toBe(201);
    expect((await owner.delete(`/api/files/${uploadId}/entries/0`)).status).toBe(410);
    await owner.delete(`/api/files/${uploadId}`);
    expect(await storedKeys(`files/${uploadId}`)).toEqual(kept);
  });
});

describe("a new account", () => {
  const strict = { ...env, NEW_ACCOUNT_DOWNLOADS: "3", NEW_ACCOUNT_RECIPIENTS: "2" };
  const limited = servicesFor(strict);
  const downloads = (count: number) => Array.from({ length: count }, () => finishedDownload(uploadId));
  const statusOf = async () => (await new Client().fetch(contentPath(downloadId))).status;

  it("has a link held that is downloaded too often, with a mail and a case, until a press lets it go on [NEW-1, NEW-2]", async () => {
    await countAndWatch(limited, downloads(3), Date.now());
    expect(await statusOf()).toBe(200);
    await countAndWatch(limited, downloads(1), Date.now());
    expect(await answerOf(new Client().fetch(`/api/files/download/${downloadId}`))).toEqual([
      423,
      { code: "LINK_HELD", message: "This link is being looked at. Please try again later." },
    ]);
    const page = await new Client().fetch(`/download/${downloadId}`);
    expect([page.status, await page.text()]).toEqual([423, expect.stringContaining("This link is being looked at.")]);
    expect(await subjectsTo(owner.email)).toContain("We are looking at words.txt");
    const item = await onlyCase();
    expect(item).toMatchObject({
      kind: "unusual",
      detail: { limit: "downloads", count: 4 },
      actions: ["allow", "take-down", "suspend"],
    });
    expect(await (await admin.fetch(contentPath(downloadId))).text()).toBe("the owner's words");
    expect((await close(item.id, { action: "allow" })).status).toBe(200);
    expect(await statusOf()).toBe(200);
    expect(await subjectsTo(owner.email)).toContain("words.txt goes on");
    await countAndWatch(limited, downloads(50), Date.now());
    expect(await statusOf()).toBe(200);
  });

  it("earns trust by its age; an open report keeps it new for 30 days, and no longer [NEW-1]", async () => {
    const aged = (days: number) =>
      runSql("update users set created_at = ? where id = ?", Date.now() - days * DAY_MS, owner.id);
    await runSql("update users set is_verified = 1 where id = ?", owner.id);
    await aged(2);
    await countAndWatch(limited, downloads(10), Date.now());
    expect(await statusOf()).toBe(200);
    await report({ reason: "malware" });
    await aged(31);
    await countAndWatch(limited, downloads(10), Date.now());
    const emails = [1, 2, 3].map((n) => `friend-${n}-${owner.id}@example.com`);
    const sender = new Client(owner.cookie, workerWith(strict));
    expect((await sender.post(`/api/files/${uploadId}/share`, { emails })).status).toBe(200);
    expect(await statusOf()).toBe(200);
    await aged(29);
    await countAndWatch(limited, downloads(1), Date.now());
    expect(await statusOf()).toBe(423);
  });

  it("that mails a link to too many people has it held before anybody is mailed [NEW-1]", async () => {
    const sender = new Client(owner.cookie, workerWith(strict));
    const email = (n: number) => `friend-${n}-${owner.id}@example.com`;
    const share = (n: number) => sender.post(`/api/files/${uploadId}/share`, { email: email(n) });
    expect([(await share(1)).status, (await share(2)).status]).toEqual([200, 200]);
    expect(await answerOf(share(3))).toEqual([423, expect.objectContaining({ code: "LINK_HELD" })]);
    expect(await mailsTo(email(3))).toEqual([]);
    expect(await onlyCase()).toMatchObject({ kind: "unusual", detail: { limit: "recipients", count: 3 } });
  });

  it("goes on only when no other case of the link is open [NEW-2]", async () => {
    await countAndWatch(limited, downloads(4), Date.now());
    const opened = { kind: "scan", fileId: uploadId, userId: owner.id, detail: { name: "Eicar" } } as const;
    expect(await openCase(services.db, opened, Date.now())).toMatchObject({ count: 1 });
    expect(await openCase(services.db, opened, Date.now())).toMatchObject({ count: 2 });
    const [scan, unusual] = (await casesOf(owner)).sort((a, b) => a.kind.localeCompare(b.kind));
    expect([scan?.kind, unusual?.kind]).toEqual(["scan", "unusual"]);
    await close(unusual?.id ?? "", { action: "allow" });
    expect(await statusOf()).toBe(423);
    await close(scan?.id ?? "", { action: "dismiss" });
    expect(await statusOf()).toBe(200);
  });
});

it("the numbers of a year count reports, cases, decisions and objections, and nobody else's year [LAW-5]", async () => {
  await report({ reason: "malware" });
  await close((await onlyCase()).id, { action: "take-down", note: "Malware." });
  const year = new Date().getUTCFullYear();
  const response = await admin.fetch(`/api/admin/moderation-numbers?year=${year}`);
  expect(response.headers.get("content-disposition")).toBe(`attachment; filename="moderation-${year}.csv"`);
  const lines = (await response.text()).split("\r\n");
  expect(lines[0]).toBe("what,by,count");
  const numberOf = (start: string) => Number(lines.find((line) => line.startsWith(start))?.slice(start.length + 1));
  expect(numberOf("reports received,malware")).toBeGreaterThanOrEqual(1);
  expect(numberOf("cases closed,report: taken-down")).toBeGreaterThanOrEqual(1);
  expect(numberOf("decisions mailed,owner: taken-down")).toBeGreaterThanOrEqual(1);
  expect(numberOf("median hours until a report was decided,")).toBe(0);
  const empty = await (await admin.fetch("/api/admin/moderation-numbers?year=2001")).text();
  expect(empty).not.toMatch(/,[1-9]\d*\r\n/);
  expect((await admin.fetch("/api/admin/moderation-numbers?year=x")).status).toBe(400);
});
