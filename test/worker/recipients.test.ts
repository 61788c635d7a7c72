import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { RecipientsAnswer } from "#domain/wire.ts";
import { createApp } from "#worker/app.ts";
import { mailsTo, mailTo } from "../support/mails.ts";
import { download, newAddress, tokenIn } from "../support/notices.ts";
import { Recipient } from "../support/recipient.ts";
import { sendTransfer, textFile } from "../support/transfers.ts";
import {
  answerOf,
  Client,
  contentPath,
  putOnPlan,
  rowOf,
  runSql,
  sendFile,
  signUp,
  stopClockAt,
} from "../support/worker.ts";

const visitor = new Client();

async function recipientsOf(person: Client, fileId: string): Promise<RecipientsAnswer> {
  return (await person.fetch(`/api/files/${fileId}/recipients`)).json();
}

describe("mailing a link to several people", () => {
  it("gives each a link of their own, and tells how many fit [NOTE-1]", async () => {
    const person = await signUp();
    const { uploadId, downloadId } = await sendFile(person, "hello", { filename: "plan.txt" });
    const emails = [newAddress("ann"), newAddress("bob")];
    const answer = await answerOf(person.post(`/api/files/${uploadId}/share`, { emails, note: "Look!" }));
    expect(answer).toEqual([200, { message: "The link is on its way to 2 people.", sent: 2, refused: [] }]);
    const mails = await Promise.all(emails.map((email) => mailTo(email)));
    const tokens = mails.map(({ text }) => tokenIn(text));
    expect(new Set(tokens).size).toBe(2);
    for (const [index, { subject, text, html }] of mails.entries()) {
      expect(subject).toBe(`${person.email} sent you a file with Mayfly`);
      expect(text).toContain(`${env.APP_ORIGIN}/download/${downloadId}?for=${tokens[index]}`);
      expect(text).toContain("“Look!”");
      expect(html).not.toMatch(/<img/);
    }
    const { recipients, left, notify } = await recipientsOf(person, uploadId);
    expect(recipients.map(({ email }) => email)).toEqual(emails.toSorted());
    expect(recipients[0]).toMatchObject({
      openedAt: null,
      firstDownloadAt: null,
      lastDownloadAt: null,
      downloads: 0,
      stoppedAt: null,
      refusesMail: false,
    });
    expect([left, notify]).toEqual([18, null]);
  });

  it("an address that is mailed again keeps its row and its link [NOTE-1]", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    const email = newAddress();
    await person.post(`/api/files/${uploadId}/share`, { email });
    await person.post(`/api/files/${uploadId}/share`, { emails: [email.toUpperCase(), email] });
    const { recipients } = await recipientsOf(person, uploadId);
    expect(recipients).toHaveLength(1);
    expect((await person.post(`/api/files/${uploadId}/recipients/${recipients[0]?.id}/again`, {})).status).toBe(200);
    await mailTo(email, 3);
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(3);
    expect(new Set(mails.map(({ text }) => tokenIn(text))).size).toBe(1);
  });

  it("takes a single address or a list, not both, and at most 20 at once", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    const share = async (body: unknown) => (await person.post(`/api/files/${uploadId}/share`, body)).status;
    const email = newAddress();
    expect(await share({ email, emails: [email] })).toBe(400);
    expect(await share({ emails: [] })).toBe(400);
    expect(await share({ emails: ["nobody"] })).toBe(400);
    expect(await share({ emails: Array.from({ length: 21 }, () => newAddress()) })).toBe(400);
    expect((await recipientsOf(person, uploadId)).recipients).toEqual([]);
  });

  it("refuses a whole call that is over the plan's limit, and sends nothing of it [NOTE-1]", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    const first = Array.from({ length: 19 }, () => newAddress());
    expect((await person.post(`/api/files/${uploadId}/share`, { emails: first })).status).toBe(200);
    const [known = ""] = first;
    const more = [newAddress(), newAddress(), known];
    const [status, answer] = await answerOf(person.post(`/api/files/${uploadId}/share`, { emails: more }));
    expect([status, answer["code"], answer["planLimitExceeded"]]).toEqual([403, "PLAN_LIMIT_EXCEEDED", true]);
    expect(answer["message"]).toBe("Your plan allows 20 addresses for each link. 1 more fits.");
    expect((await recipientsOf(person, uploadId)).recipients).toHaveLength(19);
    await putOnPlan(person.email, "professional");
    expect((await person.post(`/api/files/${uploadId}/share`, { emails: more })).status).toBe(200);
    expect((await recipientsOf(person, uploadId)).left).toBe(29);
    await mailTo(known, 2);
    expect(await mailsTo(known)).toHaveLength(2);
  });

  it("parallel calls do not exceed the plan's limit [NOTE-1]", async () => {
    const person = await signUp();
    const { uploadId } = await sendFile(person, "hello");
    const share = async () =>
      (await person.post(`/api/files/${uploadId}/share`, { emails: Array.from({ length: 6 }, () => newAddress()) }))
        .status;
    const statuses = await Promise.all(Array.from({ length: 6 }, share));
    expect(statuses.toSorted()).toEqual([200, 200, 200, 403, 403, 403]);
    expect((await recipientsOf(person, uploadId)).recipients).toHaveLength(18);
  });

  it("each address counts for the hour and the day, and a call that does not fit counts nothing [NOTE-1]", async () => {
    const api = createApp();
    const person = await signUp();
    await putOnPlan(person.email, "professional");
    // New accounts have a lower limit (NEW_ACCOUNT_RECIPIENTS).
    await runSql("update users set created_at = 0 where id = ?", person.id);
    const { uploadId } = await sendFile(person, "hello");
    const limited = new Client(person.cookie, (request) => api.fetch(request, { ...env, RATE_LIMITS: "on" }));
    const share = async (count: number) => {
      const response = await limited.post(`/api/files/${(await sendFile(person, "a")).uploadId}/share`, {
        emails: Array.from({ length: count }, () => newAddress()),
      });
      await response.arrayBuffer();
      return response.status;
    };
    const start = Date.now();
    stopClockAt(start);
    expect([await share(15), await share(6), await share(5), await share(1)]).toEqual([200, 429, 200, 429]);
    for (let hour = 1; hour < 10; hour += 1) {
      stopClockAt(start + hour * 3_600_001);
      expect(await share(20)).toBe(200);
    }
    stopClockAt(start + 10 * 3_600_001);
    expect(await share(1)).toBe(429);
    vi.useRealTimers();
    expect(uploadId).not.toBe("");
  });

  it("a link behind a password is mailed without the names of its files [NOTE-7]", async () => {
    const person = await signUp();
    const files = [textFile("secret-plan.txt"), textFile("other.txt")];
    const { uploadId } = await sendTransfer(person, files, {
      title: "Secret trip",
      guards: { password: "open sesame" },
    });
    const email = newAddress();
    await person.post(`/api/files/${uploadId}/share`, { email });
    const { text, html, subject } = await mailTo(email);
    expect(`${text}${html}${subject}`).not.toMatch(/secret-plan|Secret trip/);
    expect(text).toContain(`${person.email} sent you files behind a password.`);
  });

  it("speaks the language of the account that the address belongs to, else English [NOTE-7]", async () => {
    const person = await signUp();
    const friend = await signUp();
    await friend.fetch("/api/auth/me", { headers: { "accept-language": "de-AT, en;q=0.5" } });
    const find = () => rowOf<{ locale: string | null }>("select locale from users where id = ?", friend.id);
    await vi.waitUntil(async () => (await find()).locale === "de");
    const { uploadId } = await sendFile(person, "hello", { filename: "plan.txt" });
    const stranger = newAddress();
    await person.post(`/api/files/${uploadId}/share`, { emails: [friend.email, stranger] });
    const german = await vi.waitUntil(async () =>
      (await mailsTo(friend.email)).find(({ text }) => text.includes("for=")),
    );
    expect(german?.subject).toBe(`${person.email} hat dir mit Mayfly eine Datei geschickt`);
    expect(german?.html).toContain('<html lang="de">');
    expect(german?.text).toContain("Zur Download-Seite:");
    expect((await mailTo(stranger)).text).toContain("Go to the download page:");
  });
});

