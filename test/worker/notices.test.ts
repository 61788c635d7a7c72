import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import { countDownloads } from "#worker/db/download-counts.ts";
import { openDatabase } from "#worker/db/client.ts";
import { makeNoticeMails } from "#worker/notices/make-mails.ts";
import { servicesFor } from "#worker/services.ts";
import { finishedDownload } from "../support/downloads.ts";
import { mailsTo, mailTo } from "../support/mails.ts";
import { NoticeOwner, soon } from "../support/notice-owner.ts";
import { unsubscribeTokenIn } from "../support/notices.ts";
import { interceptQueries } from "../support/query-interceptor.ts";
import { createRequest, Sender } from "../support/requests.ts";
import { textFile } from "../support/transfers.ts";
import { makeKey } from "../support/v1.ts";
import { Client, putOnPlan, rowOf, runSql, sendFile } from "../support/worker.ts";

const services = servicesFor(env);

const visitor = new Client();
let sent: NoticeOwner;

beforeEach(async () => {
  sent = await NoticeOwner.begin();
});

describe("the mail that an upload has arrived", () => {
  it("comes of a program's upload, unless the program says so [NOTE-5]", async () => {
    const { key } = await makeKey(sent.owner);
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
    const mail = await vi.waitUntil(async () => (await sent.about("one.txt has arrived"))[0]);
    expect(mail.text).not.toContain("quiet.txt");
  });

  it("comes of an upload that took over ten minutes, once, and of no shorter one [NOTE-5]", async () => {
    expect(await sent.events()).toEqual([]);
    const { uploadId, downloadId } = await sent.owner.startUpload(5, { filename: "slow.txt" });
    await env.BUCKET.put(`incoming/${uploadId}`, "hello");
    await runSql("update files set created_at = created_at - ? where id = ?", 11 * MINUTE_MS, uploadId);
    await sent.owner.complete(downloadId);
    await sent.owner.complete(downloadId);
    expect(await makeNoticeMails(services, soon())).toBe(1);
    await vi.waitUntil(async () => (await sent.about("slow.txt has arrived")).length === 1);
    expect(await makeNoticeMails(services, soon())).toBe(0);
  });
});

describe("the mail that somebody sent files", () => {
  const FILES = [textFile("trip/a.txt", "first"), textFile("trip/b.txt", "second")];

  it("comes at once, with the day's mail, or not at all, as the request says [NOTE-9]", async () => {
    const request = await createRequest(sent.owner, { notify: "each" });
    const chosen = (notify: string) => sent.owner.patch(`/api/requests/${request.id}`, { notify });
    await new Sender(request).send(FILES, { senderName: "Ann" });
    await new Sender(request).send(FILES);
    expect(await makeNoticeMails(services, soon())).toBe(1);
    const mail = await vi.waitUntil(async () => (await sent.about("You received files 2 times"))[0]);
    expect(mail.text).toContain("- Ann: trip (2 files, 11 Bytes)\n- Somebody: trip (2 files, 11 Bytes)\n");
    await chosen("off");
    await new Sender(request).send(FILES);
    expect(await makeNoticeMails(services, soon())).toBe(0);
    await chosen("daily");
    await new Sender(request).send(FILES, { senderName: "Bob" });
    expect(await makeNoticeMails(services, soon())).toBe(0);
    expect(await makeNoticeMails(services, new Date(Date.now() + DAY_MS).setUTCHours(8))).toBe(1);
    const day = await vi.waitUntil(async () => (await sent.about("Your day with Mayfly"))[0]);
    expect(day.text).toContain("- Bob: trip (2 files, 11 Bytes)\n");
  });

  it("comes to nobody who wants no mail at all [NOTE-9]", async () => {
    const { email } = await sent.mailLink();
    await visitor.post(`/api/unsubscribe/${unsubscribeTokenIn(await mailTo(email))}`, { what: "all" });
    await new Sender(await createRequest(sent.owner, { notify: "off" })).send(FILES, { senderEmail: email });
    expect(await makeNoticeMails(services, Date.now() + 6 * MINUTE_MS)).toBe(0);
  });
});

