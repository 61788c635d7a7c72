import { env } from "cloudflare:workers";
import { vi } from "vitest";

export interface StoredMail {
  subject: string;
  html: string;
  text: string;
  headers: string | null;
}

/**
 * The mails to an address in the local mailbox, oldest first, once the mails that have been sent to the queues are
 * delivered. A call that mails behind its answer may not have sent its mail yet.
 */
export async function mailsTo(email: string): Promise<StoredMail[]> {
  await queuedMailsSent();
  const { results } = await env.DB.prepare(
    'select subject, html, text, headers from local_mailbox where "to" = ? order by rowid',
  )
    .bind(email)
    .all<StoredMail>();
  return results;
}

/** As `mailsTo`. */
export async function subjectsTo(email: string): Promise<string[]> {
  return (await mailsTo(email)).map(({ subject }) => subject);
}

/** Waits until there are so many mails to an address. @returns the newest */
export async function mailTo(email: string, count = 1): Promise<StoredMail> {
  const mails = await vi.waitUntil(async () => {
    const found = await mailsTo(email);
    return found.length >= count ? found : null;
  });
  const mail = mails.at(-1);
  if (!mail) throw new Error(`no mail to ${email}`);
  return mail;
}

/**
 * Waits until the mails that have been sent to the queues are delivered: sends one more to each, and takes it out of the
 * mailbox again. The local queues hand messages over in their order.
 */
export async function queuedMailsSent(): Promise<void> {
  await Promise.all([env.MAILS, env.NOTICES].map(drain));
}

async function drain(queue: Queue): Promise<void> {
  const id = crypto.randomUUID();
  await env.DB.prepare(
    `insert into mail_outbox (id, "to", subject, html, text, next_attempt_at, created_at)
     values (?1, 'last@example.com', '', '', '', ?2, ?2)`,
  )
    .bind(id, Date.now() + 3_600_000)
    .run();
  await queue.send(id);
  await vi.waitUntil(
    async () => (await env.DB.prepare("select 1 from mail_outbox where id = ?").bind(id).first()) === null,
    60_000,
  );
  await env.DB.prepare("delete from local_mailbox where id = ?").bind(id).run();
}
