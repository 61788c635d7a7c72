import { HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import type { Database } from "../db/client.ts";
import { addToOutbox, listDueMail, recordMailFailure, removeFromOutbox, type OutgoingMail } from "../db/mail.ts";
import { logError } from "../log.ts";
import type { MailTransport, Message } from "./mail.ts";
import { renderMessage } from "./render.tsx";

const BATCH = 50;
const FIRST_RETRY_MS = MINUTE_MS;
const LONGEST_RETRY_MS = 6 * HOUR_MS;
/** With doubling waits from a minute this is about two days: then the links inside are long dead. */
export const MAIL_ATTEMPTS = 15;

/**
 * The mail that has to go out. A mail is in D1 before anything else happens, so a provider that is down loses neither
 * the mail nor what it was about; it is tried at once and then by the cron.
 */
export interface Outbox {
  /** Keeps the mail and begins to send it. Resolves once it is kept. */
  post(message: Message): Promise<void>;
  /** Sends a message now and says whether it was taken. @throws Error when it was not; nothing is kept */
  sendNow(message: Message): Promise<void>;
  /** Tries what is due. @returns how many mails were taken */
  deliver(now: number): Promise<number>;
}

/** @param waitUntil keeps the runtime alive for the first try */
export function createOutbox(
  db: Database,
  transport: MailTransport,
  waitUntil: (work: Promise<unknown>) => void,
): Outbox {
  return {
    async post(message) {
      const mail = { ...renderMessage(message), attempts: 0 };
      // The cron looks only after the first try has had its time, so the two do not send at once.
      await addToOutbox(db, mail, Date.now() + FIRST_RETRY_MS);
      waitUntil(attempt(db, transport, mail));
    },
    async sendNow(message) {
      await transport.send(renderMessage(message));
    },
    async deliver(now) {
      const due = await listDueMail(db, now, BATCH);
      const sent = await Promise.all(due.map((mail) => attempt(db, transport, mail)));
      return sent.filter(Boolean).length;
    },
  };
}

async function attempt(db: Database, transport: MailTransport, mail: OutgoingMail): Promise<boolean> {
  try {
    await transport.send(mail);
    await removeFromOutbox(db, mail.id);
    return true;
  } catch (error) {
    const attempts = mail.attempts + 1;
    logError("mail.failed", error, { mailId: mail.id, attempts });
    if (attempts >= MAIL_ATTEMPTS) await removeFromOutbox(db, mail.id);
    else await recordMailFailure(db, mail.id, Date.now() + Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS));
    return false;
  }
}
