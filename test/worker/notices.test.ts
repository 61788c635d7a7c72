import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import { countDownload } from "#worker/db/download-counts.ts";
import { openDatabase } from "#worker/db/client.ts";
import { makeNoticeMails } from "#worker/notices/make-mails.ts";
import { servicesFor } from "#worker/services.ts";
import {
  download,
  mailsTo,
  mailTo,
  newAddress,
  signUpVerified,
  tokenIn,
  unsubscribeTokenIn,
} from "../support/notices.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { createRequest, Sender } from "../support/requests.ts";
import { finish, textFile } from "../support/transfers.ts";
import { makeKey } from "../support/v1.ts";
import { Client, contentPath, putOnPlan, rowOf, runSql, sendFile, sha256Of } from "../support/worker.ts";

const services = servicesFor(env);
const visitor = new Client();

let owner: Awaited<ReturnType<typeof signUpVerified>>;
let file: { uploadId: string; downloadId: string };

beforeEach(async () => {
  await runSql("delete from notice_events");
  await runSql("update files set expires_at = null");
  owner = await signUpVerified();
  file = await sendFile(owner, "hello", { filename: "plan.txt" });
});

const fetchFile = (more = "", by: Client = visitor) =>
  download(by, `${contentPath(file.downloadId)}${more}`, file.uploadId);
/** When everything that was noted until now is due. */
const soon = () => Date.now() + 2 * MINUTE_MS;
const choose = (settings: Record<string, unknown>) => owner.patch("/api/notices", settings);
const about = async (subject: string) => (await mailsTo(owner.email)).filter((mail) => mail.subject === subject);
const eventsOf = async () =>
  (
    await env.DB.prepare("select kind, count, mailed_at from notice_events where transfer_id = ? order by rowid")
      .bind(file.uploadId)
      .all<{ kind: string; count: number; mailed_at: number | null }>()
  ).results;

async function mailLink(): Promise<{ email: string; token: string }> {
  const email = newAddress("ann");
  await owner.post(`/api/files/${file.uploadId}/share`, { email });
  return { email, token: tokenIn((await mailTo(email)).text) };
}