describe("a recipient's link", () => {
  let person: Awaited<ReturnType<typeof signUp>>;
  let file: { uploadId: string; downloadId: string };
  let token: string;

  beforeAll(async () => {
    person = await signUp();
    file = await sendFile(person, "hello");
    const email = newAddress();
    await person.post(`/api/files/${file.uploadId}/share`, { email });
    token = tokenIn((await mailTo(email)).text);
  });

  const first = async () => (await recipientsOf(person, file.uploadId)).recipients[0];

  it("is opened once its page is asked for, not by its owner [NOTE-2]", async () => {
    const page = `/download/${file.downloadId}?for=${token}`;
    expect((await person.fetch(page)).status).toBe(200);
    expect((await visitor.fetch(`/download/${file.downloadId}`)).status).toBe(200);
    expect((await first())?.openedAt).toBeNull();
    expect((await visitor.fetch(page)).status).toBe(200);
    await vi.waitUntil(async () => (await first())?.openedAt !== null);
    const { openedAt } = (await first()) ?? {};
    await (await visitor.fetch(page)).text();
    expect((await first())?.openedAt).toBe(openedAt);
  });

  it("says who downloads: the whole file, a range with its end, and a program [NOTE-2]", async () => {
    await download(visitor, `${contentPath(file.downloadId)}?for=${token}`, file.uploadId);
    await download(visitor, `/api/v1/links/${file.downloadId}/files/0?for=${token}`, file.uploadId);
    expect(await first()).toMatchObject({ downloads: 2 });
    const { firstDownloadAt, lastDownloadAt } = (await first()) ?? {};
    expect(Date.parse(lastDownloadAt ?? "")).toBeGreaterThan(Date.parse(firstDownloadAt ?? ""));
  });

  it("counts nothing for its owner, an unknown token, and another link's [NOTE-2]", async () => {
    const other = await sendFile(person, "other");
    await download(person, `${contentPath(file.downloadId)}?for=${token}`, file.uploadId);
    await download(visitor, `${contentPath(file.downloadId)}?for=${"x".repeat(22)}`, file.uploadId);
    await download(visitor, `${contentPath(file.downloadId)}?for='"<>`, file.uploadId);
    await download(visitor, `${contentPath(other.downloadId)}?for=${token}`, other.uploadId);
    expect(await first()).toMatchObject({ downloads: 2 });
  });

  it("opens no lock, and works when its owner has stopped mailing [NOTE-2]", async () => {
    const { id } = (await first()) ?? {};
    expect((await person.delete(`/api/files/${file.uploadId}/recipients/${id}`)).status).toBe(204);
    expect((await first())?.stoppedAt).not.toBeNull();
    await download(visitor, `${contentPath(file.downloadId)}?for=${token}`, file.uploadId);
    expect(await first()).toMatchObject({ downloads: 3 });
    await person.patch(`/api/files/${file.uploadId}`, { guards: { password: "open sesame" } });
    expect((await visitor.fetch(`${contentPath(file.downloadId)}?for=${token}`)).status).toBe(401);
  });

  it("counts a single file of a transfer", async () => {
    const transfer = await sendTransfer(person, [textFile("a.txt"), textFile("b.txt")]);
    const email = newAddress();
    await person.post(`/api/files/${transfer.uploadId}/share`, { email });
    const own = tokenIn((await mailTo(email)).text);
    const path = `/api/files/download/${transfer.downloadId}/entries/1/content?for=${own}`;
    await download(visitor, path, transfer.uploadId);
    expect((await recipientsOf(person, transfer.uploadId)).recipients[0]).toMatchObject({ downloads: 1 });
  });

  it("keeps its token through the forms of a page without scripts [NOTE-2]", async () => {
    const guarded = await sendFile(person, "hello", { guards: { password: "open sesame", maxDownloads: 2 } });
    const at = `/api/files/download/${guarded.downloadId}`;
    const reader = new Recipient();
    const wrong = await reader.submit(`${at}/unlock?for=${token}`, { password: "no" });
    expect(wrong.headers.get("location")).toBe(
      `/download/${guarded.downloadId}?for=${token}&refused=LINK_PASSWORD_WRONG`,
    );
    const unlocked = await reader.submit(`${at}/unlock?for=${token}`, { password: "open sesame" });
    expect(unlocked.headers.get("location")).toBe(`/download/${guarded.downloadId}?for=${token}`);
    const taken = await reader.submit(`${at}/take?for=${token}`);
    expect(taken.headers.get("location")).toMatch(new RegExp(`^${at}/content\\?for=${token}&lease=`));
  });

  it("is not found by other people", async () => {
    const { id } = (await first()) ?? {};
    const stranger = await signUp();
    const at = `/api/files/${file.uploadId}`;
    expect((await stranger.fetch(`${at}/recipients`)).status).toBe(404);
    expect((await stranger.post(`${at}/recipients/${id}/again`, {})).status).toBe(404);
    expect((await stranger.delete(`${at}/recipients/${id}`)).status).toBe(404);
    expect((await stranger.patch(`${at}/notify`, { notify: "off" })).status).toBe(404);
    const own = await sendFile(stranger, "mine");
    expect((await stranger.delete(`/api/files/${own.uploadId}/recipients/${id}`)).status).toBe(404);
  });

  it("goes with its transfer", async () => {
    await runSql("delete from files where id = ?", file.uploadId);
    const left = await rowOf<{ n: number }>(
      "select count(*) as n from recipients where transfer_id = ?",
      file.uploadId,
    );
    expect(left.n).toBe(0);
  });
});
