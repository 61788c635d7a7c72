import type { ContactRequest } from "#domain/wire.ts";
import type { Services } from "../context.ts";
import { insertContactSubmission, type Sender } from "../db/contact.ts";

/** Keeps a visitor's message for the back office. @param now epoch milliseconds */
export async function keepMessage(
  { db }: Services,
  message: ContactRequest,
  sender: Sender,
  now: number,
): Promise<void> {
  await insertContactSubmission(db, message, sender, now);
}