it("every mail about files is in German where its reader's account is [NOTE-7]", async () => {
  await runSql("update users set locale = 'de' where id = ?", sent.owner.id);
  await sent.choose({ downloaded: "daily" });
  const request = await createRequest(sent.owner);
  await new Sender(request).send([textFile("a.txt", "text")], { senderName: "Ann" });
  await sent.fetchFile();
  const uploaded = Date.now() - 2 * DAY_MS - 30 * MINUTE_MS;
  const values = [uploaded, uploaded + 3 * DAY_MS, sent.file.uploadId] as const;
  await runSql("update files set uploaded_at = ?, expires_at = ? where id = ?", ...values);
  await runSql(
    `insert into notice_events (id, user_id, transfer_id, kind, recipient_id, count, at, due_at)
     values ('arrived', ?, ?, 'arrived', '', 1, 1, 1)`,
    sent.owner.id,
    sent.file.uploadId,
  );
  await makeNoticeMails(services, Date.now());
  await runSql("update notice_events set at = at - ? where kind = 'downloaded'", 2 * DAY_MS);
  await runSql("update files set expires_at = null");
  const evening = new Date().setUTCHours(20, 0, 0, 0);
  await makeNoticeMails(services, evening);
  const subjects = async () => (await mailsTo(sent.owner.email)).map(({ subject }) => subject).toSorted();
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
    runSql(
      "update files set uploaded_at = ?, expires_at = ? where id = ?",
      uploaded,
      uploaded + ms,
      sent.file.uploadId,
    );

  it("goes once to the owner, and to recipients who have not fetched it [NOTE-5]", async () => {
    const [ann, bob, eve, dan] = [
      await sent.mailLink(),
      await sent.mailLink(),
      await sent.mailLink(),
      await sent.mailLink(),
    ];
    const stop = { "List-Unsubscribe": "One-Click" };
    const click = { method: "POST", body: new URLSearchParams(stop) };
    await visitor.fetch(`/unsubscribe/${unsubscribeTokenIn(await mailTo(dan.email))}`, click);
    await sent.fetchFile(`?for=${bob.token}`);
    await runSql("update recipients set stopped_at = 1 where token = ?", eve.token);
    await runSql("delete from notice_events");
    await endAfter(3 * DAY_MS);
    const due = uploaded + 2 * DAY_MS + MINUTE_MS;
    expect(await makeNoticeMails(services, due - HOUR_MS)).toBe(0);
    expect(await makeNoticeMails(services, due)).toBe(2);
    expect(await makeNoticeMails(services, due + MINUTE_MS)).toBe(0);
    const own = await vi.waitUntil(async () => (await sent.about("plan.txt ends tomorrow"))[0]);
    expect(own.text).toContain("- plan.txt: until June 4, 2026 at 12:30 PM (UTC)\n");
    expect((await mailTo(ann.email, 2)).subject).toBe(`The link from ${sent.owner.email} ends tomorrow`);
    expect(await mailsTo(bob.email)).toHaveLength(1);
    expect(await mailsTo(eve.email)).toHaveLength(1);
    expect(await mailsTo(dan.email)).toHaveLength(1);
  });

  it("comes again when the end is put off, not when it comes nearer, and of no short link [NOTE-5]", async () => {
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
    await sent.choose({ ending: false });
    await endAfter(3 * DAY_MS);
    expect(await makeNoticeMails(services, uploaded + 2 * DAY_MS + MINUTE_MS)).toBe(0);
  });
});

describe("making mails", () => {
  it("may be killed before or after any of its queries: one mail in the end [NOTE-8]", async () => {
    for (let killed = 0, isDone = false; !isDone; killed += 1) {
      for (const strikes of ["before", "after"]) {
        await runSql("delete from notice_events");
        await runSql("delete from mail_outbox");
        await runSql('delete from local_mailbox where "to" = ?', sent.owner.email);
        await countDownloads(services.db, [finishedDownload(sent.file.uploadId)]);
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
        const mails = await rowOf<{ n: number }>(
          'select count(*) as n from mail_outbox where "to" = ?',
          sent.owner.email,
        );
        expect([killed, strikes, mails.n]).toEqual([killed, strikes, 1]);
      }
    }
  });

  it("may overlap with itself [NOTE-8]", async () => {
    await sent.fetchFile();
    const made = await Promise.all([1, 2, 3].map(() => makeNoticeMails(services, soon())));
    expect(made.toSorted()).toEqual([0, 0, 1]);
  });

  it("makes more than ten in a run, each once [NOTE-8]", { tags: "long" }, async () => {
    await sent.choose({ downloaded: "each" });
    await putOnPlan(sent.owner.email, "professional");
    for (let n = 0; n < 60; n += 1) {
      const { uploadId } = await sendFile(sent.owner, "hello");
      await countDownloads(services.db, [finishedDownload(uploadId)]);
    }
    expect(await makeNoticeMails(services, soon())).toBe(60);
    expect(await makeNoticeMails(services, soon())).toBe(0);
  });
});
