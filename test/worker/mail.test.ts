import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { readVisit } from "#worker/accounts/visit.ts";
import { readLocalMailbox } from "#worker/mail/local-mailbox.ts";
import { renderMessage } from "#worker/mail/message.tsx";
import { emailChangedMessage, resetMessage, verifyMessage } from "#worker/mail/messages/account.tsx";
import { servicesFor } from "#worker/services.ts";
import { runHousekeeping } from "#worker/sweep/housekeeping.ts";
import { Client } from "../support/worker.ts";

const local = servicesFor(env);
/** Nothing listens on port 9. */
const down = servicesFor({
  ...env,
  MAIL_TRANSPORT: "resend",
  RESEND_API_URL: "http://127.0.0.1:9",
  RESEND_API_KEY: "k",
});

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
    await local.outbox.deliver(Date.now());
    expect((await outboxRows(to)).results).toHaveLength(1);

    const later = Date.now() + 3600_000;
    await runHousekeeping(local, () => later);
    expect((await outboxRows(to)).results).toEqual([]);
    expect((await readLocalMailbox(local))?.filter((mail) => mail.to === to)).toHaveLength(1);
  });

  it("a registration succeeds even if its mail cannot be sent", async () => {
    const { register } = await import("#worker/accounts/accounts.ts");
    const required = servicesFor({
      ...env,
      EMAIL_VERIFICATION: "required",
      MAIL_TRANSPORT: "resend",
      RESEND_API_URL: "http://127.0.0.1:9",
      RESEND_API_KEY: "k",
    });
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
