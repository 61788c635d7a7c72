import type { ContactRequest } from "#domain/wire.ts";
import type { Services } from "../context.ts";
import { insertContactSubmission, type Sender } from "../db/contact.ts";

/** A user agent is kept up to this length; browsers' are a third of it. */
const USER_AGENT_MAX_LENGTH = 500;

/** Keeps a visitor's message for the back office. @param now epoch milliseconds */
export async function keepMessage(
  { db }: Services,
  message: ContactRequest,
  sender: Sender,
  now: number,
): Promise<void> {
  const userAgent = sender.userAgent?.slice(0, USER_AGENT_MAX_LENGTH) ?? null;
  await insertContactSubmission(db, message, { ...sender, userAgent }, now);
}