describe("the mail that files were downloaded", () => {
  it("by default comes of each recipient's first download, and of the first with the bare link", async () => {
    const ann = await mailLink();
    await fetchFile(`?for=${ann.token}`);
    await fetchFile();
    await fetchFile();
    expect(await makeNoticeMails(services, soon())).toBe(1);
    const mail = await vi.waitUntil(async () => (await about("plan.txt was downloaded"))[0]);
    expect(mail.text).toContain(`- ${ann.email}: 1 download\n- Somebody with the link: 1 download\n`);
    expect(mail.text).toContain(`See who downloaded it:\n${env.APP_ORIGIN}/dashboard\n`);
    await fetchFile(`?for=${ann.token}`);
    await fetchFile();
    expect(await makeNoticeMails(services, soon() + DAY_MS)).toBe(0);
    const other = await mailLink();
    await fetchFile(`?for=${other.token}`);
    expect(await makeNoticeMails(services, soon())).toBe(1);
  });

  it("comes once for 1,000 downloads", async () => {
    await choose({ downloaded: "each" });
    for (let batch = 0; batch < 20; batch += 1) {
      const counts = Array.from({ length: 50 }, () =>
        countDownload(services.db, file.uploadId, { token: null, isOwner: false }, Date.now()),
      );
      await Promise.all(counts);
    }
    expect(await eventsOf()).toEqual([{ kind: "downloaded", count: 1000, mailed_at: null }]);
    expect(await makeNoticeMails(services, soon())).toBe(1);
    const mail = await vi.waitUntil(async () => (await about("plan.txt was downloaded"))[0]);
    expect(mail.text).toContain("- Somebody with the link: 1,000 downloads\n");
    expect(await makeNoticeMails(services, soon())).toBe(0);
  });

  it("comes again of a later download, and keeps one row", async () => {
    await choose({ downloaded: "each" });
    for (const mails of [1, 2, 3]) {
      await fetchFile();
      expect(await makeNoticeMails(services, soon() + mails)).toBe(1);
    }
    expect(await eventsOf()).toHaveLength(1);
  });

  it("waits a minute", async () => {
    await fetchFile();
    expect(await makeNoticeMails(services, Date.now() + MINUTE_MS - 5000)).toBe(0);
  });

  it("does not come of one's own download, nor when it is switched off", async () => {
    await fetchFile("", owner);
    expect(await eventsOf()).toEqual([]);
    await choose({ downloaded: "off" });
    await fetchFile();
    expect(await eventsOf()).toEqual([]);
    await owner.patch(`/api/files/${file.uploadId}/notify`, { notify: "each" });
    await fetchFile();
    expect(await eventsOf()).toHaveLength(1);
    await owner.patch(`/api/files/${file.uploadId}/notify`, { notify: "off" });
    expect(await makeNoticeMails(services, soon())).toBe(0);
    expect(await eventsOf()).toMatchObject([{ mailed_at: expect.any(Number) as number }]);
  });

  it("does not go to an address that is not verified, nor to one that wants no mail", async () => {
    await runSql("update users set is_verified = 0 where id = ?", owner.id);
    await fetchFile();
    const strict = servicesFor({ ...env, EMAIL_VERIFICATION: "required" });
    expect(await makeNoticeMails(strict, soon())).toBe(0);

    const [other, friend] = [owner, await signUpVerified()];
    const sent = await sendFile(friend, "hello");
    await other.post(`/api/files/${file.uploadId}/share`, { email: friend.email });
    const mail = await vi.waitUntil(async () =>
      (await mailsTo(friend.email)).find(({ text }) => text.includes("?for=")),
    );
    await visitor.post(`/api/unsubscribe/${unsubscribeTokenIn(mail)}`, { what: "all" });
    await download(visitor, contentPath(sent.downloadId), sent.uploadId);
    expect(await makeNoticeMails(services, soon())).toBe(0);
  });

  it("does not name files behind a password", async () => {
    await owner.patch(`/api/files/${file.uploadId}`, { guards: { password: "open sesame" } });
    await countDownload(services.db, file.uploadId, { token: null, isOwner: false }, Date.now());
    await makeNoticeMails(services, soon());
    const [mail] = await vi.waitUntil(async () => {
      const found = await about("your link with a password was downloaded");
      return found.length > 0 ? found : null;
    });
    expect(`${mail?.text}${mail?.html}`).not.toContain("plan.txt");
  });

  it("is in its reader's language", async () => {
    await owner.fetch("/api/notices", { headers: { "accept-language": "de" } });
    await vi.waitUntil(
      async () => (await rowOf<{ locale: string }>("select locale from users where id = ?", owner.id)).locale === "de",
    );
    await fetchFile();
    await makeNoticeMails(services, soon());
    const mail = await vi.waitUntil(async () => (await about("Heruntergeladen: plan.txt"))[0]);
    expect(mail.text).toContain("- Jemand mit dem Link: 1 Download\n");
    expect(mail.text).toContain("Keine solchen Mails mehr bekommen\n");
  });

  it("is stopped by one click", async () => {
    await fetchFile();
    await makeNoticeMails(services, soon());
    const mail = await vi.waitUntil(async () => (await about("plan.txt was downloaded"))[0]);
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    const headers = { origin: "https://mail.example" };
    const path = `/unsubscribe/${unsubscribeTokenIn(mail)}`;
    expect((await visitor.fetch(path, { method: "POST", headers, body })).status).toBe(200);
    expect(await (await owner.fetch("/api/notices")).json()).toMatchObject({ downloaded: "off", arrived: true });
    expect(await (await visitor.fetch(`/api${path}`)).json()).toEqual({
      email: owner.email,
      sender: null,
      stopped: "sender",
    });
    await visitor.post(`/api${path}`, { what: "resume" });
    expect(await (await owner.fetch("/api/notices")).json()).toMatchObject({ downloaded: "first" });
  });
});

