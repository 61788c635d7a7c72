import { createMessageBatch } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { readVisit } from "#worker/accounts/visit.ts";
import { consume } from "#worker/consume.ts";
import { addToOutbox } from "#worker/db/mail.ts";
import { readLocalMailbox } from "#worker/mail/local-mailbox.ts";
import { renderMessage } from "#worker/mail/message.tsx";
import { emailChangedMessage, resetMessage, verifyMessage } from "#worker/mail/messages/account.tsx";
import { servicesFor } from "#worker/services.ts";
import { runHousekeeping } from "#worker/sweep/housekeeping.ts";
import { consumeAtOnce } from "../support/consume-at-once.ts";
import { queuedMailsSent } from "../support/mails.ts";
import { withMethod } from "../support/worker-with-env.ts";
import { Client } from "../support/worker.ts";

const local = servicesFor(env);
/** Nothing listens on port 9. */
const withoutProvider: Env = {
  ...env,
  MAIL_TRANSPORT: "resend",
  RESEND_API_URL: "http://127.0.0.1:9",
  RESEND_API_KEY: "k",
};
consumeAtOnce(withoutProvider);
const down = servicesFor(withoutProvider);

/** A batch of one mail, as the queue brings it. */
function batchOf(id: string): MessageBatch {
  return createMessageBatch("mayfly-mails", [{ id: "m", timestamp: new Date(), attempts: 1, body: id }]);
}

function outboxRows(to: string) {
  return env.DB.prepare('select attempts, next_attempt_at from mail_outbox where "to" = ?')
    .bind(to)
    .all<{ attempts: number }>();
}

describe("rendering a mail", () => {
  it("a mail has the complete link in HTML and plain text", () => {
    const url = "https://example.com/reset-password?token=a&b=<c>";
    const { html, text } = renderMessage(resetMessage("a@example.com", url));
    expect(text).toContain(`Set a new password:\n${url}\n`);
    expect(text).not.toMatch(/&amp;|<p/);
    expect(html).toContain('href="https://example.com/reset-password?token=a&amp;b=&lt;c&gt;"');
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
  });

  it("an address in a mail is escaped", () => {
    const { html } = renderMessage(emailChangedMessage("a@example.com", '"<img src=x>"@example.com', env.APP_ORIGIN));
    expect(html).not.toContain("<img");
  });
});

