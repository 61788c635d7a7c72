import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "#domain/units.ts";
import { countDownloads } from "#worker/db/download-counts.ts";
import { makeNoticeMails } from "#worker/notices/make-mails.ts";
import { servicesFor } from "#worker/services.ts";
import { finishedDownload } from "../support/downloads.ts";
import { mailsTo } from "../support/mails.ts";
import { NoticeOwner, soon } from "../support/notice-owner.ts";
import { download, signUpVerified, unsubscribeTokenIn } from "../support/notices.ts";
import { Client, contentPath, rowOf, runSql, sendFile } from "../support/worker.ts";

const services = servicesFor(env);

const visitor = new Client();
let sent: NoticeOwner;

beforeEach(async () => {
  sent = await NoticeOwner.begin();
});

describe("the mail that files were downloaded", () => {
  it("by default comes of each recipient's first download, and of the first with the bare link [NOTE-3]", async () => {
    const ann = await sent.mailLink();
    await sent.fetchFile(`?for=${ann.token}`);
    await sent.fetchFile();
    await sent.fetchFile();
    expect(await makeNoticeMails(services, soon())).toBe(1);
    const mail = await vi.waitUntil(async () => (await sent.about("plan.txt was downloaded"))[0]);
    expect(mail.text).toContain(`- ${ann.email}: 1 download\n- Somebody with the link: 1 download\n`);
    expect(mail.text).toContain(`See who downloaded it:\n${env.APP_ORIGIN}/dashboard\n`);
    await sent.fetchFile(`?for=${ann.token}`);
    await sent.fetchFile();
    expect(await makeNoticeMails(services, soon() + DAY_MS)).toBe(0);
    const other = await sent.mailLink();
    await sent.fetchFile(`?for=${other.token}`);
    expect(await makeNoticeMails(services, soon())).toBe(1);
  });

  it("comes once for 1,000 downloads [NOTE-3]", async () => {
    await sent.choose({ downloaded: "each" });
    for (let batch = 0; batch < 20; batch += 1) {
      const counts = Array.from({ length: 50 }, () =>
        countDownloads(services.db, [finishedDownload(sent.file.uploadId)]),
      );
      await Promise.all(counts);
    }
    expect(await sent.events()).toEqual([{ kind: "downloaded", count: 1000, mailed_at: null }]);
    expect(await makeNoticeMails(services, soon())).toBe(1);
    const mail = await vi.waitUntil(async () => (await sent.about("plan.txt was downloaded"))[0]);
    expect(mail.text).toContain("- Somebody with the link: 1,000 downloads\n");
    expect(await makeNoticeMails(services, soon())).toBe(0);
  });

  it("comes again of a later download, and keeps one row [NOTE-3]", async () => {
    await sent.choose({ downloaded: "each" });
    for (const mails of [1, 2, 3]) {
      await sent.fetchFile();
      expect(await makeNoticeMails(services, soon() + mails)).toBe(1);
    }
    expect(await sent.events()).toHaveLength(1);
  });

  it("waits a minute", async () => {
    await sent.fetchFile();
    expect(await makeNoticeMails(services, Date.now() + MINUTE_MS - 5000)).toBe(0);
  });

  it("does not come of one's own download, nor when it is switched off [NOTE-3]", async () => {
    await sent.fetchFile("", sent.owner);
    expect(await sent.events()).toEqual([]);
    await sent.choose({ downloaded: "off" });
    await sent.fetchFile();
    expect(await sent.events()).toEqual([]);
    await sent.owner.patch(`/api/files/${sent.file.uploadId}/notify`, { notify: "each" });
    await sent.fetchFile();
    expect(await sent.events()).toHaveLength(1);
    await sent.owner.patch(`/api/files/${sent.file.uploadId}/notify`, { notify: "off" });
    expect(await makeNoticeMails(services, soon())).toBe(0);
    expect(await sent.events()).toMatchObject([{ mailed_at: expect.any(Number) as number }]);
  });

  it("does not go to an address that is not verified, nor to one that wants no mail", async () => {
    await runSql("update users set is_verified = 0 where id = ?", sent.owner.id);
    await sent.fetchFile();
    const strict = servicesFor({ ...env, EMAIL_VERIFICATION: "required" });
    expect(await makeNoticeMails(strict, soon())).toBe(0);

    const [other, friend] = [sent.owner, await signUpVerified()];
    const theirs = await sendFile(friend, "hello");
    await other.post(`/api/files/${sent.file.uploadId}/share`, { email: friend.email });
    const mail = await vi.waitUntil(async () =>
      (await mailsTo(friend.email)).find(({ text }) => text.includes("?for=")),
    );
    await visitor.post(`/api/unsubscribe/${unsubscribeTokenIn(mail)}`, { what: "all" });
    await download(visitor, contentPath(theirs.downloadId), theirs.uploadId);
    expect(await makeNoticeMails(services, soon())).toBe(0);
  });

  it("does not name files behind a password [NOTE-7]", async () => {
    await sent.owner.patch(`/api/files/${sent.file.uploadId}`, { guards: { password: "open sesame" } });
    await countDownloads(services.db, [finishedDownload(sent.file.uploadId)]);
    await makeNoticeMails(services, soon());
    const [mail] = await vi.waitUntil(async () => {
      const found = await sent.about("your link with a password was downloaded");
      return found.length > 0 ? found : null;
    });
    expect(`${mail?.text}${mail?.html}`).not.toContain("plan.txt");
  });

  it("is in its reader's language [NOTE-7]", async () => {
    await sent.owner.fetch("/api/notices", { headers: { "accept-language": "de" } });
    await vi.waitUntil(
      async () =>
        (await rowOf<{ locale: string }>("select locale from users where id = ?", sent.owner.id)).locale === "de",
    );
    await sent.fetchFile();
    await makeNoticeMails(services, soon());
    const mail = await vi.waitUntil(async () => (await sent.about("Heruntergeladen: plan.txt"))[0]);
    expect(mail.text).toContain("- Jemand mit dem Link: 1\u00a0Download\n");
    expect(mail.text).toContain("Keine solchen E-Mails mehr bekommen\n");
  });

  it("is stopped by one click [NOTE-6]", async () => {
    await sent.fetchFile();
    await makeNoticeMails(services, soon());
    const mail = await vi.waitUntil(async () => (await sent.about("plan.txt was downloaded"))[0]);
    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    const headers = { origin: "https://mail.example" };
    const path = `/unsubscribe/${unsubscribeTokenIn(mail)}`;
    expect((await visitor.fetch(path, { method: "POST", headers, body })).status).toBe(200);
    expect(await (await sent.owner.fetch("/api/notices")).json()).toMatchObject({ downloaded: "off", arrived: true });
    expect(await (await visitor.fetch(`/api${path}`)).json()).toEqual({
      email: sent.owner.email,
      sender: null,
      stopped: "sender",
    });
    await visitor.post(`/api${path}`, { what: "resume" });
    expect(await (await sent.owner.fetch("/api/notices")).json()).toMatchObject({ downloaded: "first" });
  });
});

