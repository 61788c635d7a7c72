import type { LinkCheck } from "#domain/moderation/link-check.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import { checkLink } from "./admin/check-link.ts";
import type { FinishedDownload } from "./db/download-counts.ts";
import { logError, logEvent } from "./log.ts";
import { countAndWatch } from "./moderation/new-accounts.ts";
import type { Services } from "./services.ts";
import { deliver } from "./webhooks/deliver.ts";

/** The wait before a batch that failed comes again doubles up to this. A hundred tries then take a day. */
const MAX_RETRY_MS = 15 * MINUTE_MS;

/** Handles messages; those that it does not retry are done. @throws Error if all are to come again */
type Consumer = (services: Services, messages: readonly Message<never>[]) => Promise<void>;

/** By the end of the queue's name: a deployment chooses the rest. */
const CONSUMERS: Record<string, Consumer> = {
  downloads: count,
  mails: sendMails,
  notices: sendMails,
  webhooks: tellWebhooks,
  checks: checkLinks,
  // The dead letters, while an operator lets them be consumed (docs/operations.md).
  letters: count,
};

async function count(services: Services, messages: readonly Message<FinishedDownload>[]): Promise<void> {
  await countAndWatch(
    services,
    messages.map(({ body }) => body),
    Date.now(),
  );
}

async function sendMails({ outbox }: Services, messages: readonly Message<string>[]): Promise<void> {
  const retries = await outbox.deliver(
    messages.map(({ body }) => body),
    Date.now(),
  );
  for (const message of messages) {
    const delaySeconds = retries.get(message.body);
    if (delaySeconds !== undefined) message.retry({ delaySeconds });
  }
}

async function tellWebhooks(services: Services, messages: readonly Message<string>[]): Promise<void> {
  const ids = messages.map(({ body }) => body);
  await deliver(services, ids, Date.now);
}

async function checkLinks(services: Services, messages: readonly Message<LinkCheck>[]): Promise<void> {
  for (const message of messages) await checkLink(services, message.body, Date.now());
}

/** Handles a batch of messages. Never rejects: a batch that fails comes again. */
export async function consume(services: Services, batch: MessageBatch): Promise<void> {
  const { queue, messages } = batch;
  const attempt = Math.max(...messages.map(({ attempts }) => attempts));
  try {
    const run = CONSUMERS[queue.slice(queue.lastIndexOf("-") + 1)];
    if (!run) throw new Error("no consumer for the queue");
    await run(services, messages as Message<never>[]);
    logEvent("queue.consumed", { queue, messages: messages.length });
  } catch (error) {
    logError("queue.failed", error, { queue, messages: messages.length, attempt });
    batch.retryAll({ delaySeconds: Math.min(SECOND_MS * 2 ** attempt, MAX_RETRY_MS) / SECOND_MS });
  }
}
