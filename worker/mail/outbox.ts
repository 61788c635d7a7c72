import { HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import type { Database } from "../db/client.ts";
import {
  addToOutbox,
  listDueMail,
  recordMailFailure,
  removeFromOutbox,
  type DueMail,
  type OutgoingMail,
} from "../db/mail.ts";
import { logError } from "../log.ts";
import { type MailTransport, type Message, renderMessage } from "./message.tsx";

const MAILS_PER_RUN = 50;
const MIN_RETRY_MS = MINUTE_MS;
const MAX_RETRY_MS = 6 * HOUR_MS;
/** With the delays between attempts, the last attempt follows after about two days. */
const MAX_MAIL_ATTEMPTS = 15;

export interface PreparedMail extends DueMail {
  /** Starts the first attempt. Call once the batch has saved the mail. */
  send(): void;
}

/** Saves mails in D1 before sending, so that no mail is lost if the provider fails (decision 004). */
export interface Outbox {
  /** Saves and sends a mail. Resolves once the mail is saved. */
  post(message: Message): Promise<void>;
  /** Renders a mail that is saved in one batch with the change that the mail reports. */
  prepare(message: Message): PreparedMail;
  /** Sends a message without saving it. @throws Error if the provider does not accept the message */
  sendNow(message: Message): Promise<void>;
  deliver(now: number): Promise<number>;
}

/** @param waitUntil keeps the runtime alive during the first attempt */
export function createOutbox(
  db: Database,
  transport: MailTransport,
  waitUntil: (work: Promise<unknown>) => void,
): Outbox {
  const prepare = (message: Message): PreparedMail => {
    const mail = { ...renderMessage(message), attempts: 0 };
    return {
      mail,
      // Due after the first attempt has had time to finish, so that the cron does not send the mail too.
      dueAt: Date.now() + MIN_RETRY_MS,
      send: () => waitUntil(trySend(db, transport, mail)),
    };
  };
  return {
    prepare,
    async post(message) {
      const { mail, dueAt, send } = prepare(message);
      await addToOutbox(db, mail, dueAt);
      send();
    },
    async sendNow(message) {
      await transport.send(renderMessage(message));
    },
    async deliver(now) {
      const mails = await listDueMail(db, now, MAILS_PER_RUN);
      const results = await Promise.all(mails.map((mail) => trySend(db, transport, mail)));
      return results.filter(Boolean).length;
    },
  };
}

async function trySend(db: Database, transport: MailTransport, mail: OutgoingMail): Promise<boolean> {
  try {
    await transport.send(mail);
    await removeFromOutbox(db, mail.id);
    return true;
  } catch (error) {
    const attempts = mail.attempts + 1;
    logError("mail.failed", error, { mailId: mail.id, attempts });
    if (attempts >= MAX_MAIL_ATTEMPTS) await removeFromOutbox(db, mail.id);
    else await recordMailFailure(db, mail.id, Date.now() + Math.min(MIN_RETRY_MS * 2 ** attempts, MAX_RETRY_MS));
    return false;
  }
}

/** Posts a mail about a change that is already saved, so a failure is only logged. */
export async function notify(outbox: Outbox, message: Message): Promise<void> {
  try {
    await outbox.post(message);
  } catch (error) {
    logError("account.notice_failed", error);
  }
}
