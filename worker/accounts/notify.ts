import { logError } from "../log.ts";
import type { Message } from "../mail/mail.ts";
import type { Outbox } from "../mail/outbox.ts";

/** Queues a mail about a change that is already saved. A failure is only logged: it must not undo the change. */
export async function notify(outbox: Outbox, message: Message): Promise<void> {
  try {
    await outbox.post(message);
  } catch (error) {
    logError("account.notice_failed", error);
  }
}