describe("the mail of the day", () => {
  const at = (iso: string) => Date.parse(iso);

  it("tells at eight o'clock what happened since, once a day [NOTE-4]", async () => {
    await sent.choose({ downloaded: "daily", timeZone: "Europe/Berlin" });
    const ann = await sent.mailLink();
    const count = (token: string | null, iso: string) =>
      countDownloads(services.db, [finishedDownload(sent.file.uploadId, { token, at: at(iso) })]);
    await count(ann.token, "2026-03-28T20:00:00Z");
    await count(ann.token, "2026-03-28T21:00:00Z");
    await count(null, "2026-03-28T22:59:00Z");
    // In the night of the 29th, clocks went from 2 to 3 o'clock.
    expect(await makeNoticeMails(services, at("2026-03-29T05:59:00Z"))).toBe(0);
    expect(await makeNoticeMails(services, at("2026-03-29T06:00:00Z"))).toBe(1);
    const mail = await vi.waitUntil(async () => (await sent.about("Your day with Mayfly"))[0]);
    expect(mail.text).toContain(
      `- plan.txt, ${ann.email}: 2 downloads\n- plan.txt, Somebody with the link: 1 download\n`,
    );
    await count(null, "2026-03-29T07:00:00Z");
    expect(await makeNoticeMails(services, at("2026-03-29T20:00:00Z"))).toBe(0);
    expect(await makeNoticeMails(services, at("2026-03-30T06:00:00Z"))).toBe(1);
    expect(await makeNoticeMails(services, at("2026-03-31T06:00:00Z"))).toBe(0);
  });
});
