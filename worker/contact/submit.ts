import type { ContactRequest } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { insertContactSubmission, type Sender } from "../db/contact-messages.ts";

export async function saveContactMessage(
  { db }: Services,
  message: ContactRequest,
  sender: Sender,
  now: number,
): Promise<void> {
  await insertContactSubmission(db, message, sender, now);
}