describe("the outbox", () => {
  it("a mail sent to the local mailbox leaves the outbox [MAIL-1, MAIL-2]", async () => {
    await local.outbox.post(verifyMessage("fine@example.com", "https://example.com"));
    await expect.poll(async () => (await outboxRows("fine@example.com")).results).toEqual([]);
    const mails = await readLocalMailbox(local);
    expect(mails?.some(({ to }) => to === "fine@example.com")).toBe(true);
  });

  it("a mail stays in the outbox while the provider is down, and the cron sends it later", async () => {
    const to = "patient@example.com";
    await down.outbox.post(verifyMessage(to, "https://example.com"));
    await expect.poll(async () => (await outboxRows(to)).results[0]?.attempts).toBe(1);
    expect(await local.outbox.hurry(Date.now())).toBe(0);
    expect((await outboxRows(to)).results).toHaveLength(1);

    const later = Date.now() + 3600_000;
    await runHousekeeping(local, () => later);
    await expect.poll(async () => (await outboxRows(to)).results).toEqual([]);
    expect((await readLocalMailbox(local))?.filter((mail) => mail.to === to)).toHaveLength(1);
  });

  it("a mail comes again after two minutes when the provider refuses it, and is sent once [MAIL-2]", async () => {
    const { mail } = local.outbox.prepare(verifyMessage("twice@example.com", "https://example.com"));
    await addToOutbox(local.db, mail, Date.now());
    const refused = batchOf(mail.id);
    const [message] = refused.messages;
    const retry = vi.spyOn(message ?? expect.unreachable(), "retry");
    await consume(down, refused);
    expect(retry.mock.calls).toEqual([[{ delaySeconds: 120 }]]);
    for (let delivery = 0; delivery < 2; delivery += 1) await consume(local, batchOf(mail.id));
    expect((await outboxRows("twice@example.com")).results).toEqual([]);
    expect((await readLocalMailbox(local))?.filter(({ to }) => to === "twice@example.com")).toHaveLength(1);
  });

  it("a mail that its queue refuses is sent by the request, and one that its queue loses by the cron [MAIL-2]", async () => {
    const refusing = withMethod(env.MAILS, "sendBatch", () => Promise.reject(new Error("Queue is overloaded")));
    await servicesFor({ ...env, MAILS: refusing }).outbox.post(verifyMessage("direct@example.com", "https://e.com"));
    await expect.poll(async () => (await outboxRows("direct@example.com")).results).toEqual([]);
    const losing = withMethod(env.MAILS, "sendBatch", () => Promise.resolve());
    await servicesFor({ ...env, MAILS: losing }).outbox.post(verifyMessage("lost@example.com", "https://e.com"));
    expect(await local.outbox.hurry(Date.now() + 4 * 60_000)).toBe(0);
    expect(await local.outbox.hurry(Date.now() + 6 * 60_000)).toBe(1);
    await expect.poll(async () => (await outboxRows("lost@example.com")).results).toEqual([]);
    const received = (await readLocalMailbox(local))?.map(({ to }) => to);
    expect(received).toEqual(expect.arrayContaining(["direct@example.com", "lost@example.com"]));
  });

  it("a mail that the provider refuses for good is not tried again, and its row says why, without its text [MAIL-5]", async () => {
    const suppressed = Object.assign(new Error("the address is on the suppression list"), {
      code: "E_RECIPIENT_SUPPRESSED",
    });
    const refusing = servicesFor({
      ...env,
      MAIL_TRANSPORT: "cloudflare",
      SEND_EMAIL: withMethod(env.SEND_EMAIL, "send", () => Promise.reject(suppressed)),
    });
    const { mail } = local.outbox.prepare(verifyMessage("gone@example.com", "https://example.com/?token=secret"));
    const now = Date.now();
    await addToOutbox(local.db, mail, now);
    expect(await refusing.outbox.deliver([mail.id], now)).toEqual(new Map());
    const row = await env.DB.prepare("select * from mail_outbox where id = ?").bind(mail.id).first();
    expect(row).toMatchObject({
      attempts: 1,
      failure: "E_RECIPIENT_SUPPRESSED: Error: the address is on the suppression list",
      refused_at: now,
      html: "",
      text: "",
    });
    // Neither a message that comes twice nor the cron sends it.
    await local.outbox.deliver([mail.id], now);
    await local.outbox.hurry(now + 40 * 86_400_000);
    await queuedMailsSent();
    expect((await readLocalMailbox(local))?.filter(({ to }) => to === "gone@example.com")).toEqual([]);
    expect((await outboxRows("gone@example.com")).results).toHaveLength(1);
  });

  it("the last of 15 attempts gives a mail up, and its row says so", async () => {
    const { mail } = local.outbox.prepare(verifyMessage("never@example.com", "https://example.com"));
    await addToOutbox(local.db, mail, Date.now());
    for (const attempts of [13, 14]) {
      await env.DB.prepare("update mail_outbox set attempts = ? where id = ?").bind(attempts, mail.id).run();
      expect((await down.outbox.deliver([mail.id], Date.now())).size).toBe(attempts === 13 ? 1 : 0);
    }
    const row = await env.DB.prepare("select * from mail_outbox where id = ?").bind(mail.id).first();
    expect(row).toMatchObject({ attempts: 15, refused_at: expect.any(Number) as number, text: "" });
  });

  it("a fifth of the day's mails is kept for those that somebody waits for; notices go on the next day [MAIL-6]", async () => {
    const { outbox, db } = servicesFor({ ...env, MAILS_A_DAY: "10" });
    const today = Date.UTC(2030, 0, 31, 23);
    const save = async (name: string, headers?: Record<string, string>) => {
      const { mail } = outbox.prepare({ ...verifyMessage(`${name}@quota.example`, "https://e.com"), headers });
      await addToOutbox(db, mail, today);
      return mail.id;
    };
    const notices = [];
    for (let n = 0; n < 10; n += 1) notices.push(await save(`n${n}`, { "List-Unsubscribe": "<u>" }));
    expect(await outbox.deliver(notices.slice(0, 5), today)).toEqual(new Map());
    await outbox.deliver([await save("code")], today);
    expect(await outbox.deliver(notices.slice(5), today)).toEqual(new Map([]));
    const { results } = await env.DB.prepare(
      `select attempts, failure, next_attempt_at from mail_outbox where "to" like 'n%@quota.example'`,
    ).all();
    const waits = {
      attempts: 0,
      failure: "the day's mails are used up (MAILS_A_DAY)",
      next_attempt_at: Date.UTC(2030, 1, 1),
    };
    expect(results).toEqual([waits, waits, waits]);
    for (const name of ["reset", "verification"]) {
      const id = await save(name);
      await outbox.deliver([id], today);
      expect((await outboxRows(`${name}@quota.example`)).results).toEqual([]);
    }
    expect(await outbox.deliver(notices, Date.UTC(2030, 1, 1))).toEqual(new Map());
    const { n } = (await env.DB.prepare(
      `select count(*) as n from local_mailbox where "to" like '%@quota.example'`,
    ).first<{ n: number }>()) ?? { n: 0 };
    expect(n).toBe(13);
  });

  it("mails that somebody waits for have a queue of their own", async () => {
    const sent: string[] = [];
    const note = (name: string, queue: Queue) =>
      withMethod(queue, "sendBatch", () => Promise.resolve(void sent.push(name)));
    const noted = servicesFor({ ...env, MAILS: note("mails", env.MAILS), NOTICES: note("notices", env.NOTICES) });
    await noted.outbox.post(verifyMessage("v@example.com", "https://example.com"));
    await noted.outbox.post({
      ...verifyMessage("r@example.com", "https://e.com"),
      headers: { "List-Unsubscribe": "<u>" },
    });
    await expect.poll(() => sent).toEqual(["mails", "notices"]);
  });

  it("a registration succeeds even if its mail cannot be sent", async () => {
    const { register } = await import("#worker/accounts/accounts.ts");
    const strict: Env = { ...withoutProvider, EMAIL_VERIFICATION: "required" };
    const required = servicesFor(strict);
    const email = "unlucky@example.com";
    const visit = readVisit(new Request(env.APP_ORIGIN));
    expect(await register(required, { email, password: "a good password" }, visit, Date.now())).toMatchObject({
      user: null,
    });
    expect(await env.DB.prepare("select count(*) as n from users where email = ?").bind(email).first("n")).toBe(1);
    await expect.poll(async () => (await outboxRows(email)).results.length).toBe(1);
  });
});

describe("/dev/mailbox", () => {
  it("the mailbox is available only with the local transport [MAIL-3]", async () => {
    expect((await new Client().fetch("/dev/mailbox")).status).toBe(200);
    expect(await readLocalMailbox(down)).toBeNull();
  });
});