describe("the mail of the day", () => {
  const at = (iso: string) => Date.parse(iso);

  it("tells at eight o'clock what happened since, once a day", async () => {
    await choose({ downloaded: "daily", timeZone: "Europe/Berlin" });
    const ann = await mailLink();
    const count = (token: string | null, iso: string) =>
      countDownload(services.db, file.uploadId, { token, isOwner: false }, at(iso));
    await count(ann.token, "2026-03-28T20:00:00Z");
    await count(ann.token, "2026-03-28T21:00:00Z");
    await count(null, "2026-03-28T22:59:00Z");
    // In the night of the 29th, clocks went from 2 to 3 o'clock.
    expect(await makeNoticeMails(services, at("2026-03-29T05:59:00Z"))).toBe(0);
    expect(await makeNoticeMails(services, at("2026-03-29T06:00:00Z"))).toBe(1);
    const mail = await vi.waitUntil(async () => (await about("Your day with Mayfly"))[0]);
    expect(mail.text).toContain(
      `- plan.txt, ${ann.email}: 2 downloads\n- plan.txt, Somebody with the link: 1 download\n`,
    );
    await count(null, "2026-03-29T07:00:00Z");
    expect(await makeNoticeMails(services, at("2026-03-29T20:00:00Z"))).toBe(0);
    expect(await makeNoticeMails(services, at("2026-03-30T06:00:00Z"))).toBe(1);
    expect(await makeNoticeMails(services, at("2026-03-31T06:00:00Z"))).toBe(0);
  });
});

describe("the mail that an upload has arrived", () => {
  it("comes of a program's upload, unless the program says so", async () => {
    const { key } = await makeKey(owner);
    const send = (name: string, query = "") =>
      visitor.fetch(`/${name}${query}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${key}`, "content-length": "5" },
        body: "hello",
      });
    expect((await send("one.txt")).status).toBe(201);
    expect((await send("quiet.txt", "?notify=off")).status).toBe(201);
    expect((await send("wrong.txt", "?notify=loud")).status).toBe(400);
    expect(await makeNoticeMails(services, soon())).toBe(1);
    const mail = await vi.waitUntil(async () => (await about("one.txt has arrived"))[0]);
    expect(mail.text).not.toContain("quiet.txt");
  });

  it("comes of an upload that took over ten minutes, once, and of no shorter one", async () => {
    expect(await eventsOf()).toEqual([]);
    const { uploadId, downloadId } = await owner.startUpload(5, { filename: "slow.txt" });
    await env.BUCKET.put(`incoming/${uploadId}`, "hello");
    await runSql("update files set created_at = created_at - ? where id = ?", 11 * MINUTE_MS, uploadId);
    await owner.complete(downloadId);
    await owner.complete(downloadId);
    expect(await makeNoticeMails(services, soon())).toBe(1);
    await vi.waitUntil(async () => (await about("slow.txt has arrived")).length === 1);
    expect(await makeNoticeMails(services, soon())).toBe(0);
  });
});

