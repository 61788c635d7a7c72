import { logError } from "../log.ts";
import type { Message } from "../mail/mail.ts";
import type { Outbox } from "../mail/outbox.ts";

/** Mails what has already happened to an account. Where the mail cannot be kept, that is logged and nothing else. */
export async function notify(outbox: Outbox, message: Message): Promise<void> {
  try {
    await outbox.post(message);
  } catch (error) {
    logError("account.notice_failed", error);
  }
}
