import { logError } from "../log.ts";
import type { Message } from "../mail/mail.ts";
import type { Outbox } from "../mail/outbox.ts";

/** Only logs a failure: the change that the mail is about is already saved. */
export async function notify(outbox: Outbox, message: Message): Promise<void> {
  try {
    await outbox.post(message);
  } catch (error) {
    logError("account.notice_failed", error);
  }
}