describe("the mail that somebody sent files", () => {
  const FILES = [textFile("trip/a.txt", "first"), textFile("trip/b.txt", "second")];

  it("comes at once, with the day's mail, or not at all, as the request says", async () => {
    const request = await createRequest(owner, { notify: "each" });
    const chosen = (notify: string) => owner.patch(`/api/requests/${request.id}`, { notify });
    await new Sender(request).send(FILES, { senderName: "Ann" });
    await new Sender(request).send(FILES);
    expect(await makeNoticeMails(services, soon())).toBe(1);
    const mail = await vi.waitUntil(async () => (await about("You received files 2 times"))[0]);
    expect(mail.text).toContain("- Ann: trip (2 files, 11 Bytes)\n- Somebody: trip (2 files, 11 Bytes)\n");
    await chosen("off");
    await new Sender(request).send(FILES);
    expect(await makeNoticeMails(services, soon())).toBe(0);
    await chosen("daily");
    await new Sender(request).send(FILES, { senderName: "Bob" });
    expect(await makeNoticeMails(services, soon())).toBe(0);
    expect(await makeNoticeMails(services, new Date(Date.now() + DAY_MS).setUTCHours(8))).toBe(1);
    const day = await vi.waitUntil(async () => (await about("Your day with Mayfly"))[0]);
    expect(day.text).toContain("- Bob: trip (2 files, 11 Bytes)\n");
  });

  it("gives a sender a receipt where they left an address, and nobody is told twice", async () => {
    const request = await createRequest(owner, { notify: "off" });
    const senderEmail = newAddress("sender");
    const sender = new Sender(request);
    const { downloadId } = await sender.send(FILES, { senderEmail });
    await finish(sender, downloadId);
    expect(await makeNoticeMails(services, soon())).toBe(1);
    const receipt = await mailTo(senderEmail);
    expect(receipt.text).toContain("trip/b.txt");
    expect(receipt.text).toContain(await sha256Of(new TextEncoder().encode("second")));
    expect(receipt.text).not.toContain(owner.email);
    expect(receipt.text).not.toContain("/download/");
    expect(await makeNoticeMails(services, soon())).toBe(0);
  });

  it("comes to nobody who wants no mail at all", async () => {
    const { email } = await mailLink();
    await visitor.post(`/api/unsubscribe/${unsubscribeTokenIn(await mailTo(email))}`, { what: "all" });
    await new Sender(await createRequest(owner, { notify: "off" })).send(FILES, { senderEmail: email });
    expect(await makeNoticeMails(services, soon())).toBe(0);
  });
});

it("every mail about files is in German where its reader's account is", async () => {
  await runSql("update users set locale = 'de' where id = ?", owner.id);
  await choose({ downloaded: "daily" });
  const request = await createRequest(owner);
  await new Sender(request).send([textFile("a.txt", "text")], { senderName: "Ann" });
  await fetchFile();
  const uploaded = Date.now() - 2 * DAY_MS - 30 * MINUTE_MS;
  const values = [uploaded, uploaded + 3 * DAY_MS, file.uploadId] as const;
  await runSql("update files set uploaded_at = ?, expires_at = ? where id = ?", ...values);
  await runSql(
    `insert into notice_events (id, user_id, transfer_id, kind, recipient_id, count, at, due_at)
     values ('arrived', ?, ?, 'arrived', '', 1, 1, 1)`,
    owner.id,
    file.uploadId,
  );
  await makeNoticeMails(services, Date.now());
  await runSql("update notice_events set at = at - ? where kind = 'downloaded'", 2 * DAY_MS);
  await runSql("update files set expires_at = null");
  const evening = new Date().setUTCHours(20, 0, 0, 0);
  await makeNoticeMails(services, evening);
  const subjects = async () => (await mailsTo(owner.email)).map(({ subject }) => subject).toSorted();
  await expect
    .poll(subjects)
    .toEqual([
      "Angekommen: plan.txt",
      "Ann hat dir Dateien geschickt",
      "Dein Tag mit Mayfly",
      "Läuft morgen ab: plan.txt",
    ]);
});

