import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, utcDay } from "#domain/units.ts";
import type { Database } from "../db/client.ts";
import {
  addToOutbox,
  claimLateMail,
  countSentMails,
  findMails,
  saveMailResults,
  type DueMail,
  type MailResult,
  type OutgoingMail,
  type QueuedMail,
} from "../db/mail.ts";
import { logError } from "../log.ts";
import { inCalls } from "../queue-calls.ts";
import { MailRefusedError, type MailTransport, type Message, renderMessage } from "./message.tsx";

const MIN_RETRY_MS = MINUTE_MS;
const MAX_RETRY_MS = 6 * HOUR_MS;
/**
 * The most attempts to send a mail. With the delays between attempts, the last attempt follows after about two days.
 */
const MAX_MAIL_ATTEMPTS = 15;
/** A mail that its queue has not delivered this long after it was due is late. */
const LATE_MS = 5 * MINUTE_MS;
/**
 * The most late mails that a run of the cron gives to the queues. Mails that waited for a new day become due together.
 */
const LATE_PER_RUN = 500;
/** The share of a day's mails that is kept for mails that somebody waits for. */
const KEPT_SHARE = 1 / 5;
/** The longest text about a failure that a mail's row keeps. */
const MAX_FAILURE_CHARS = 300;

/** The queues bring the ids of mails. */
export interface MailQueues {
  /** Mails that somebody waits for, such as codes and links to sign in. */
  mails: Queue<string>;
  /** Mails that their reader can stop. Such mails may come in great number, so they have a queue of their own. */
  notices: Queue<string>;
}

export interface PreparedMail extends DueMail {
  /** Sends the mail. Call it once the batch has saved the mail. */
  send(): void;
}

/** Saves mails in D1 before sending, so that no mail is lost if a queue or the provider fails (decision 004). */
export interface Outbox {
  /** Saves and sends a mail. Resolves once the mail is saved. */
  post(message: Message): Promise<void>;
  /** Renders a mail that is saved in one batch with the change that the mail reports. */
  prepare(message: Message): PreparedMail;
  /** Sends a message without saving it. @throws Error if the provider does not accept the message */
  sendNow(message: Message): Promise<void>;
  /**
   * Tries to send saved mails, for a queue's consumer.
   * @param now epoch milliseconds @returns by id, the seconds after which to try a mail again
   */
  deliver(ids: readonly string[], now: number): Promise<Map<string, number>>;
  /** Gives late mails to the queues once more. @param now epoch milliseconds @returns how many mails were late */
  hurry(now: number): Promise<number>;
}

export interface OutboxParts {
  db: Database;
  transport: MailTransport;
  queues: MailQueues;
  /** How many mails the provider takes in a day; null if that is not known. */
  mailsADay: number | null;
  /** Keeps the runtime alive until a queue has the mail. */
  waitUntil(work: Promise<unknown>): void;
}

export function createOutbox({ db, transport, queues, mailsADay, waitUntil }: OutboxParts): Outbox {
  const deliver = async (ids: readonly string[], now: number) => {
    const found = await findMails(db, ids);
    const postponed = mailsADay === null ? [] : found.filter(isNotice).slice(await noticesLeft(db, mailsADay, now));
    const toSend = found.filter((mail) => !postponed.includes(mail));
    const results = await Promise.all(toSend.map((mail) => trySend(transport, mail, now)));
    const waiting = postponed.map((mail) => untilTomorrow(mail, now));
    await saveMailResults(db, [...results, ...waiting], mailsADay === null ? null : utcDay(now), now);
    return new Map(results.flatMap((result) => (result.kind === "waits" ? [[result.id, secondsOf(result, now)]] : [])));
  };
  const sendToQueue = async (queue: Queue<string>, mails: readonly QueuedMail[]) => {
    for (const ids of inCalls(mails.map(({ id }) => id))) {
      try {
        await queue.sendBatch(ids.map((body) => ({ body })));
      } catch (error) {
        logError("mail.not_queued", error, { mails: ids.length });
        await deliver(ids, Date.now());
      }
    }
  };
  const enqueue = async (mails: readonly QueuedMail[]) => {
    const awaited = mails.filter((mail) => !isNotice(mail));
    await sendToQueue(queues.mails, awaited);
    await sendToQueue(queues.notices, mails.filter(isNotice));
  };
  const prepare = (message: Message): PreparedMail => {
    const mail = renderMessage(message);
    return { mail, dueAt: Date.now() + LATE_MS, send: () => waitUntil(enqueue([mail])) };
  };
  return {
    prepare,
    deliver,
    async post(message) {
      const { mail, dueAt, send } = prepare(message);
      await addToOutbox(db, mail, dueAt);
      send();
    },
    async sendNow(message) {
      await transport.send(renderMessage(message));
    },
    async hurry(now) {
      const mails = await claimLateMail(db, now, now + LATE_MS, LATE_PER_RUN);
      await enqueue(mails);
      return mails.length;
    },
  };
}

/** Whether the reader can stop mails of this kind: such a mail has headers of its own (RFC 8058). */
function isNotice({ headers }: QueuedMail): boolean {
  return headers !== null;
}

/** @returns how many more notices may be sent on this UTC day */
async function noticesLeft(db: Database, mailsADay: number, now: number): Promise<number> {
  const sent = await countSentMails(db, utcDay(now));
  return Math.max(0, Math.floor(mailsADay * (1 - KEPT_SHARE)) - sent);
}

/**
 * The result for a mail that the day has no room for: the first run of the cron on the next UTC day gives it to its
 * queue.
 */
function untilTomorrow({ id, attempts }: OutgoingMail, now: number): MailResult {
  const nextAttemptAt = now - (now % DAY_MS) + DAY_MS;
  return { id, kind: "waits", attempts, failure: "the day's mails are used up (MAILS_A_DAY)", nextAttemptAt };
}

async function trySend(transport: MailTransport, mail: OutgoingMail, now: number): Promise<MailResult> {
  const { id } = mail;
  try {
    await transport.send(mail);
    return { id, kind: "sent" };
  } catch (error) {
    const attempts = mail.attempts + 1;
    logError("mail.failed", error, { mailId: id, attempts });
    const failure = (error instanceof Error ? error.message : String(error)).slice(0, MAX_FAILURE_CHARS);
    const isRefused = error instanceof MailRefusedError || attempts >= MAX_MAIL_ATTEMPTS;
    if (isRefused) return { id, kind: "refused", attempts, failure };
    const retryMs = Math.min(MIN_RETRY_MS * 2 ** attempts, MAX_RETRY_MS);
    return { id, kind: "waits", attempts, failure, nextAttemptAt: now + retryMs + LATE_MS };
  }
}

/** The seconds after which the queue brings a mail again, before the mail counts as late. */
function secondsOf({ nextAttemptAt }: { nextAttemptAt: number }, now: number): number {
  return (nextAttemptAt - LATE_MS - now) / SECOND_MS;
}

/** Posts a mail about a change that is already saved, and only logs a failure. */
export async function notify(outbox: Outbox, message: Message): Promise<void> {
  try {
    await outbox.post(message);
  } catch (error) {
    logError("account.notice_failed", error);
  }
}
