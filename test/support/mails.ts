import { env } from "cloudflare:workers";
import { vi } from "vitest";

/**
 * Waits until the mails that have been sent to the queues are delivered: sends one more to each. The local queues hand
 * messages over in their order.
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
}