describe("the mail that a link ends tomorrow", () => {
  const uploaded = Date.UTC(2026, 5, 1, 12, 30);
  const endAfter = (ms: number) =>
    runSql("update files set uploaded_at = ?, expires_at = ? where id = ?", uploaded, uploaded + ms, file.uploadId);

  it("goes once to the owner, and to recipients who have not fetched it", async () => {
    const [ann, bob, eve, dan] = [await mailLink(), await mailLink(), await mailLink(), await mailLink()];
    const stop = { "List-Unsubscribe": "One-Click" };
    const click = { method: "POST", body: new URLSearchParams(stop) };
    await visitor.fetch(`/unsubscribe/${unsubscribeTokenIn(await mailTo(dan.email))}`, click);
    await fetchFile(`?for=${bob.token}`);
    await runSql("update recipients set stopped_at = 1 where token = ?", eve.token);
    await runSql("delete from notice_events");
    await endAfter(3 * DAY_MS);
    const due = uploaded + 2 * DAY_MS + MINUTE_MS;
    expect(await makeNoticeMails(services, due - HOUR_MS)).toBe(0);
    expect(await makeNoticeMails(services, due)).toBe(2);
    expect(await makeNoticeMails(services, due + MINUTE_MS)).toBe(0);
    const own = await vi.waitUntil(async () => (await about("plan.txt ends tomorrow"))[0]);
    expect(own.text).toContain("- plan.txt: until June 4, 2026 at 12:30 PM (UTC)\n");
    expect((await mailTo(ann.email, 2)).subject).toBe(`The link from ${owner.email} ends tomorrow`);
    expect(await mailsTo(bob.email)).toHaveLength(1);
    expect(await mailsTo(eve.email)).toHaveLength(1);
    expect(await mailsTo(dan.email)).toHaveLength(1);
  });

  it("comes again when the end is put off, not when it comes nearer, and of no short link", async () => {
    await endAfter(2 * DAY_MS);
    expect(await makeNoticeMails(services, uploaded + DAY_MS + MINUTE_MS)).toBe(0);
    await endAfter(4 * DAY_MS);
    expect(await makeNoticeMails(services, uploaded + 3 * DAY_MS + MINUTE_MS)).toBe(1);
    await endAfter(4 * DAY_MS - HOUR_MS);
    expect(await makeNoticeMails(services, uploaded + 3 * DAY_MS + 2 * MINUTE_MS)).toBe(0);
    await endAfter(7 * DAY_MS);
    expect(await makeNoticeMails(services, uploaded + 6 * DAY_MS + MINUTE_MS)).toBe(1);
  });

  it("does not come when it is switched off, or the link has ended before", async () => {
    await choose({ ending: false });
    await endAfter(3 * DAY_MS);
    expect(await makeNoticeMails(services, uploaded + 2 * DAY_MS + MINUTE_MS)).toBe(0);
  });
});

describe("making mails", () => {
  it("may be killed before or after any of its queries: one mail in the end", async () => {
    for (let killed = 0, isDone = false; !isDone; killed += 1) {
      for (const strikes of ["before", "after"]) {
        await runSql("delete from notice_events");
        await runSql("delete from mail_outbox");
        await runSql('delete from local_mailbox where "to" = ?', owner.email);
        await countDownload(services.db, file.uploadId, { token: null, isOwner: false }, Date.now());
        let query = 0;
        const dying = interceptQueries(env.DB, async (_queries, proceed) => {
          const isKilled = query === killed;
          query += 1;
          if (isKilled && strikes === "before") throw new Error("killed");
          const answer = await proceed();
          if (isKilled) throw new Error("killed");
          return answer;
        });
        // Its mails stay in the outbox: nobody sends them.
        const outbox = {
          ...services.outbox,
          prepare: (message: Parameters<typeof services.outbox.prepare>[0]) => ({
            ...services.outbox.prepare(message),
            send: () => undefined,
          }),
        };
        await makeNoticeMails({ ...services, outbox, db: openDatabase(dying) }, soon()).catch(() => undefined);
        isDone = query <= killed;
        await makeNoticeMails({ ...services, outbox }, soon());
        const mails = await rowOf<{ n: number }>('select count(*) as n from mail_outbox where "to" = ?', owner.email);
        expect([killed, strikes, mails.n]).toEqual([killed, strikes, 1]);
      }
    }
  });

  it("may overlap with itself", async () => {
    await fetchFile();
    const made = await Promise.all([1, 2, 3].map(() => makeNoticeMails(services, soon())));
    expect(made.toSorted()).toEqual([0, 0, 1]);
  });

  it("makes at most 50 a run", { tags: "long" }, async () => {
    await choose({ downloaded: "each" });
    await putOnPlan(owner.email, "professional");
    for (let n = 0; n < 60; n += 1) {
      const { uploadId } = await sendFile(owner, "hello");
      await countDownload(services.db, uploadId, { token: null, isOwner: false }, Date.now());
    }
    expect(await makeNoticeMails(services, soon())).toBe(50);
    expect(await makeNoticeMails(services, soon())).toBe(10);
  });
});
